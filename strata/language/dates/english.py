"""Dates as they are written in English."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import (
    COUNTS,
    MONTH_CAPITAL,
    MONTH_OR_SHORT,
    PART_ENGLISH,
    WEEKDAY_OR_SHORT,
    month_number,
    weekday_number,
)
from strata.language.dates.spans import (
    bare_weekday,
    coming,
    counted_weekday,
    day_of_week,
    days_away,
    days_of_month,
    distance,
    month_beside,
    named_month,
    numbered_days,
    numbered_weekday,
    on_weekday,
    period,
    rule,
    single,
)

if TYPE_CHECKING:
    from strata.language.dates.spans import Preference, Span

_SIDES = {"next": 1, "last": -1, "past": -1, "previous": -1, "this": 0, "the": 0}
_ORDINALS = ("first", "second", "third", "fourth")
_COUNTS = {"a": 1, "an": 1} | COUNTS


def _day(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    year, name, day = match.group("year", "month", "day")
    last = match.groupdict().get("last")
    days = (int(day), int(last) if last else None)
    span = numbered_days(year, month_number(name), days, today, prefer)
    if match["weekday"] is None:
        return span
    return on_weekday(span, weekday_number(match["weekday"]), None if year else today)


def _iso_day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del today, prefer
    return single(date(*(int(part) for part in match.groups())))


def _month(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    side, name, year = match.group("side", "month", "year")
    number, side = month_number(name), side.lower()
    if name[:3].lower() in ("may", "mar") and side == "this":
        return None
    if year is None and side in ("next", "last", "this"):
        return month_beside(number, _SIDES[side], today)
    span = named_month(year, number, today, prefer)
    return single(span[1]) if "end" in side else span


def _weekday(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    side, name, later = match.group("side", "weekday", "later")
    index = weekday_number(name)
    if later:
        return single(coming(index, today) + timedelta(days=7))
    if side is None:
        return bare_weekday(index, today, prefer)
    if side.lower() in ("coming", "following"):
        return single(coming(index, today))
    if side.lower() in ("last", "past", "previous"):
        return single(coming(index, today) - timedelta(days=7))
    return day_of_week(index, today, _SIDES[side.lower()])


def _numbered_weekday(
    match: re.Match[str], today: date, prefer: Preference
) -> Span | None:
    index = weekday_number(match["weekday"])
    return numbered_weekday(int(match["day"]), index, today, prefer)


def _counted_weekday(match: re.Match[str], today: date, prefer: Preference) -> Span:
    month = month_number(match["month"])
    span = named_month(match["year"], month, today, prefer)
    count = _ORDINALS.index(match["count"].lower()) + 1
    return counted_weekday(count, weekday_number(match["weekday"]), span)


def _days_of_month(
    match: re.Match[str], today: date, prefer: Preference
) -> Span | None:
    return days_of_month(int(match["day"]), int(match["last"]), today, prefer)


def _day_of_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    first = _period(match, today, prefer)[0]
    return single(first.replace(day=int(match["day"])))


def _period(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return period(match["unit"].lower(), _SIDES[match["side"].lower()], today)


def _period_end(match: re.Match[str], today: date, prefer: Preference) -> Span:
    return single(_period(match, today, prefer)[1])


def _ahead(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    """Leave out "five songs in four days": there the words tell how long it takes."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    return None if _AMOUNT.search(before) else _distance(match, today, prefer)


def number_of(word: str) -> int:
    """Return the number that *word* writes, in figures or not."""
    return int(word) if word.isdigit() else _COUNTS[word.lower()]


def _distance(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    count = number_of(match["count"])
    back = match.groupdict().get("ago") is not None
    return distance(match["unit"].lower().rstrip("s"), -count if back else count, today)


# After "in" or "by" even a small-letter march or may is a month.
_AFTER_PREPOSITION = MONTH_OR_SHORT
MANY = "|".join(COUNTS)
_COUNT = rf"(?P<count>\d{{1,3}}|an?|{MANY})"
_COUNTED = rf"(?:\d{{1,3}}|an?|one|{MANY})"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_ORDINAL = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>20\d\d))?"
_SIDE = r"(?P<side>next|last|this|coming|following|past|previous)\s+"
_DAY_FIRST = rf"(?:(?P<weekday>{WEEKDAY_OR_SHORT}),?\s+)?"
_PART = rf"(?:\s+(?:early\s+|late\s+)?{PART_ENGLISH}\b)?"
_ANY = (
    r"(?:every|each|any|most|some|an?|first|second|third|fourth)"
    r"(?:\s+(?:other|second|single))?"
)
_BEFORE_MONTH = (
    r"(?P<side>(?:the\s+)?end\s+of|in|by|until|till|since|during|from|for|last|next"
    r"|this"
    r"|early|late|mid)"
)
_AMOUNT = re.compile(
    rf"\b(?:\d+|once|twice|times|{MANY}|\w{{3,}}ed)\s+(?:\w+\s+){{0,2}}$",
    re.IGNORECASE,
)

RULES = (
    rule(r"(?<![\d-])(20\d\d)-(\d\d)-(\d\d)(?![\d-])", _iso_day, written=True),
    rule(r"(?<![\d/])(20\d\d)/(\d\d?)/(\d\d?)(?![\d/])", _iso_day, written=True),
    rule(
        rf"\b{_DAY_FIRST}(?P<month>{MONTH_CAPITAL})\.?\s+(?:the\s+)?(?P<day>\d\d?){_ORDINAL}"
        rf"(?![\d:%])(?:\s?[-–]\s?(?P<last>\d\d?){_ORDINAL}\b)?{_YEAR}{_PART}",
        _day,
        written=True,
    ),
    rule(
        rf"(?<![\d.,:])\b{_DAY_FIRST}(?:the\s+)?(?P<day>\d\d?){_ORDINAL}\s+(?:of\s+)?"
        rf"(?P<month>{MONTH_CAPITAL})\b{_YEAR}{_PART}",
        _day,
        written=True,
    ),
    # "may 8th" and "the 29th of may" can be nothing else, however they are written.
    rule(
        rf"\b{_DAY_FIRST}(?P<month>{MONTH_OR_SHORT})\s+(?:the\s+)?(?P<day>\d\d?)"
        rf"(?:st|nd|rd|th)\b{_YEAR}{_PART}",
        _day,
        written=True,
    ),
    rule(
        rf"(?<![\d.,:])\b{_DAY_FIRST}(?:the\s+)?(?P<day>\d\d?)"
        rf"(?:(?:st|nd|rd|th)\s+(?:of\s+)?|\s+of\s+)"
        rf"(?P<month>{MONTH_OR_SHORT})\b{_YEAR}{_PART}",
        _day,
        written=True,
    ),
    rule(
        rf"\b(?P<count>{'|'.join(_ORDINALS)})\s+(?P<weekday>{WEEKDAY_OR_SHORT})\s+(?:in"
        rf"|of)\s+"
        rf"(?P<month>{_AFTER_PREPOSITION})\b{_YEAR}",
        _counted_weekday,
        written=True,
    ),
    rule(
        rf"\b(?P<weekday>{WEEKDAY_OR_SHORT}),?\s+(?:the\s+)?(?P<day>\d\d?)(?:st|nd|rd|th)\b"
        rf"(?!\s+(?:of\s+)?(?:{MONTH_CAPITAL})\b)",
        _numbered_weekday,
        written=True,
    ),
    # "From the 5th to the 9th floor": at the end of a clause it is no floor.
    rule(
        r"\bthe\s+(?P<day>\d\d?)(?:st|nd|rd|th)\s*(?:to|till|until|through|[-–])\s*"
        r"(?:the\s+)?(?P<last>\d\d?)(?:st|nd|rd|th)(?=\s*(?:[.,;:!?)]|$))",
        _days_of_month,
        written=True,
    ),
    rule(
        r"\bthe\s+(?P<day>\d\d?)(?:st|nd|rd|th)\s+of\s+(?P<side>next|last|this)\s+"
        r"(?P<unit>month)\b",
        _day_of_month,
    ),
    rule(
        rf"\b{_BEFORE_MONTH}[\s-]+(?P<month>{_AFTER_PREPOSITION})\b(?!\s+\d\d?(?!\d)|'){_YEAR}",
        _month,
        written=True,
    ),
    # "A week on Monday", "two weeks from tomorrow": the nearer day would be a wrong one.
    rule(
        rf"\b{_COUNT}\s+(?:{_UNIT}|fortnights?)\s+(?:on|from|after|before|until|till)\s+"
        rf"(?:{_SIDE})?(?:today|tomorrow|yesterday|{WEEKDAY_OR_SHORT}|weekend|week|month)\b",
        lambda *_: None,
    ),
    # "Two or three days ago" and "more than three days ago" are no one day.
    rule(
        rf"\b(?:{_COUNTED}\s*(?:or|to|[-–])\s*|(?:more|less|longer)\s+than\s+|at\s+least\s+)"
        rf"{_COUNTED}\s+{_UNIT}\s+(?:ago|from\s+now)\b",
        lambda *_: None,
    ),
    rule(r"\b(?:the\s+)?day\s+after\s+tomorrow\b" + _PART, days_away(2)),
    rule(r"\b(?:the\s+)?day\s+before\s+yesterday\b" + _PART, days_away(-2)),
    rule(r"\b(?:today|tonight)\b" + _PART, days_away(0)),
    rule(r"\bthis\s+(?:morning|afternoon|evening)\b", days_away(0)),
    rule(r"\btomorrow\b" + _PART, days_away(1)),
    rule(
        rf"\b(?:yesterday\b{_PART}|last\s+night\b(?!\s+(?:tonight|today|tomorrow)))",
        days_away(-1),
    ),
    # What comes back, or is one of many, is no date.
    rule(rf"\b{_ANY}\s+(?:{WEEKDAY_OR_SHORT})\b{_PART}", lambda *_: None),
    rule(rf"\blast\s+(?:{WEEKDAY_OR_SHORT})\s+(?:of|in)\b", lambda *_: None),
    rule(rf"\b(?:{WEEKDAY_OR_SHORT})\s+{PART_ENGLISH}s\b", lambda *_: None),
    rule(
        r"\bMon(?:day)?\s?(?:to|through|till|[-–])\s?(?:Fri|Sat|Sun)(?:ur)?(?:day)?\b",
        lambda *_: None,
    ),
    rule(
        rf"(?:\b{_SIDE})?\b(?P<weekday>{WEEKDAY_OR_SHORT})\b{_PART}(?P<later>\s+week\b)?",
        _weekday,
    ),
    rule(
        r"\b(?:the\s+)?end\s+of\s+(?P<side>the|this|next|last)\s+(?P<unit>month"
        r"|year)\b",
        _period_end,
    ),
    rule(
        r"\b(?P<side>next|last|this)\s+(?P<unit>weekend|week|month|year)\b(?!\s+of\b)",
        _period,
    ),
    rule(rf"\b{_COUNT}\s+{_UNIT}\s+(?P<ago>ago)\b", _distance),
    rule(rf"\bin\s+(?!a\s+day){_COUNT}\s+{_UNIT}\b(?!')", _ahead),
    rule(rf"\b{_COUNT}\s+{_UNIT}\s+from\s+now\b", _distance),
)
