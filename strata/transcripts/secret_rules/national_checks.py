"""Which numbers can be those of citizens of some countries, by their own sums."""

from __future__ import annotations

import re

_SPANISH = "TRWAGMYFPDXBNJZSQVHLCKE"
# Two letters of a Hong Kong number count more than one, which has a blank before it.
_BLANK = 36
_FIRST_LETTER = 55
# The tens and ones of what the first letter of a Taiwanese number counts.
_TAIWANESE = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
_FRENCH_MODULUS, _FRENCH_DIGITS = 97, 15


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
