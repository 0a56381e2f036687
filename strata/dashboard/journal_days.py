"""Which days the journal tells of and where, read on as it grows, and the page by them."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.growth import Growth, growth
from strata.history.ledger import EVENTS
from strata.history.names import OF_STATEMENTS, REJECTED, UNDONE, VERDICTS
from strata.workspace.journal import mark_before

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from strata.memory import Memory

# The night belongs to the day before it: what tidy does at three is of that day's notes.
_NIGHT_ENDS = timedelta(hours=6)
# Nine of ten records are verdicts, and no verdict alone changes the page.
_OF_THE_PAGE = frozenset(EVENTS).difference(VERDICTS)
# What of a record is kept in memory: nothing that was said.
_KEPT = ("event", "id", "run", "undoes", "at", "dimension", "wanted")


@dataclass(slots=True)
class JournalDays:
    """
    What was read of a journal up to byte *end*; its *mark* tells it from another.

    It had *size* bytes by then; what lies behind *end* tells of no statement. *records* are
    those that can change the page, without words; *stretches* are the bytes between which
    all records of a day lie; *rejected* is how many there are of those verdicts; *page* is
    how MEMORY.md filled.
    """

    end: int = 0
    size: int = 0
    mark: bytes = b""
    records: list[dict[str, Any]] = field(default_factory=list)
    stretches: dict[date, tuple[int, int]] = field(default_factory=dict)
    rejected: Counter[date] = field(default_factory=Counter)
    page: Growth = field(default_factory=lambda: Growth({}, frozenset()))


_READ: dict[tuple[str, str], JournalDays] = {}


def journal_days(memory: Memory) -> JournalDays:
    """Return what the journal of *memory* tells by now, on its owner's clock."""
    file, zone = memory.workspace.layout.journal_file, memory.timezone
    name = (str(file), str(zone))
    try:
        with file.open("rb") as journal:
            size = journal.seek(0, os.SEEK_END)
            known = _READ.get(name)
            # It only grows; where something is forgotten, another file takes its place.
            if known is None or mark_before(journal, known.size) != known.mark:
                known = _READ[name] = JournalDays()
            if size > known.size:
                _read_on(known, memory)
                known.size, known.mark = size, mark_before(journal, size)
    except FileNotFoundError:
        return JournalDays()
    return known


def rejected_on(memory: Memory, day: date) -> Iterator[dict[str, Any]]:
    """Yield what was rejected on *day* and in its night, read as far as it is asked for."""
    first, last = journal_days(memory).stretches.get(day, (0, 0))
    for end, record in memory.journal.placed(REJECTED, start=first) if last else ():
        if end > last:
            return
        if day_of(str(record.get("at", "")), memory.timezone) == day:
            yield record


def moment_of(at: str, zone: tzinfo) -> datetime | None:
    """Return the moment *at*, in ISO 8601, on a clock in *zone*."""
    try:
        found = datetime.fromisoformat(at)
        return found.astimezone(zone) if found.tzinfo else found.replace(tzinfo=zone)
    except (ValueError, OverflowError):
        return None


def day_of(at: str, zone: tzinfo) -> date | None:
    """Return the day in *zone* to which the moment *at* belongs, with its night."""
    moment = moment_of(at, zone)
    if moment is None or moment.year == 1:
        return None
    return (moment - _NIGHT_ENDS).date()


def _read_on(known: JournalDays, memory: Memory) -> None:
    zone = memory.timezone
    wanted = {*EVENTS, *OF_STATEMENTS, UNDONE}
    for end, record in memory.journal.placed(*wanted, start=known.end):
        if day := day_of(str(record.get("at", "")), zone):
            first, _ = known.stretches.get(day, (known.end, 0))
            known.stretches[day] = (first, end)
            known.rejected[day] += record["event"] == REJECTED
        if record["event"] in _OF_THE_PAGE:
            known.records.append(_without_words(record))
        known.end = end
    known.page = growth(known.records, partial(day_of, zone=zone))


def _without_words(record: dict[str, Any]) -> dict[str, Any]:
    kept = {key: record[key] for key in _KEPT if key in record}
    return {**kept, "line": bool(record.get("line"))}
