"""Which rows of digits can be a card, a citizen or a bank account, by their own sums."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from strata.transcripts.redaction.tables import rows, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_SCHEMES = tuple(
    (re.compile(first), frozenset(lengths))
    for first, lengths in rows("personal", "cards")["schemes"]
)

_DIGIT_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))
_DOUBLED = bytes.maketrans(bytes(range(10)), bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_FIRST_DIGITS = frozenset("2345689")
_CARD_LENGTHS = (15, 19)

_PROVINCES = words("personal", "provinces")
_CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CITIZEN_CHECKS = "10X98765432"
_CITIZEN_DIGITS = 18
_OLD_CITIZEN_DIGITS = 15
_FIRST_YEAR, _LAST_YEAR = 1880, 2100

_ACCOUNT_LENGTHS: dict[str, int] = rows("personal", "accounts")["lengths"]


def is_card(digits: str) -> bool:
    """Say whether *digits* can be a payment card's number."""
    if digits[0] not in _FIRST_DIGITS:
        return False
    known = any(
        len(digits) in lengths and first.match(digits) for first, lengths in _SCHEMES
    )
    return known and len(set(digits)) > 1 and passes_luhn(digits)


def has_card_length(digits: str) -> bool:
    """Say whether *digits*, which a text calls a card, are as many; one may be mistyped."""
    shortest, longest = _CARD_LENGTHS
    return shortest <= len(digits) <= longest and len(set(digits)) > 1


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


def has_citizen_check(number: str) -> bool:
    """Say whether the last of 18 digits is a Chinese identity card's check digit."""
    if len(number) != _CITIZEN_DIGITS:
        return False
    pairs = zip(_CITIZEN_WEIGHTS, number, strict=False)
    check = _CITIZEN_CHECKS[sum(weight * int(digit) for weight, digit in pairs) % 11]
    return check == number[-1].upper()


def is_bank_account(number: str) -> bool:
    """Say whether *number*, without blanks, is an IBAN."""
    if _ACCOUNT_LENGTHS.get(number[:2]) != len(number):
        return False
    rearranged = number[4:] + number[:4]
    return int("".join(str(int(sign, 36)) for sign in rearranged)) % 97 == 1


def _is_day(digits: str) -> bool:
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
    try:
        date(year, month, day)
    except ValueError:
        return False
    return _FIRST_YEAR < year < _LAST_YEAR


_SPANISH = "TRWAGMYFPDXBNJZSQVHLCKE"
# Two letters of a Hong Kong number count more than one, which has a blank before it.
_BLANK = 36
_FIRST_LETTER = 55
# The tens and ones of what the first letter of a Taiwanese number counts.
_TAIWANESE = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
_FRENCH_MODULUS, _FRENCH_DIGITS = 97, 15
_VERHOEFF_TIMES = (
    *("0123456789", "1234067895", "2340178956", "3401289567", "4012395678"),
    *("5987604321", "6598710432", "7659821043", "8765932104", "9876543210"),
)
_VERHOEFF_TURNS = (
    *("0123456789", "1576283094", "5803796142", "8916043527"),
    *("9453126870", "4286573901", "2793806415", "7046913258"),
)
_TAX_FILE_WEIGHTS = (1, 4, 3, 7, 5, 8, 6, 9, 10)
_MY_NUMBER_WEIGHTS = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
_SINGAPOREAN_WEIGHTS = (2, 7, 6, 5, 4, 3, 2)
_SINGAPOREAN_CHECKS = {"S": "JZIHGFEDCBA", "T": "GFEDCBAJZIH", "F": "XWUTRQPNMLK",
                       "G": "RQPNMLKXWUT", "M": "XWUTRQPNJLK"}  # fmt: skip


def is_hong_kong(number: str) -> bool:
    """Say whether *number*, such as ``A123456(3)``, has its check digit."""
    letters, digits, check = re.sub(r"[0-9()].*", "", number), number[-9:-3], number[-2]
    values = [_BLANK] * (2 - len(letters)) + [ord(c) - _FIRST_LETTER for c in letters]
    values += [int(digit) for digit in digits]
    weighed = sum(value * (9 - at) for at, value in enumerate(values))
    return "0123456789A"[-weighed % 11] == check


def is_brazilian(number: str) -> bool:
    """Say whether *number*, such as ``529.982.247-25``, has its two check digits."""
    digits = [int(each) for each in number if each.isdigit()]
    return len(set(digits)) > 1 and all(
        sum(d * (known + 1 - at) for at, d in enumerate(digits[:known])) * 10 % 11 % 10
        == digits[known]
        for known in (9, 10)
    )


def is_spanish(number: str) -> bool:
    """Say whether *number*, eight digits and a letter, has the right letter."""
    return _SPANISH[int(number[:8]) % len(_SPANISH)] == number[-1]


def is_taiwanese(number: str) -> bool:
    """Say whether *number*, a letter and nine digits, has its check digit."""
    tens, ones = divmod(_TAIWANESE.index(number[0]) + 10, 10)
    digits = [int(each) for each in number[1:]]
    weighed = tens + 9 * ones + sum(d * (8 - at) for at, d in enumerate(digits[:8]))
    return (weighed + digits[8]) % 10 == 0


def is_french(number: str) -> bool:
    """Say whether *number*, the thirteen digits of social security and two more, holds."""
    digits = number.replace(" ", "")
    if not digits.isdigit() or len(digits) != _FRENCH_DIGITS:
        return False
    return _FRENCH_MODULUS - int(digits[:13]) % _FRENCH_MODULUS == int(digits[13:])


def is_canadian(number: str) -> bool:
    """Say whether nine digits can be a social insurance number."""
    return len(set(number)) > 1 and passes_luhn(number)


def is_indian(number: str) -> bool:
    """Say whether twelve digits can be an Aadhaar number."""
    check = 0
    for place, digit in enumerate(reversed(number)):
        turned = _VERHOEFF_TURNS[place % 8][int(digit)]
        check = int(_VERHOEFF_TIMES[check][int(turned)])
    return check == 0


def is_singaporean(number: str) -> bool:
    """Say whether *number* can be an identity card of Singapore."""
    total = _weighted(map(int, number[1:8]), _SINGAPOREAN_WEIGHTS)
    total += {"T": 4, "G": 4, "M": 3}.get(number[0], 0)
    return _SINGAPOREAN_CHECKS[number[0]][total % 11] == number[8]


def is_japanese(number: str) -> bool:
    """Say whether twelve digits can be a My Number."""
    left = _weighted(map(int, number[:11]), _MY_NUMBER_WEIGHTS) % 11
    return int(number[11]) == (0 if left < 2 else 11 - left)  # noqa: PLR2004 - the rule


def is_australian(number: str) -> bool:
    """Say whether nine digits can be a tax file number."""
    total = _weighted(map(int, number), _TAX_FILE_WEIGHTS)
    return total > 0 and total % 11 == 0


def _weighted(values: Iterable[int], weights: Iterable[int]) -> int:
    return sum(value * weight for value, weight in zip(values, weights, strict=True))


Check = Callable[[str], bool]
CHECKS: dict[str, Check] = {
    "any": bool,
    "card_length": has_card_length,
    "hong_kong": is_hong_kong,
    "brazilian": is_brazilian,
    "spanish": is_spanish,
    "taiwanese": is_taiwanese,
    "canadian": is_canadian,
    "australian": is_australian,
    "indian": is_indian,
    "japanese": is_japanese,
    "singaporean": is_singaporean,
}
"""The sums by the names that `personal.toml` knows them by."""
