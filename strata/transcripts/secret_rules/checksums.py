"""Which rows of digits can be a card, a citizen or a bank account, by their own sums."""

from __future__ import annotations

import re
from datetime import date

# First digits and lengths that the card schemes have handed out.
_SCHEMES = (
    (re.compile(r"4"), frozenset({13, 16, 19})),
    (re.compile(r"5[1-5]"), frozenset({16})),
    (re.compile(r"2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)"), frozenset({16})),
    (re.compile(r"3[47]"), frozenset({15})),
    (re.compile(r"3(?:0[0-59]|[689])"), frozenset({14})),
    (re.compile(r"35(?:2[89]|[3-8])"), frozenset({16})),
    (re.compile(r"6(?:011|4[4-9]|5)"), frozenset({16, 19})),
    (re.compile(r"62|81"), frozenset({16, 17, 18, 19})),
    # Debit cards of Chinese banks from before UnionPay had its own numbers.
    (re.compile(r"955[89]|98[24]|60[13]"), frozenset({16, 17, 18, 19})),
    (re.compile(r"220[0-4]"), frozenset({16, 17, 18, 19})),
    (re.compile(r"5[068]|6(?:304|7)"), frozenset({16, 18, 19})),
)

_DIGIT_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))
_DOUBLED = bytes.maketrans(bytes(range(10)), bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_FIRST_DIGITS = frozenset("2345689")
_CARD_LENGTHS = (15, 19)

_PROVINCES = frozenset(
    """
    11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61
    62 63 64 65 71 81 82 83
    """.split()  # noqa: SIM905 - a list of words is read as words
)
_CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CITIZEN_CHECKS = "10X98765432"
_CITIZEN_DIGITS = 18
_OLD_CITIZEN_DIGITS = 15
_FIRST_YEAR, _LAST_YEAR = 1880, 2100

_ACCOUNT_LENGTHS = {
    entry[:2]: int(entry[3:])
    for entry in """
    AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BR:29 BY:28 CH:21 CR:22
    CY:28 CZ:24 DE:22 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FO:18 FR:27 GB:22 GE:22
    GI:23 GL:18 GR:27 GT:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30
    KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MR:27
    MT:31 MU:30 NL:18 NO:15 PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 RS:22 SA:24 SC:31
    SE:24 SI:19 SK:24 SM:27 ST:25 SV:28 TL:23 TN:24 TR:26 UA:29 VA:22 VG:24 XK:20
    """.split()  # noqa: SIM905 - a list of words is read as words
}


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
