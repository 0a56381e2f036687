"""Stretches of a month or a year that people name: its beginning, a season, a quarter."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from strata.language.dates.spans import distance, month, period

if TYPE_CHECKING:
    from strata.language.dates.spans import Span

_THIRD = 10
_PARTS_OF_YEAR = {"begin": (1, 3), "middle": (5, 8), "end": (11, 12)}
_DAYS = {"day": 1, "week": 7}


def part_of_month(span: Span, part: str) -> Span:
    """Return the first ten days, the next ten or the rest of the month *span*."""
    first = span[0]
    if part == "begin":
        return first, first.replace(day=_THIRD), "stretch"
    if part == "middle":
        return first.replace(day=_THIRD + 1), first.replace(day=2 * _THIRD), "stretch"
    return first.replace(day=2 * _THIRD + 1), span[1], "stretch"


def part_of_year(year: int, part: str) -> Span:
    """Return the months that people mean by the beginning, middle or end of *year*."""
    return months(year, *_PARTS_OF_YEAR[part])


def months(year: int, first: int, last: int) -> Span:
    """Return the months *first* to *last*, which may run over the end of *year*."""
    return month(year, first)[0], month(year, last)[1], "stretch"


def season(year: int, index: int) -> Span:
    """Return the spring (0), summer, autumn or winter that begins in *year*."""
    return months(year, 3 + 3 * index, 5 + 3 * index)


def quarter(year: int, number: int) -> Span:
    """Return the quarter *number*, from 1 on; it may run over the ends of *year*."""
    return months(year, 3 * number - 2, 3 * number)


def half(year: int, number: int) -> Span:
    """Return the first (1) or second half of *year*."""
    return months(year, 6 * number - 5, 6 * number)


def latest(begin: date, year: int, today: date) -> int:
    """Return *year*, or the one before where *begin* is still to come."""
    return year - 1 if begin > today else year


def up_to(today: date, count: int, unit: str) -> Span:
    """Return the last *count* days, weeks, months or years, today included."""
    if unit in _DAYS:
        return today - timedelta(days=count * _DAYS[unit]), today, "stretch"
    total = count * (12 if unit == "year" else 1)
    first, last, _ = month(today.year, today.month - total)
    return first.replace(day=min(today.day, last.day)), today, "stretch"


def between_ago(unit: str, least: int, most: int, today: date) -> Span:
    """Return all from the *most* days, weeks, months or years ago to the *least*."""
    first, last = distance(unit, -most, today), distance(unit, -least, today)
    return first[0], last[1], "stretch"


def side_year(side: int, today: date) -> int:
    """Return the year so many years from now."""
    return period("year", side, today)[0].year


def years_before(today: date, count: int) -> date:
    """Return the same day of an earlier year; of a 29 February the day before."""
    year = today.year - count
    last = month(year, today.month)[1]
    return date(year, today.month, min(today.day, last.day))
