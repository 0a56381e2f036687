"""Stretches of days, and how to reckon with them."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

Grain = Literal["day", "week", "weekend", "month", "year", "stretch"]
Preference = Literal["past", "future"]
Span = tuple[date, date, Grain]

NEVER: Span = (date.min, date.min, "day")
_WEEK = timedelta(days=7)
_THIRD = 10


@dataclass(frozen=True, slots=True)
class DateSpan:
    """
    The words *start* to *end* of a text mean the days *first* to *last*, both included.

    *written* is true where the words are a calendar date and not relative to the day
    on which they were said.
    """

    start: int
    end: int
    first: date
    last: date
    grain: Grain
    written: bool = False

    def after(self, other: DateSpan) -> DateSpan:
        """Return the same weekday, a week later if it lay just before *other*."""
        early = other.first - _WEEK < self.first < other.first
        if self.written or self.grain != "day" or not early:
            return self
        return replace(self, first=self.first + _WEEK, last=self.last + _WEEK)


def single(day: date) -> Span:
    """Return one day."""
    return day, day, "day"


def week(day: date) -> Span:
    """Return the week around *day*, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6), "week"


def weekend(day: date) -> Span:
    """Return Saturday and Sunday of the week around *day*."""
    saturday = day - timedelta(days=day.weekday() - 5)
    return saturday, saturday + timedelta(days=1), "weekend"


def month(year: int, number: int) -> Span:
    """Return a month; *number* may run over the ends of the year."""
    years, index = divmod(year * 12 + number - 1, 12)
    first = date(years, index + 1, 1)
    return first, first.replace(day=monthrange(years, index + 1)[1]), "month"


def whole_year(year: int) -> Span:
    """Return a year."""
    return date(year, 1, 1), date(year, 12, 31), "year"


def nearest_year(number: int, day: int, today: date, prefer: Preference) -> int:
    """Return the year in which that day lies from 3 months behind to 9 ahead."""
    behind = 92 if prefer == "future" else 273
    for year in (today.year - 1, today.year, today.year + 1):
        days = min(day, monthrange(year, number)[1])
        if -behind <= (date(year, number, days) - today).days <= 365 - behind:
            return year
    return today.year


def named_month(year: int | None, number: int, today: date, prefer: Preference) -> Span:
    """Return a month that is named, in *year* or the nearest one."""
    which = year or nearest_year(number, 15, today, prefer)
    return month(which, number)


def month_beside(number: int, side: int, today: date) -> Span | None:
    """
    Return the month *number* that "next" (1), "last" (-1) or "this" (0) means.

    "Next October", said in May, may be this year's or the year after: that is not sure.
    """
    if side == 0:
        return month(today.year, number)
    if (number - today.month) * side > 0:
        return None
    return month(today.year + side, number)


def on_weekday(span: Span, index: int, today: date | None) -> Span | None:
    """
    Return *span* if it begins on that weekday, else None.

    With *today* its year is open: the one beside it is tried too, within a year from then.
    """
    for step in (0, 1, -1) if today else (0,):
        first, last = (day.replace(year=day.year + step) for day in span[:2])
        near = step == 0 or (today and abs(first - today) <= timedelta(days=366))
        if near and first.weekday() == index:
            return first, last, span[2]
    return None


def numbered_days(
    year: int | None,
    number: int,
    days: tuple[int, int | None],
    today: date,
    prefer: Preference,
) -> Span:
    """Return the day, or the days from one to another, of a month that is named."""
    first, last = days
    which = year or nearest_year(number, first, today, prefer)
    begin = date(which, number, first)
    return begin, max(begin, begin.replace(day=last or first)), "day"


def days_of_month(
    first: int, last: int, today: date, prefer: Preference
) -> Span | None:
    """
    Return the days from one number to another of the nearest month that is not over.

    Looking back it is the nearest that has begun. Past its end they run into the next one.
    """
    for step in (-1, 0, 1) if prefer == "future" else (0, -1):
        begin = month(today.year, today.month + step)[0]
        end = begin if first <= last else month(begin.year, begin.month + 1)[0]
        span = begin.replace(day=first), end.replace(day=last)
        if span[1] >= today if prefer == "future" else span[0] <= today:
            return *span, "day"
    return None


def numbered_weekday(
    number: int, index: int, today: date, prefer: Preference
) -> Span | None:
    """Return the nearest day *number* of a month that is a weekday *index*, if any is."""
    for step in (0, 1, -1) if prefer == "future" else (0, -1, 1):
        first, last, _ = month(today.year, today.month + step)
        if number <= last.day and first.replace(day=number).weekday() == index:
            return single(first.replace(day=number))
    return None


def coming(index: int, today: date) -> date:
    """Return the next weekday *index* (Monday is 0), today included."""
    return today + timedelta(days=(index - today.weekday()) % 7)


def bare_weekday(index: int, today: date, prefer: Preference) -> Span | None:
    """Return the nearest such weekday on the preferred side; today's is not sure."""
    if index == today.weekday():
        return None
    day = coming(index, today)
    return single(day if prefer == "future" else day - _WEEK)


def day_of_week(index: int, today: date, weeks: int) -> Span:
    """Return that weekday of the week so many *weeks* away."""
    return single(today - timedelta(days=today.weekday() - index) + weeks * _WEEK)


def period(unit: str, step: int, today: date) -> Span:
    """Return the ``week``, ``weekend``, ``month`` or ``year`` so many steps away."""
    if unit == "week":
        return week(today + step * _WEEK)
    if unit == "weekend":
        return weekend(today + step * _WEEK)
    if unit == "month":
        return month(today.year, today.month + step)
    return whole_year(today.year + step)


def distance(unit: str, steps: int, today: date) -> Span:
    """Return the day, or the week, month or year, so many steps away."""
    if unit == "day":
        return single(today + timedelta(days=steps))
    return period(unit, steps, today)


def months(year: int, first: int, last: int) -> Span:
    """Return the months *first* to *last*, which may run over the ends of *year*."""
    return month(year, first)[0], month(year, last)[1], "stretch"


def part_of_month(span: Span, part: str) -> Span:
    """Return the first ten days, the next ten or the rest of the month *span*."""
    first = span[0]
    if part == "begin":
        return first, first.replace(day=_THIRD), "stretch"
    if part == "middle":
        return first.replace(day=_THIRD + 1), first.replace(day=2 * _THIRD), "stretch"
    return first.replace(day=2 * _THIRD + 1), span[1], "stretch"


def up_to(today: date, count: int, unit: str) -> Span:
    """Return the last *count* days, weeks, months or years, today included."""
    if unit in {"day", "week"}:
        days = count * (7 if unit == "week" else 1)
        return today - timedelta(days=days), today, "stretch"
    total = count * (12 if unit == "year" else 1)
    first, last, _ = month(today.year, today.month - total)
    return first.replace(day=min(today.day, last.day)), today, "stretch"
