"""Which rows of digits can be a card, a citizen or a bank account, by their own sums."""

from __future__ import annotations

import re
from datetime import date
from operator import mul

from strata.transcripts.redaction.tables import rows, words

_SCHEMES = tuple(
    (re.compile(first), frozenset(lengths))
    for first, lengths in rows("personal", "cards")["schemes"]
)
_SUMS = rows("personal", "sums")
_ACCOUNT_LENGTHS: dict[str, int] = rows("personal", "accounts")["lengths"]
_DIGIT_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))
_DOUBLED = bytes.maketrans(bytes(range(10)), bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_FIRST_DIGITS = frozenset("2345689")
_PROVINCES = words("personal", "provinces")
_CITIZEN_DIGITS, _OLD_CITIZEN_DIGITS = 18, 15
_FIRST_YEAR, _LAST_YEAR = 1880, 2100
# How Verhoeff turns a digit at each place: this, and this again, eight times in all.
_TURNED, _TURNS = "1576283094", 8


def is_card(digits: str) -> bool:
    """Say whether *digits* can be a payment card's number."""
    if digits[0] not in _FIRST_DIGITS:
        return False
    known = any(
        len(digits) in lengths and first.match(digits) for first, lengths in _SCHEMES
    )
    return known and is_canadian(digits)


def has_card_length(digits: str) -> bool:
    """Say whether *digits*, which a text calls a card, are as many; one may be mistyped."""
    return 15 <= len(digits) <= 19 and len(set(digits)) > 1  # noqa: PLR2004 - a card's


def is_canadian(number: str) -> bool:
    """Say whether nine digits can be a social insurance number."""
    return len(set(number)) > 1 and passes_luhn(number)


def passes_luhn(digits: str) -> bool:
    """Say whether the last of *digits* is the check digit of the others."""
    codes = digits.encode().translate(_DIGIT_VALUES)
    return (sum(codes[-1::-2]) + sum(codes[-2::-2].translate(_DOUBLED))) % 10 == 0


def may_be_citizen(number: str) -> bool:
    """Say whether *number* has the form of a Chinese identity card: place, birthday."""
    if number[:2] not in _PROVINCES:
        return False
    if len(number) == _OLD_CITIZEN_DIGITS:
        return number.isdigit() and _is_day("19" + number[6:12])
    return len(number) == _CITIZEN_DIGITS and _is_day(number[6:14])


def _is_day(digits: str) -> bool:
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
    try:
        date(year, month, day)
    except ValueError:
        return False
    return _FIRST_YEAR < year < _LAST_YEAR


def adds_up(kind: str, number: str) -> bool:
    """Say whether *number* ends with its check digit; ``personal.toml`` has the sums."""
    row = _SUMS[kind]
    weights, checks = row["weights"], row["checks"]
    if firsts := row.get("first"):
        number = firsts.get(number[:1], "") + number[1:]
    if len(number) != len(weights) + 1:
        return False
    # A blank stands where another letter might.
    values = (36 if sign == " " else int(sign, 36) for sign in number[:-1])
    check: str = checks[sum(map(mul, weights, values)) % len(checks)]
    return check == number[-1].upper() and len(set(number)) > 1


def is_hong_kong(number: str) -> bool:
    """Say whether *number*, one letter or two and digits, has its check digit."""
    return adds_up("hong_kong", number.rjust(9))


def is_brazilian(number: str) -> bool:
    """Say whether *number* has its two check digits."""
    return adds_up("brazilian", number) and adds_up("brazilian before", number[:10])


def is_french(number: str) -> bool:
    """Say whether *number*, the thirteen digits of social security and two more, holds."""
    return 97 - int(number[:13]) % 97 == int(number[13:])


def is_bank_account(number: str) -> bool:
    """Say whether *number*, without blanks, is an IBAN."""
    if _ACCOUNT_LENGTHS.get(number[:2]) != len(number):
        return False
    rearranged = number[4:] + number[:4]
    return int("".join(str(int(sign, 36)) for sign in rearranged)) % 97 == 1


def is_indian(number: str) -> bool:
    """Say whether twelve digits can be an Aadhaar number, by the sum of Verhoeff."""
    check = 0
    for place, sign in enumerate(reversed(number)):
        digit = int(sign)
        for _ in range(place % _TURNS):
            digit = int(_TURNED[digit])
        # Two digits are two turns of a pentagon, which from five on is turned over.
        turns = check + digit if check < 5 else check - digit  # noqa: PLR2004
        check = turns % 5 + 5 * ((check < 5) != (digit < 5))  # noqa: PLR2004
    return check == 0
