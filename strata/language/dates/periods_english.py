"""Longer or vaguer times that English questions name, and notes hardly ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.calendar import MONTH_CAPITAL, MONTH_OR_SHORT, month_number
from strata.language.dates.english import MANY, number_of
from strata.language.dates.spans import (
    named_month,
    period,
    rule,
    single,
    week,
    whole_year,
)
from strata.language.dates.stretches import (
    between_ago,
    half,
    latest,
    part_of_month,
    part_of_year,
    quarter,
    season,
    side_year,
    up_to,
    years_before,
)

if TYPE_CHECKING:
    import re
    from datetime import date

    from strata.language.dates.spans import Preference, Span

_SIDES = {"last": -1, "past": -1, "previous": -1, "this": 0, "the": 0, "next": 1}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_PARTS = {
    "early": "begin", "beginning": "begin", "start": "begin", "mid": "middle",
    "middle": "middle", "late": "end", "end": "end",
}  # fmt: skip
_SEASONS = ("spring", "summer", "autumn", "winter")
_SHORT = {"d": "day", "w": "week", "m": "month", "y": "year"}
_FEW_DAYS, _FEW = 7, 3
_SEVERAL = {"few": _FEW, "several": _FEW, "couple of": 2}


def _part(match: re.Match[str]) -> str:
    return _PARTS[match["part"].lower().split()[0]]


def _part_of_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    number = month_number(match["month"])
    return part_of_month(
        named_month(match["year"], number, today, prefer), _part(match)
    )


def _month_and_year(match: re.Match[str], today: date, prefer: Preference) -> Span:
    return named_month(match["year"], month_number(match["month"]), today, prefer)


def _part_of_side_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    span = period("month", _SIDES[match["side"].lower()], today)
    return part_of_month(span, _part(match))


def _start_of_week(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return single(period("week", _SIDES[match["side"].lower()], today)[0])


def _before_last(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return period(match["unit"].lower(), -2, today)


def _months(match: re.Match[str], today: date, prefer: Preference) -> Span:
    """Return the months from one to another, of which either may tell the year."""
    first, last = month_number(match["first"]), month_number(match["last"])
    over = first > last
    year, until = match["year"], match["until"]
    if year and not until:
        until = str(int(year) + over)
    end = named_month(until, last, today, prefer)
    begin = named_month(year or str(end[0].year - over), first, today, prefer)
    return begin[0], end[1], "stretch"


def _part_of_year(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return part_of_year(_year(match, today), _part(match))


def _year(match: re.Match[str], today: date) -> int:
    if match["year"]:
        return int(match["year"])
    return side_year(_SIDES[(match["side"] or "this").lower()], today)


def _season(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    name = match["season"].lower().replace("fall", "autumn")
    index = _SEASONS.index(name)
    if match["year"]:
        return season(int(match["year"]), index)
    year = latest(season(today.year, index)[0], today.year, today)
    # Asked in autumn, last summer is the one that has just gone by.
    over = season(year, index)[1] < today
    step = _SIDES[(match["side"] or "this").lower()] + (
        match["side"] == "last" and over
    )
    return season(year + step, index)


def _quarter(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    number = int(match["number"] or 0) or _ORDINALS[match["ordinal"].lower()]
    if match["year"]:
        return quarter(int(match["year"]), number)
    return quarter(latest(quarter(today.year, number)[0], today.year, today), number)


def _side_quarter(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    step = _SIDES[match["side"].lower()]
    return quarter(today.year, (today.month + 2) // 3 + step)


def _half(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    number = _ORDINALS[match["ordinal"].lower()]
    return half(_year(match, today), number)


def _whole_year(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del today, prefer
    return whole_year(int(match["year"]))


def _so_many(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    unit = match["unit"].lower().rstrip("s")
    word = (match["count"] or "1").lower()
    if word in _SEVERAL:
        few = _FEW_DAYS if unit == "day" else _SEVERAL[word]
        return up_to(today, few, unit)
    return up_to(today, number_of(word), unit)


def _between(match: re.Match[str], today: date, prefer: Preference) -> Span:
    """Return all that "two or three days ago" may mean."""
    del prefer
    unit = match["unit"].lower().rstrip("s")
    return between_ago(unit, number_of(match["least"]), number_of(match["most"]), today)


def _this_day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    word = match.groupdict().get("count") or "1"
    return single(years_before(today, number_of(word)))


def _duration(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return up_to(today, int(match["count"]), _SHORT[match["unit"].lower()])


def _week_of(match: re.Match[str], today: date, prefer: Preference) -> Span:
    year, day = match["year"], int(match["day"])
    first = named_month(year, month_number(match["month"]), today, prefer)[0]
    return week(first.replace(day=day))


def _iso_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    return named_month(match["year"], int(match["number"]), today, prefer)


def _iso_week(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return week(today.fromisoformat(match["date"]))


_YEAR = r"(?P<year>20\d\d)"
_PART = (
    r"(?:the\s+)?(?P<part>early|late|mid(?!dle)"
    r"|(?:beginning|start|middle|end)\s+of)[\s-]+"
)
_COUNT = rf"(?P<count>\d{{1,3}}|an?|one|{MANY}|few|several|couple\s+of)"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_SIDE = r"(?P<side>last|past|previous|this|next)"
_FIRST = rf"(?P<first>{MONTH_OR_SHORT})\.?(?:,?\s+{_YEAR})?"
_LAST = (
    rf"(?P<last>{MONTH_OR_SHORT})\b\.?(?!\s+\d\d?\b)"
    r"(?:,?\s+(?P<until>20\d\d)\b)?"
)
_NUMBER = rf"\d{{1,3}}|one|{MANY}"

RULES = (
    rule(r"\bsince\s+(?P<count>\d{1,4})\s?(?P<unit>[dwmy])\b", _duration),
    rule(
        r"\b(?:on\s+)?this\s+day\s+last\s+year\b"
        rf"|\b{_COUNT}\s+years?\s+ago\s+today\b",
        _this_day,
    ),
    rule(r"\b(?:the\s+)?week\s+(?:of|from)\s+(?P<date>20\d\d-\d\d-\d\d)\b", _iso_week),
    rule(
        rf"\b(?:the\s+)?week\s+(?:of|from)\s+(?P<month>{MONTH_CAPITAL})\.?\s+"
        rf"(?P<day>\d\d?)(?:st|nd|rd|th)?\b(?:,?\s+{_YEAR})?",
        _week_of,
        written=True,
    ),
    rule(
        rf"\b{_PART}(?P<month>{MONTH_CAPITAL})\b(?!\s+\d\d?\b)(?:,?\s+{_YEAR})?",
        _part_of_month,
        written=True,
    ),
    rule(
        rf"\b(?:(?P<two>between)|from)\s+{_FIRST}"
        rf"\s*(?(two)and|(?:to|through|thru|till|until|[-–]))\s*{_LAST}",
        _months,
        written=True,
    ),
    rule(rf"\b{_PART}(?P<side>last|this|next|the)\s+month\b", _part_of_side_month),
    rule(
        r"\b(?:the\s+)?(?:beginning|start)\s+of\s+(?P<side>last|this|next|the)\s+week\b",
        _start_of_week,
    ),
    rule(r"\bthe\s+(?P<unit>week(?:end)?|month|year)\s+before\s+last\b", _before_last),
    rule(
        rf"\b(?P<least>{_NUMBER})\s*(?:or|to|[-–])\s*(?P<most>{_NUMBER})\s+{_UNIT}\s+ago\b",
        _between,
    ),
    rule(
        rf"(?<![-/\da-zA-Z]){_YEAR}-(?P<number>0[1-9]|1[0-2])(?![-/\d]|\.\d)",
        _iso_month,
        written=True,
    ),
    rule(
        rf"\b{_PART}(?:(?:the\s+year\s+)?{_YEAR}|(?P<side>last|this|next|the)\s+year)\b",
        _part_of_year,
    ),
    rule(
        rf"\b(?:in\s+)?(?P<month>{MONTH_CAPITAL}),?\s+{_YEAR}\b(?!-)",
        _month_and_year,
        written=True,
    ),
    rule(
        rf"\b(?:before|after)\s+(?P<month>{MONTH_OR_SHORT})\b(?!\s+\d)"
        r"(?P<year>)",
        _month_and_year,
        written=True,
    ),
    rule(
        r"\b(?:(?P<side>last|this|next)\s+|(?:in|during|since)\s+(?:the\s+)?)"
        rf"(?P<season>spring|summer|autumn|fall|winter)\b(?:\s+(?:of\s+)?{_YEAR})?",
        _season,
    ),
    rule(
        rf"\b(?:Q(?P<number>[1-4])|(?:the\s+)?(?P<ordinal>{'|'.join(_ORDINALS)})\s+quarter)"
        rf"\b(?:\s+(?:of\s+)?{_YEAR})?",
        _quarter,
    ),
    rule(rf"\b{_SIDE}\s+quarter\b", _side_quarter),
    rule(
        r"\b(?:the\s+)?(?P<ordinal>first|second)\s+half\s+of\s+"
        rf"(?:{_YEAR}|(?P<side>last|this|the|next)\s+year)\b",
        _half,
    ),
    rule(
        rf"\b(?:(?:over|in|during|within|for|from)\s+)?(?:the\s+|these\s+)?"
        rf"(?:last|past|previous)\s+{_COUNT}\s+{_UNIT}\b",
        _so_many,
    ),
    rule(
        r"\b(?:over|in|during|within)\s+the\s+(?:last|past)\s+(?P<count>)"
        r"(?P<unit>day|week|month|year)\b",
        _so_many,
    ),
    rule(
        r"\b(?:in|during|since|before|after|until|till|by|throughout|of|from)\s+"
        rf"(?:the\s+year\s+)?{_YEAR}\b(?![-/.:]\d)",
        _whole_year,
        written=True,
    ),
)
