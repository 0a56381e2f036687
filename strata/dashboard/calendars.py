"""A calendar of days, each with how much was noted, week by week."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.dashboard.journal_days import journal_days
from strata.notes.weekly import weekly_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from strata.dashboard.spans import Span
    from strata.memory import Memory

# So many layers of earth lie below the fullest day.
_LAYERS = 4


@dataclass(frozen=True, slots=True)
class Cell:
    """A *day* with *count* lines noted, on so many *layers*; *known* has a page to show."""

    day: date
    count: int
    layers: int
    known: bool


@dataclass(frozen=True, slots=True)
class Week:
    """The week from *monday*, its summary, if any, and its days; None are of no concern."""

    monday: date
    path: str
    days: Sequence[Cell | None]

    @property
    def number(self) -> int:
        """Its number in the year, in ISO 8601."""
        return self.monday.isocalendar().week


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days of *span*, by how many lines each has."""

    span: Span
    counts: Mapping[date, int]
    happened: frozenset[date]
    summaries: frozenset[str]

    @property
    def total(self) -> int:
        """How many lines were noted in all."""
        return sum(self.counts.values())

    def weeks(self, month: Span) -> Iterator[Week]:
        """Yield the weeks of *month*, of which days of other months are left out."""
        most = max(self.counts.values(), default=0)
        for week in month.weeks():
            path = weekly_path(week[0])
            cells = [self._cell(day, most) if day in month else None for day in week]
            yield Week(week[0], path if path in self.summaries else "", cells)

    def _cell(self, day: date, most: int) -> Cell:
        count = self.counts.get(day, 0)
        layers = -(-_LAYERS * count // most) if most else 0
        return Cell(day, count, layers, bool(count) or day in self.happened)


def calendar_of(
    memory: Memory, span: Span, kinds: Mapping[date, Mapping[str, int]]
) -> Calendar:
    """Return the calendar of *span*; *kinds* are the lines of each day, by kind."""
    return Calendar(
        span,
        {day: sum(each.values()) for day, each in kinds.items()},
        frozenset(journal_days(memory).stretches),
        frozenset(memory.workspace.layout.weekly_notes()),
    )
