"""Dates as they are written in English."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from strata.language.dates.spans import (
    bare_weekday,
    coming,
    counted_weekday,
    day_of_week,
    days_away,
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

_MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SIDES = {"next": 1, "last": -1, "past": -1, "previous": -1, "this": 0, "the": 0}
_ORDINALS = ("first", "second", "third", "fourth")
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip


def _day(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    year, name, day = match.group("year", "month", "day")
    last = match.groupdict().get("last")
    days = (int(day), int(last) if last else None)
    span = numbered_days(year, month_number(name), days, today, prefer)
    if match["weekday"] is None:
        return span
    return on_weekday(span, _day_number(match["weekday"]), None if year else today)


def month_number(name: str) -> int:
    """Return the number of the month *name*, of which three letters are enough."""
    return _MONTHS.index(name[:3].lower()) + 1


def _day_number(name: str) -> int:
    return _DAYS.index(name[:3].lower())


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
    index = _day_number(name)
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
    index = _day_number(match["weekday"])
    return numbered_weekday(int(match["day"]), index, today, prefer)


def _counted_weekday(match: re.Match[str], today: date, prefer: Preference) -> Span:
    month = month_number(match["month"])
    span = named_month(match["year"], month, today, prefer)
    count = _ORDINALS.index(match["count"].lower()) + 1
    return counted_weekday(count, _day_number(match["weekday"]), span)


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
    return int(word) if word.isdigit() else COUNTS[word.lower()]


def _distance(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    count = number_of(match["count"])
    back = match.groupdict().get("ago") is not None
    return distance(match["unit"].lower().rstrip("s"), -count if back else count, today)


NAME_OF_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|(?-i:March|Mar)|apr(?:il)?|(?-i:May)|june?|july?|"
    "aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# After "in" or "by" even a small-letter march or may is a month.
_AFTER_PREPOSITION = f"{NAME_OF_MONTH}|march|may"
# "sat" and "sun" are words of their own, so short names need their capital.
_NAME_OF_DAY = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    "(?-i:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)"
)
MANY = "|".join(list(COUNTS)[2:])
_COUNT = rf"(?P<count>\d{{1,3}}|an?|{MANY})"
_COUNTS = rf"(?:\d{{1,3}}|an?|one|{MANY})"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_ORDINAL = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>20\d\d))?"
_SIDE = r"(?P<side>next|last|this|coming|following|past|previous)\s+"
_DAY_FIRST = rf"(?:(?P<weekday>{_NAME_OF_DAY}),?\s+)?"
_PARTS = r"(?:morning|afternoon|evening|night|noon|lunchtime)"
_PART = rf"(?:\s+(?:early\s+|late\s+)?{_PARTS}\b)?"
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
        rf"\b{_DAY_FIRST}(?P<month>{NAME_OF_MONTH})\.?\s+(?:the\s+)?(?P<day>\d\d?){_ORDINAL}"
        rf"(?![\d:%])(?:\s?[-–]\s?(?P<last>\d\d?){_ORDINAL}\b)?{_YEAR}{_PART}",
        _day,
        written=True,
    ),
    rule(
        rf"(?<![\d.,:])\b{_DAY_FIRST}(?:the\s+)?(?P<day>\d\d?){_ORDINAL}\s+(?:of\s+)?"
        rf"(?P<month>{NAME_OF_MONTH})\b{_YEAR}{_PART}",
        _day,
        written=True,
    ),
    rule(
        rf"\b(?P<count>{'|'.join(_ORDINALS)})\s+(?P<weekday>{_NAME_OF_DAY})\s+(?:in"
        rf"|of)\s+"
        rf"(?P<month>{_AFTER_PREPOSITION})\b{_YEAR}",
        _counted_weekday,
        written=True,
    ),
    rule(
        rf"\b(?P<weekday>{_NAME_OF_DAY}),?\s+(?:the\s+)?(?P<day>\d\d?)(?:st|nd|rd|th)\b"
        rf"(?!\s+(?:of\s+)?(?:{NAME_OF_MONTH})\b)",
        _numbered_weekday,
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
        rf"(?:{_SIDE})?(?:today|tomorrow|yesterday|{_NAME_OF_DAY}|weekend|week|month)\b",
        lambda *_: None,
    ),
    # "Two or three days ago" and "more than three days ago" are no one day.
    rule(
        rf"\b(?:{_COUNTS}\s*(?:or|to|[-–])\s*|(?:more|less|longer)\s+than\s+|at\s+least\s+)"
        rf"{_COUNTS}\s+{_UNIT}\s+(?:ago|from\s+now)\b",
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
    rule(rf"\b{_ANY}\s+(?:{_NAME_OF_DAY})\b{_PART}", lambda *_: None),
    rule(rf"\blast\s+(?:{_NAME_OF_DAY})\s+(?:of|in)\b", lambda *_: None),
    rule(rf"\b(?:{_NAME_OF_DAY})\s+{_PARTS}s\b", lambda *_: None),
    rule(
        r"\bMon(?:day)?\s?(?:to|through|till|[-–])\s?(?:Fri|Sat|Sun)(?:ur)?(?:day)?\b",
        lambda *_: None,
    ),
    rule(
        rf"(?:\b{_SIDE})?\b(?P<weekday>{_NAME_OF_DAY})\b{_PART}(?P<later>\s+week\b)?",
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
