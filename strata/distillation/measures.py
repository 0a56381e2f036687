"""Numbers with what they count: 500 rows and 41 seconds are no 41 rows."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.distillation.figures import number_of
from strata.distillation.values import unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_COUNT = re.compile(
    r"(?P<number>(?<![\w.])\d+(?:[.,]\d+)*(?![.,:]?\d)"
    r"|(?<![周期第星])[一二两三四五六七八九十百千万]+)"
    r"\s?(?P<unit>%|°?[a-zA-Z]+|[\u4e00-\u9fff])?"
)
# A day of the month is a date, and dates are looked at as such.
_DATES = frozenset("年月日号点时周期")
_MEASURES = frozenset(
    "个只台张条块元斤度天次家本页份位人名间套双行句字升粒片瓶盒件套秒分倍折层路节"
)
# An order of numbers says something where they count the same.
_CLAUSE = re.compile(r"[,;。!?\uff0c\uff1b\uff01\uff1f]|\.(?=\s|$)")


def miscounted(text: str, quotes: Sequence[str]) -> str | None:
    """Return the number in *text* that counts what another one counts in *quotes*."""
    told = list(_measured(text))
    cited = {each for quote in quotes for each in _measured(quote)}
    numbers = {number for number, _ in cited}
    for number, unit in told:
        if not unit or (number, unit) in cited:
            continue
        rivals = [other for other, of in cited if of == unit and other != number]
        if rivals:
            return f"{number} {unit} is not in the words"
        others = {of for same, of in cited if same == number and of}
        if number in numbers and others and unit.isascii() and _are_ascii(others):
            return f"{number} {unit} is not in the words"
    return _turned_round(text, quotes)


def _turned_round(text: str, quotes: Iterable[str]) -> str | None:
    """Say whether two numbers that count the same have changed places."""
    sentences = [[*_measured(quote)] for quote in quotes]
    for clause in _CLAUSE.split(text):
        counted = [*_measured(clause)]
        for one, two in pairwise(counted):
            if one == two or one[1] != two[1] or not one[1]:
                continue
            homes = [each for each in sentences if one in each and two in each]
            if homes and all(each.index(one) > each.index(two) for each in homes):
                return f"{one[0]} and {two[0]} have changed places"
    return None


def _measured(text: str) -> Iterator[tuple[str, str]]:
    """Give each number with its unit, both in one spelling; the unit may be empty."""
    for match in _COUNT.finditer(unicodedata.normalize("NFKC", text)):
        unit = match["unit"] or ""
        if unit in _DATES:
            continue
        written = not match["number"][0].isdigit()
        if written and unit not in _MEASURES:
            continue
        yield number_of(match["number"]), unit_of(unit.lower()) or unit.lower()


def _are_ascii(units: Iterable[str]) -> bool:
    return all(unit.isascii() for unit in units)
