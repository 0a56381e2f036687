"""Numbers and times in whatever way they are written, so that one can be looked up."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from strata.language.calendar import (
    DIGITS_CHINESE,
    NUMBER_CHINESE,
    calendar,
    hanzi_number,
)
from strata.language.values import unit_of
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.language.pieces import Piece

_NUMBER = pattern(r"\d+(?:[.,:/]\d+)*")
_WORDS = pattern(r"[a-z]+(?:-[a-z]+)?")
_HANZI = pattern(NUMBER_CHINESE)
_HANZI_LARGE = pattern(f"([{DIGITS_CHINESE}十百千万]+)")
_WRITTEN = calendar("en").numbers
_VALUES = {word: number for number, word in enumerate(_WRITTEN)} | {
    "once": 1, "twice": 2, "noon": 12, "midnight": 0, "half": 30, "thirty": 30,
    "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "hundred": 100, "thousand": 1000, "dozen": 12, "single": 1, "double": 2, "both": 2,
}  # fmt: skip
# "One", "once" and "both" are said where nothing is counted.
COUNTING = pattern(
    rf"\b(?:{'|'.join(_WRITTEN[2:])}|(?:thir|for|fif|six|seven|eigh|nine)ty)\b"
)
_COUNTED = pattern(
    rf"(?P<count>{COUNTING.pattern}(?:-[a-z]+)?)[ -](?=(?P<unit>[a-z]+))",
    re.IGNORECASE,
)
_TEN_THOUSAND = 10_000
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": _TEN_THOUSAND}
_HALF_DAY = 12


def figures_of(text: str, pieces: Iterable[Piece]) -> frozenset[str]:
    """
    Return every figure of *text*, whose words are *pieces*, as digits.

    With its unit a number stands as ``30:minute`` as well, a time as ``time:9:30``.
    """
    bare = unicodedata.normalize("NFKC", text).lower()
    found = {match[0].replace(",", "") for match in _NUMBER.finditer(bare)}
    # The parts of a range, a version or a time are numbers of their own.
    found |= {part for figure in found for part in re.split(r"[.:/]", figure)}
    found |= {figure.lstrip("0") or "0" for figure in found}
    found |= {str(_VALUES[word]) for word in _words(bare) if word in _VALUES}
    found |= {str(_large(match[0])) for match in _HANZI_LARGE.finditer(bare)}
    for piece in pieces:
        if piece.kind == "value":
            found |= _parts(piece.key)
    return frozenset(found)


def is_said(key: str, figures: frozenset[str]) -> bool:
    """
    Say whether the value *key*, as ``number:30:minute``, is among *figures*.

    A time may be told without its half of the day, and a number without its unit.
    """
    sort, _, rest = key.partition(":")
    if sort == "count":
        return rest in figures
    if sort == "time":
        hour, _, minute = rest.partition(":")
        return any(
            f"time:{int(hour) % _HALF_DAY}:{int(minute)}" == each
            for each in figures
            if each.startswith("time:")
        ) or (
            int(minute) == 0 and bool({str(int(hour)), str(int(hour) % 12)} & figures)
        )
    number, _, unit = rest.rpartition(":")
    if number.removeprefix("-") not in figures:
        return False
    return not unit or f"{number}:{unit}" in figures or not _has_unit(number, figures)


def _has_unit(number: str, figures: frozenset[str]) -> bool:
    return any(each.startswith(f"{number}:") for each in figures)


def _parts(key: str) -> set[str]:
    sort, _, rest = key.partition(":")
    if sort == "count":
        return {rest}
    if sort == "time":
        hour, _, minute = rest.partition(":")
        return {f"time:{int(hour) % _HALF_DAY}:{int(minute)}", str(int(hour))}
    if sort == "number":
        number, _, unit = rest.rpartition(":")
        return {number, f"{number}:{unit}"} if unit else {number}
    return set()


def _words(bare: str) -> set[str]:
    return {part for word in _WORDS.findall(bare) for part in (word, *word.split("-"))}


def numbers_in_words(text: str) -> list[str]:
    """Return the English words of *text*, in lower case, that count: eleven, twenty-two."""
    counted = COUNTING.finditer(text)
    return [match[0] for match in counted]


def counted(word: str) -> str:
    """Return the number that the English *word* counts, in digits: twenty-two."""
    return str(sum(_VALUES.get(part, 0) for part in word.lower().split("-")))


def in_digits(text: str) -> str:
    """Return *text* with the English words that count a unit as digits: 15 minutes."""
    return _COUNTED.sub(_digits, text)


def _digits(match: re.Match[str]) -> str:
    if not unit_of(match["unit"].lower()):
        return match[0]
    counted = _words(match["count"].lower()) & _VALUES.keys()
    return f"{sum(_VALUES[each] for each in counted)} "


def number_of(written: str) -> str:
    """Return the number that digits or hanzi write, in digits."""
    return written.replace(",", "") if written[0].isdigit() else str(_large(written))


def _large(word: str) -> int:
    """Return the number that hanzi write: 三百二十, 一万二, 两千, 二零二六."""
    if not set(word) & _POWERS.keys():
        return int("".join(str(hanzi_number(each)) for each in word))
    total = section = digit = 0
    power = 1
    for each in word:
        if each not in _POWERS:
            digit = hanzi_number(each)
            # 一万二 is twelve thousand, where 一万零二 is not.
            power = 1 if each == "零" else power
            continue
        power = _POWERS[each]
        if power == _TEN_THOUSAND:
            total, section = (total + section + digit) * power, 0
        else:
            section += (digit or 1) * power
        digit = 0
    short = word[-1] not in _POWERS and word[-2:-1] in {"百", "千", "万"}
    return total + section + (digit * power // 10 if short else digit)
