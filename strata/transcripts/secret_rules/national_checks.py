"""Which numbers can be those of citizens of some countries, by their own sums."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.checksums import passes_luhn

if TYPE_CHECKING:
    from collections.abc import Iterable

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
