"""How a model has put the entries of a day for its week, as the journal keeps it."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from strata.history.names import SUMMARISED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.history.records import Records

VERSION = 1
# What stands in place of an entry that nobody will look for.
LEFT_OUT = ""


@dataclass(slots=True)
class Summaries:
    """
    The line that stands in a week for each entry of a day, where a model worded it.

    *shown* are the entries of a day that a model has seen, whatever it made of them.
    """

    _lines: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    _sources: dict[tuple[str, str], list[tuple[date, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _shown: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def of(self, day: date) -> Mapping[str, str]:
        """Return the lines of *day* by the entries for which they stand."""
        return self._lines.get(day.isoformat(), {})

    def shown(self, day: date) -> set[str]:
        """Return the entries of *day* that a model has seen."""
        return self._shown.get(day.isoformat(), set())

    def sources_of(self, day: date, line: str) -> list[tuple[date, str]]:
        """Return the entries for which *line* of *day* stands, with their days."""
        return self._sources.get((day.isoformat(), line), [])

    def days_of(self, day: date, line: str) -> list[date]:
        """Return the days on which *line* of *day* rests, *day* itself at least."""
        return sorted({day, *(said for said, _ in self.sources_of(day, line))})

    def add(self, record: Mapping[str, Any]) -> None:
        """
        Take in a record of the journal; one that is broken says nothing.

        A line over several days stands in one; the entries of the others have none.
        """
        day, line = str(record.get("day")), str(record.get("line", ""))
        for source in _listed(record.get("sources")):
            if isinstance(source, dict):
                said, entry = str(source.get("day", day)), str(source.get("entry"))
                self._lines[said][entry] = line if said == day else LEFT_OUT
                with suppress(ValueError):
                    self._sources[day, line].append((date.fromisoformat(said), entry))
        self._shown[day].update(map(str, _listed(record.get("entries"))))


def read_summaries(journal: Records) -> Summaries:
    """Return what models made of the days, as *journal* tells it."""
    summaries = Summaries()
    for record in journal.records(SUMMARISED):
        summaries.add(record)
    return summaries


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
