"""Longer or vaguer times that Chinese questions name, and notes hardly ever."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import (
    DAY_CHINESE,
    SIDE_CHINESE,
    WEEK_CHINESE,
    hanzi_number,
    weekday_number,
)
from strata.language.dates.chinese import NUMBER, SIDES, UNITS, year_of
from strata.language.dates.spans import (
    month,
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

_PARTS = {
    "初": "begin", "上旬": "begin", "中": "middle", "中旬": "middle", "底": "end",
    "末": "end", "下旬": "end",
}  # fmt: skip
_FEW = {"day": 7, "week": 3, "month": 3, "year": 3}


def _part_of_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    year, number = year_of(match["year"], today), hanzi_number(match["month"])
    return part_of_month(
        named_month(year, number, today, prefer), _PARTS[match["part"]]
    )


def _part_of_side_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    span = period("month", SIDES[match["side"]], today)
    return part_of_month(span, _PARTS[match["part"]])


def _year(match: re.Match[str], today: date) -> int:
    word = match["year"]
    return int(word) if word.isdigit() else side_year(SIDES[word], today)


def _part_of_year(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return part_of_year(_year(match, today), _PARTS[match["part"]])


def _season(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    index = "春夏秋冬".index(match["season"])
    if match["year"]:
        return season(_year(match, today), index)
    return season(latest(season(today.year, index)[0], today.year, today), index)


def _quarter(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    number = hanzi_number(match["number"])
    if match["year"]:
        return quarter(_year(match, today), number)
    return quarter(latest(quarter(today.year, number)[0], today.year, today), number)


def _side_quarter(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return quarter(today.year, (today.month + 2) // 3 + SIDES[match["side"]])


def _half(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    number = 1 if match["half"] == "上" else 2
    if match["year"]:
        return half(_year(match, today), number)
    return half(latest(half(today.year, number)[0], today.year, today), number)


def _whole_year(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del today, prefer
    return whole_year(int(match["year"]))


def _so_many(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    unit = UNITS[match["unit"]]
    few = match["count"] in ("几", "数", "一段")
    return up_to(today, _FEW[unit] if few else hanzi_number(match["count"]), unit)


def _days_before(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    count = 7 if match["count"] == "几" else hanzi_number(match["count"])
    return today - timedelta(days=count), today - timedelta(days=1), "stretch"


def _between(match: re.Match[str], today: date, prefer: Preference) -> Span:
    """Return all that 两三天前 may mean."""
    del prefer
    least, most = hanzi_number(match["least"]), hanzi_number(match["most"])
    return between_ago(UNITS[match["unit"]], least, most, today)


def _start_of_week(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return single(period("week", SIDES[match["side"]], today)[0])


def _half_ago(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    if match["unit"] == "年":
        return month(today.year, today.month - 6)
    return today - timedelta(days=18), today - timedelta(days=12), "stretch"


def _this_day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    word = match["count"]
    return single(
        years_before(today, hanzi_number(word) if word else -SIDES[match["side"]])
    )


def _weekdays(match: re.Match[str], today: date, prefer: Preference) -> Span:
    """Return the days from one weekday to another of the week that is meant."""
    del prefer
    first, last = (weekday_number(match[name]) for name in "ab")
    monday = week(today)[0] + timedelta(days=7 * SIDES[match["side"] or ""])
    if match["side"] is None and monday + timedelta(days=first) > today:
        monday -= timedelta(days=7)
    return monday + timedelta(days=first), monday + timedelta(days=last), "stretch"


_YEAR = r"(?P<year>20\d\d|今|明|去|前)\s*年\s*"
_SIDE = f"(?P<side>{SIDE_CHINESE})"
_COUNT = rf"(?P<count>{NUMBER}|几|数)"

RULES = (
    rule(
        rf"(?:(?P<count>{NUMBER})\s*年前|(?P<side>[去前])年)的?(?:今天|今日)", _this_day
    ),
    rule(
        r"(?:(?<=从)|(?<=自)|(?=[上这本]))(?P<side>上上|上|这|本)?个?"
        rf"{WEEK_CHINESE}(?P<a>[一二三四五六])\s*[到至-]\s*{WEEK_CHINESE}?(?P<b>{DAY_CHINESE})",
        _weekdays,
    ),
    rule(
        rf"(?:{_YEAR})?(?<![\d第])(?P<month>{NUMBER})\s*月"
        r"(?:份)?的?(?P<part>上旬|中旬|下旬|初|底|末|中(?![午间]))",
        _part_of_month,
        written=True,
    ),
    rule(rf"{_SIDE}个?月的?(?P<part>上旬|中旬|下旬|初|底|末)", _part_of_side_month),
    # 月底 alone is a day that may be still to come; this month began for sure.
    rule(
        r"(?<![\d一二三四五六七八九十个这本上下])(?P<side>)月(?P<part>初)",
        _part_of_side_month,
    ),
    rule(rf"{_SIDE}个?{WEEK_CHINESE}初", _start_of_week),
    rule(rf"{_YEAR}年?的?(?P<part>初|中(?!的)|底|末)", _part_of_year),
    rule(rf"(?:{_YEAR}的?)?(?P<season>[春夏秋冬])(?:天|季(?!节))", _season),
    rule(rf"(?:{_YEAR}的?)?(?:第?(?P<number>[一二三四1-4])季度)", _quarter),
    rule(rf"{_SIDE}一?个?季度", _side_quarter),
    rule(rf"(?:{_YEAR}的?)?(?P<half>[上下])半年", _half),
    rule(
        rf"(?:最近|过去|近|这)(?:的)?{_COUNT}\s*个?(?P<unit>天|日|{WEEK_CHINESE}|月|年)"
        r"(?:以来|来|里|内|之内|以内)?",
        _so_many,
    ),
    rule(r"(?<![提之以年月周天])前(?P<count>几|两|三)天", _days_before),
    rule(
        r"(?<![\d十百几])(?P<least>[一二两三四五六七八九])(?:[到至]|或者?)?"
        r"(?P<most>[二两三四五六七八九])"
        rf"\s*个?(?P<unit>天|{WEEK_CHINESE}|月|年)(?:之|以)?前",
        _between,
    ),
    rule(r"半个?(?P<unit>年|月)(?:之|以)?前", _half_ago),
    rule(r"(?P<year>20\d\d)\s*年(?!\s*[底末初中]|\s*\d)", _whole_year, written=True),
)
