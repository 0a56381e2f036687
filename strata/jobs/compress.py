"""compress: days that have grown old become part of their week, late words too."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.names import COMPRESSED, UNDONE
from strata.history.records import undone_runs
from strata.jobs.language import written_language
from strata.notes.headings import monday_of
from strata.notes.marks import folded, with_source
from strata.notes.weekly import (
    add_day,
    entries_of,
    lines_of,
    summarise_day,
    weekly_path,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from strata.memory import Memory

KEPT_DAYS = 7


def compress(
    memory: Memory, held: Container[date], *, run: str, dry_run: bool
) -> list[tuple[date, str]]:
    """
    Add to each week what its days say and it does not yet; return days and weeks.

    Whole weeks follow the first of their days that has grown old, so that what says the
    same on several days is one line. A line that somebody took out of a week does not come
    back, because the journal says that it was there. What is added to a day that is in its
    week already still gets there.
    """
    unsaid = list(_unsaid(memory, held, whole=True))
    if not unsaid:
        return []
    # Most nights have no week to make, and the judge takes a while to read.
    from strata.jobs.deciding.condensing import condensed  # noqa: PLC0415 - cold start

    seen = {day: known for day, _, _, known in unsaid}
    summaries = condensed(
        memory,
        {monday_of(day) for day in seen},
        lambda day, entry: day not in seen or _id_of(day, entry) in seen[day],
    )
    done: list[tuple[date, str]] = []
    records: list[dict[str, Any]] = []
    language = written_language(memory)
    for day, note, said, known in unsaid:
        week = weekly_path(day)
        standing = _ids(lines_of(memory.workspace.read(week), day))
        lines = summarise_day(
            note, day, reworded=summaries.of(day), days_of=summaries.days_of
        )
        fresh = [line for line in lines if line_id(line) not in standing | known]
        if fresh:
            done.append((day, week))
            if not dry_run:
                add = partial(add_day, day=day, lines=fresh, language=language)
                memory.workspace.update(week, add)
        record = {
            "event": COMPRESSED,
            "version": 1,
            "day": day.isoformat(),
            "path": week,
        }
        entries = {_id_of(day, entry) for entry in entries_of(note)}
        told = sorted(said | entries | _ids(lines))
        records.append({**record, "lines": told, "run": run})
    if not dry_run:
        # After the weeks: a line that is journaled but not written would never be.
        memory.journal.append(records)
    return done


def uncompressed(
    memory: Memory, held: Container[date]
) -> list[tuple[date, Sequence[str]]]:
    """Return the entries of whole weeks that are about to become part of one, by day."""
    return [
        (day, [each for each in entries_of(note) if _id_of(day, each) not in seen])
        for day, note, _, seen in _unsaid(memory, held, whole=True)
    ]


def archive(
    memory: Memory, held: Container[date], *, compressed: bool, dry_run: bool
) -> list[tuple[str, str]]:
    """
    Move notes that their week has considered to the archive; return from where to where.

    A dry run takes those to be considered that would be *compressed* before.
    """
    moved: list[tuple[str, str]] = []
    known = lines_in_weeks(memory)
    for day, path in _due_notes(memory, held, whole=False):
        if path != memory.workspace.layout.daily(day):
            continue
        said = _ids(summarise_day(memory.workspace.read(path), day))
        if not (said <= known.get(day, set()) or (dry_run and compressed)):
            continue
        target = memory.workspace.layout.archived(day)
        if not dry_run:
            _move(memory, path, target)
        moved.append((path, target))
    return moved


def lines_in_weeks(memory: Memory) -> dict[date, set[str]]:
    """Return the ids of the lines of each day that have been in their week."""
    known: dict[date, set[str]] = {}
    records = list(memory.journal.records(COMPRESSED, UNDONE))
    undone = undone_runs(records)
    for record in records:
        if record["event"] == UNDONE or record.get("run") in undone:
            continue
        try:
            day = date.fromisoformat(str(record["day"]))
            known.setdefault(day, set()).update(map(str, record["lines"]))
        except (KeyError, TypeError, ValueError):
            continue
    return known


def line_id(line: str) -> str:
    """Return the id of a line of a week, by its words and its source."""
    return hashlib.sha256(folded(line).encode("utf-8", "surrogatepass")).hexdigest()[
        :12
    ]


def _unsaid(
    memory: Memory, held: Container[date], *, whole: bool
) -> Iterator[tuple[date, str, set[str], set[str]]]:
    """
    Yield the days of which a week does not say all yet, each with its note.

    What it says, and what of that has been in its week, follows as ids of lines.
    """
    known = lines_in_weeks(memory)
    for day, path in _due_notes(memory, held, whole=whole):
        note, seen = memory.workspace.read(path), known.get(day, set())
        said = _ids(summarise_day(note, day))
        if not said <= seen:
            # What a hand or an agent wrote there may hold what no week shall.
            yield day, memory.masked(note), said, seen


def _due_notes(
    memory: Memory, held: Container[date], *, whole: bool
) -> list[tuple[date, str]]:
    """Return the notes, archived ones too, that are old enough, or in a *whole* week."""
    last = memory.now.date() - timedelta(days=KEPT_DAYS)
    notes = [
        each for each in memory.workspace.layout.daily_notes() if each[0] not in held
    ]
    weeks = {monday_of(day) for day, _ in notes if day < last} if whole else set()
    return [each for each in notes if each[0] < last or monday_of(each[0]) in weeks]


def _move(memory: Memory, path: str, target: str) -> None:
    """Move the note; where the archive has one of that day, they become one."""
    workspace = memory.workspace
    if not workspace.read(target):
        workspace.move(path, target)
        return
    late = workspace.read(path)
    workspace.update(target, lambda text: text if late in text else _joined(text, late))
    workspace.remove(path, text=late)


def _joined(text: str, late: str) -> str:
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{ended}\n{late}"


def _ids(lines: Iterable[str]) -> set[str]:
    return {line_id(line) for line in lines}


def _id_of(day: date, entry: str) -> str:
    """Return the id of the line that *entry* of *day* is as it stands."""
    return line_id(with_source(entry, [day]))
