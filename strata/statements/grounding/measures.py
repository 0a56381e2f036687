"""Numbers with what they count, and on which side of them: 41 s, no 41 rows; under 70."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.figures import in_digits, number_of
from strata.language.statement import read
from strata.language.values import unit_of
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.language.statement import Statement

_ORDINAL = pattern(r"第([一二三四五六七八九十百\d]+)")
# A day of the month is a date, and dates are looked at as such.
_DATES = frozenset("年月日号点时周期")
_MEASURES = frozenset(
    "个只台张条块元斤度天次家本页份位人名间套双行句字升粒片瓶盒件秒分倍折层路节平寸米吨"
    "亩克种样篇章首场顿座扇口头匹株棵朵颗桶箱袋包罐杯碗盘根支枝把辆艘架部户组批轮届款档"
)
_PHYSICAL = (
    "像素|厘米|毫米|公里|英里|公斤|小时|分钟|星期|个月|美元|欧元|英镑"
    "|米|克|吨|斤|秒|天|周"
)
_COUNT = pattern(
    r"(?P<number>(?<![A-Za-z0-9.])(?<![A-Za-z]-)\d+(?:[.,]\d+)*(?![.,:]?\d)"
    r"|(?<![周期第星])[一二两三四五六七八九十百千万]+)"
    rf"\s?(?P<unit>%|°?[a-zA-Z]+|{_PHYSICAL}|[\u4e00-\u9fff])?"
)
_REAL = pattern(rf"{_PHYSICAL}|%|[a-zA-Z]{{1,7}}")
# "14 of us" are no other unit than 14 people.
_OF = pattern(r"of|to|and|or|in|at|by|per|is|are|was|for|from|on|am|pm|not|we|up|a")

_COMPARED = cue("limits.compared")
# "Never over" is at most.
_TURNED = cue("limits.turned")
_LOOK = 24


def miscounted(told: Statement, cited: Statement) -> str | None:
    """Return the number in *told* that counts what another one counts in *cited*."""
    known = set(_measured(cited.text))
    for found in _ORDINAL.finditer(told.text):
        if found[1] not in cited.text:
            return f"{found[0]} is not in the words"
    for number, unit in _measured(told.text):
        if not unit or (number, unit) in known:
            continue
        others = {of for same, of in known if same == number and read(of).telling}
        counted = any(of == unit for _, of in known)
        # "No, 25" of a speed leaves out what it counts.
        if number not in cited.figures or (
            others and (counted or _is_other_unit(unit, others))
        ):
            return f"{number} {unit} is not in the words"
    return None


def _measured(text: str) -> Iterator[tuple[str, str]]:
    """Give each number with its unit, both in one spelling; the unit may be empty."""
    bare = in_digits(unicodedata.normalize("NFKC", text))
    for match in _COUNT.finditer(bare):
        unit = match["unit"] or ""
        written = not match["number"][0].isdigit()
        counts = unit in _MEASURES or _REAL.fullmatch(unit)
        if unit in _DATES or (written and not counts):
            continue
        yield number_of(match["number"]), unit_of(unit.lower()) or unit.lower()


def _is_other_unit(unit: str, others: Iterable[str]) -> bool:
    """Say whether *unit* and all *others* measure, so that one is no word for another."""
    known = [unit_of(each) or _REAL.fullmatch(each) for each in (unit, *others)]
    return all(known) and not any(_OF.fullmatch(each) for each in (unit, *others))


def other_limit(told: Statement, cited: Statement) -> str | None:
    """Return the number that *told* makes the most where *cited* makes it the least."""
    known: dict[str, set[bool]] = {}
    for number, is_most, _ in _limits(cited.text):
        known.setdefault(number, set()).add(is_most)
    for number, is_most, words in _limits(told.text):
        if number in known and is_most not in known[number]:
            return f"{words!r} turns the words round"
    return None


def _limits(text: str) -> Iterator[tuple[str, bool, str]]:
    """Give each number that is a limit, whether it is the most, and the words."""
    bare = unicodedata.normalize("NFKC", text)
    for found in _COMPARED.finditer(bare):
        before = bare[max(0, found.start() - _LOOK) : found.start()]
        is_most = bool(found["most"] or found["within"])
        turned = _TURNED.search(before) is not None
        yield found["before"] or found["after"], is_most is not turned, found[0]
