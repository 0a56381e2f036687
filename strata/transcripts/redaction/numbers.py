"""Which rows of digits belong to a person: by their own sums, and by what stands around."""

from __future__ import annotations

import re
from datetime import date
from operator import mul
from typing import TYPE_CHECKING

from strata.transcripts.redaction.tables import Patterns, rows, words

if TYPE_CHECKING:
    from strata.transcripts.redaction.values import Value

CONTEXT = Patterns("personal", "context")
_LOOK_BACK, _SAFE_CARD_DIGITS = 32, 15
_BETWEEN = " \t:=#：\"'`*"
_SEPARATORS = re.compile(r"[ \t.()/-]")
_SCHEMES = {
    length: re.compile(
        "|".join(first for first, lengths in schemes if length in lengths)
    )
    for schemes in [rows("personal", "cards")["schemes"]]
    for length in range(13, 20)
}
_SUMS = rows("personal", "sums")
_ACCOUNT_LENGTHS: dict[str, int] = rows("personal", "accounts")["lengths"]
_PROVINCES = words("personal", "provinces")
_CITIZEN_DIGITS, _OLD_CITIZEN_DIGITS = 18, 15
_FIRST_YEAR, _LAST_YEAR = 1880, 2100
# How Verhoeff turns a digit at each place: this, and this again, eight times in all.
_TURNED, _TURNS = "1576283094", 8


def signs_of(value: str) -> str:
    """Return the digits and capitals of *value* without what separates them."""
    return _SEPARATORS.sub("", value).upper()


def is_joined(text: str, value: Value, _: int) -> bool:
    """Say whether *value* is only a part of a longer name or number."""
    return bool(
        CONTEXT.joined_after.match(text, value.end)
        or CONTEXT.joined_before.match(_in_front(text, value))
    )


def is_ordinary(text: str, value: Value, _: int) -> bool:
    """Say whether the words around call *value* an id, a count or a time."""
    if CONTEXT.unit_after.match(text, value.end):
        return True
    before = _before(text, value)
    return not CONTEXT.personal.search(before) and bool(CONTEXT.ordinary.search(before))


def is_citizen(text: str, value: Value, _: int) -> bool:
    """Say whether *value* is the number of a Chinese identity card."""
    number = signs_of(value.text)
    if number[:2] not in _PROVINCES or not _has_birthday(number):
        return False
    called = CONTEXT.citizen.search(_before(text, value))
    return called is not None or adds_up("citizen", number)


def is_card_here(text: str, value: Value, at: int) -> bool:
    """
    Say whether *value* is a card's number, and can be one where it stands.

    Times in milliseconds are as long as the shortest cards, and four groups of four may
    be a stretch of a table; in both cases the text must call it a card.
    """
    number = signs_of(value.text)
    if not is_card(number) or is_citizen(text, value, at):
        return False
    if CONTEXT.card.search(_before(text, value)):
        return True
    before = _in_front(text, value)
    in_table = CONTEXT.four_before.search(before) or CONTEXT.four_after.match(
        text, value.end
    )
    return len(number) >= _SAFE_CARD_DIGITS and (value.text.isdigit() or not in_table)


def _before(text: str, value: Value) -> str:
    """Return what stands before *value* on the same line, the nearest 32 characters."""
    return _in_front(text, value).rpartition("\n")[2].rstrip(_BETWEEN)


def _in_front(text: str, value: Value) -> str:
    return text[max(0, value.start - _LOOK_BACK) : value.start]


def _has_birthday(number: str) -> bool:
    """Say whether *number* has the length of an identity card's, and a day in it."""
    old = len(number) == _OLD_CITIZEN_DIGITS and number.isdigit()
    if not old and len(number) != _CITIZEN_DIGITS:
        return False
    try:
        day = date.fromisoformat("19" + number[6:12] if old else number[6:14])
    except ValueError:
        return False
    return _FIRST_YEAR < day.year < _LAST_YEAR


def is_card(digits: str) -> bool:
    """Say whether *digits* can be a payment card's number."""
    known = _SCHEMES[len(digits)].match(digits)
    return known is not None and is_canadian(digits)


def is_canadian(number: str) -> bool:
    """Say whether nine digits can be a social insurance number."""
    return len(set(number)) > 1 and passes_luhn(number)


def passes_luhn(digits: str) -> bool:
    """Say whether the last of *digits* is the check digit of the others."""
    doubled = (int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits)))
    return sum(sum(divmod(number, 10)) for number in doubled) % 10 == 0


def adds_up(kind: str, number: str) -> bool:
    """Say whether *number* ends with its check digit; ``personal.toml`` has the sums."""
    row = _SUMS[kind]
    weights, checks = row["weights"], row["checks"]
    if firsts := row.get("first"):
        number = firsts.get(number[:1], "") + number[1:]
    if "before" in row and not adds_up(row["before"], number[:-1]):
        return False
    # A blank stands where another letter might.
    number = number.rjust(row.get("padded", 0))
    if len(number) != len(weights) + 1:
        return False
    values = (36 if sign == " " else int(sign, 36) for sign in number[:-1])
    check: str = checks[sum(map(mul, weights, values)) % len(checks)]
    return check == number[-1].upper() and len(set(number)) > 1


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
