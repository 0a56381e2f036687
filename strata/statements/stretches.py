"""Stretches of time counted from the day on which they are named: the next two weeks."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import (
    COUNTS,
    DIGITS_CHINESE,
    calendar,
    hanzi_number,
    one_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_SOME = COUNTS | {"a": 1, "an": 1, "couple of": 2, "few": 5, "several": 5, "几": 5}
_UNITS = {
    "day": "day", "week": "week", "month": "month", "year": "year",
    "fortnight": "fortnight", "天": "day", "日": "day", "个月": "month", "年": "year",
    **{which + week: "week" for week in calendar("zh").weeks for which in ("", "个")},
}  # fmt: skip
_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_COUNT = rf"(?P<count>\d{{1,3}}|{one_of(word for word in _SOME if word.isascii())})"
_UNIT = r"(?P<unit>day|week|month|year|fortnight)s?\b"
_HANZI = (
    rf"(?P<count>\d{{1,3}}|[{DIGITS_CHINESE[1:]}十几])\s?"
    r"(?P<unit>个?星期|个?礼拜|个月|天|日|周|年)"
)
_AWAY = (
    r"(?:away|out of (?:the )?office|off|abroad|travell?ing|on (?:\w+ )?(?:leave|holiday"
    r"|vacation|call|duty)|closed|unavailable|offline|staying (?:in|at) [\w ]{2,20}"
    r"|visiting(?: \w+)?|sick|in hospital|in quarantine)"
)
_COUNTED = (
    re.compile(
        rf"\b(?:(?:for|over|during|within|in)\s+)?(?:the\s+|these\s+)"
        rf"(?:next|coming|following)\s+(?:{_COUNT}\s+)?{_UNIT}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b{_AWAY}\s+for\s+(?:about\s+)?{_COUNT}\s+{_UNIT}", re.IGNORECASE),
    re.compile(
        rf"\b(?:valid|good|lasts?|holds?)\s+for\s+(?:another|(?:the\s+)?next)\s+"
        rf"{_COUNT}\s+{_UNIT}",
        re.IGNORECASE,
    ),
    re.compile(rf"\bfor\s+another\s+{_COUNT}\s+{_UNIT}", re.IGNORECASE),
    re.compile(rf"(?:接下来|接下去|未来|今后|往后|后面)的?这?{_HANZI}(?!前)"),
    re.compile(
        rf"(?<![年月每])(?<!(?:周|月|年)[就只])(?<!(?:星期|礼拜)[就只])这{_HANZI}(?!前)"
    ),
    re.compile(
        rf"(?:出差|休假|请假|放假|住院|隔离|停业|歇业|闭关|外出|不在)了?(?:大概|约)?{_HANZI}"
    ),
)
_REST = re.compile(
    r"\b(?:for|until|till|through|to)\s+the\s+(?:rest|end|remainder)\s+of\s+(?:the|this)\s+"
    r"(?P<unit>day|week|month|year)\b"
    r"|\b(?:for|just|only)\s+(?:this\s+)?(?P<only>today|tonight|week|month|year)\b(?:\s+only)?"
    r"|\bthis\s+(?P<alone>week|month|year)\s+only\b",
    re.IGNORECASE,
)


def stretch_ends(text: str, said: date) -> Iterator[date]:
    """Give the last day of each stretch that *text*, said on a day, counts from it."""
    for pattern in _COUNTED:
        for match in pattern.finditer(text):
            word = (match["count"] or "one").lower()
            count = _SOME.get(word) or hanzi_number(word)
            days = count * _DAYS[_UNITS[match["unit"].lower()]]
            yield said + timedelta(days=days)
    for match in _REST.finditer(text):
        unit = match["unit"] or match["only"] or match["alone"]
        yield _last_of(unit.lower(), said)


def _last_of(unit: str, said: date) -> date:
    if unit == "week":
        return said + timedelta(days=6 - said.weekday())
    if unit == "month":
        return said.replace(day=monthrange(said.year, said.month)[1])
    if unit == "year":
        return date(said.year, 12, 31)
    return said
