"""A month or a year of days, and the columns into which its figures are put."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from strata.errors import UsageError
from strata.notes.headings import as_day, monday_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY = timedelta(days=1)
# Before and after every day there is another one.
_YEARS = range(2, 9999)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from *first* to *last*: a whole year, or a month of it."""

    first: date
    last: date

    @property
    def is_year(self) -> bool:
        """Whether it is more than a month."""
        return self.first.month != self.last.month

    @property
    def name(self) -> str:
        """How an address names it: ``2026-11``, or ``2026``."""
        return self.first.isoformat()[: 4 if self.is_year else 7]

    @property
    def earlier(self) -> Span:
        """The one before."""
        return self._with(self.first - _DAY)

    @property
    def later(self) -> Span:
        """The one after."""
        return self._with(self.last + _DAY)

    @property
    def months(self) -> list[Span]:
        """Its months, which may be itself alone."""
        if not self.is_year:
            return [self]
        return [month_of(self.first.replace(month=each)) for each in range(1, 13)]

    def weeks(self) -> Iterator[list[date]]:
        """Yield the weeks that it touches, all with seven days."""
        monday = monday_of(self.first)
        while monday <= self.last:
            yield [monday + number * _DAY for number in range(7)]
            monday += 7 * _DAY

    def columns(self) -> list[list[date]]:
        """Return its days one by one, or those of a year by weeks."""
        if not self.is_year:
            return [[day] for week in self.weeks() for day in week if day in self]
        return [[day for day in week if day in self] for week in self.weeks()]

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last

    def _with(self, day: date) -> Span:
        return year_of(day) if self.is_year else month_of(day)


def month_of(day: date) -> Span:
    """Return the month of *day*."""
    first = day.replace(day=1)
    return Span(first, (first + 31 * _DAY).replace(day=1) - _DAY)


def year_of(day: date) -> Span:
    """Return the year of *day*."""
    return Span(day.replace(month=1, day=1), day.replace(month=12, day=31))


def told_span(month: str, year: str, today: date) -> Span:
    """Return the *month* (``2026-11``), else the *year*, else the month of *today*."""
    if month:
        return month_of(_told(month, "dashboard-time.no-month", rest="-01"))
    if year:
        return year_of(_told(year, "dashboard-time.no-year", rest="-01-01"))
    return month_of(today)


def told_day(text: str) -> date:
    """Return the day that *text* is; raise `UsageError` where it is none."""
    return _told(text, "dashboard-time.no-day")


def _told(text: str, objection: str, rest: str = "") -> date:
    """Return the day *text* with its *rest*; raise the *objection* where it is none."""
    day = as_day(text + rest)
    if day is None or day.year not in _YEARS or day.isoformat() != text + rest:
        raise UsageError.of(objection, text=text[:40])
    return day
