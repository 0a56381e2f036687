"""How a model has put the entries of a day for its week, as the journal keeps it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from strata.workspace.journal import Journal

SUMMARISED = "summarised"
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
    _shown: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def of(self, day: date) -> Mapping[str, str]:
        """Return the lines of *day* by the entries for which they stand."""
        return self._lines.get(day.isoformat(), {})

    def shown(self, day: date) -> set[str]:
        """Return the entries of *day* that a model has seen."""
        return self._shown.get(day.isoformat(), set())

    def entries_of(self, day: date, line: str) -> list[str]:
        """Return the entries of *day* for which *line* stands."""
        return [entry for entry, own in self.of(day).items() if own == line]

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in a record of the journal; one that is broken says nothing."""
        day, line = str(record.get("day")), str(record.get("line", ""))
        for source in _listed(record.get("sources")):
            if isinstance(source, dict):
                self._lines[day][str(source.get("entry"))] = line
        self._shown[day].update(map(str, _listed(record.get("entries"))))


def read_summaries(journal: Journal) -> Summaries:
    """Return what models made of the days, as *journal* tells it."""
    summaries = Summaries()
    for record in journal.records(SUMMARISED):
        summaries.add(record)
    return summaries


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
