"""What the journal says of an undo: what was taken back now waits for the owner's word."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from strata.history.names import DEPARTURES, UNDONE
from strata.notes.weekly import days_in
from strata.workspace import stored
from strata.workspace.layout import day_of_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from strata.jobs.undoing.reversal import Step
    from strata.memory import Memory
    from strata.workspace.recording import Run

VERSION = 1


def undone_records(
    memory: Memory, run: Run, by: Run, steps: Sequence[Step]
) -> list[dict[str, Any]]:
    """
    Return the records of *by*, which takes back *run* in *steps*; none if they are there.

    What tidy did by itself must not simply happen again the next night, so each of its
    verdicts waits. What the owner did needs no waiting: it is just taken back.
    """
    if any(record.get("run") == by.id for record in memory.journal.records(UNDONE)):
        return []
    base = {
        "version": VERSION,
        "at": memory.now.isoformat(timespec="seconds"),
        "run": by.id,
    }
    records: list[dict[str, Any]] = [
        {"event": UNDONE, **base, "id": "", "undoes": run.id}
    ]
    # What an import asked about is no question any more.
    asked = (e for e in memory.journal.records("waiting") if run.kind == "import")
    records += [
        {
            "event": "rejected",
            **base,
            "id": each["id"],
            "text": each["text"],
            "dimension": UNDONE,
            "reason": f"you undid run {run.id}, which had brought it",
        }
        for each in asked
        if each.get("run") == run.id
    ]
    if run.kind == "tidy":
        waiting = [*_verdicts(memory, run), *_days(memory, steps)]
        records += [{"event": "waiting", **base, **each} for each in waiting]
    return records


def day_id(day: date) -> str:
    """Return the id under which a day is spoken of."""
    return hashlib.sha256(f"day {day.isoformat()}".encode()).hexdigest()[:12]


def _verdicts(memory: Memory, run: Run) -> Iterator[dict[str, Any]]:
    """Yield what *run* judged: each line that came, went, or moved to another section."""
    records, before = [], dict[str, dict[str, Any]]()
    for record in memory.journal.records("promoted", *sorted(DEPARTURES)):
        if record.get("run") == run.id:
            records += [record] if record.get("id") else []
        elif not records and record["event"] in {"promoted", "merged"}:
            # How the line stood before the run.
            before |= {str(record.get("id")): record} if record.get("line") else {}
    fuller = {record.get("by") for record in records if record["event"] == "merged"}
    for record in records:
        came = record["event"] == "promoted"
        if record.get("line" if came else "left") and record["id"] not in fuller:
            yield _waiting(record, run)
            continue
        old = before.get(record["id"], record)
        if record["event"] == "merged" and old.get("section") != record.get("section"):
            # Where the line stood is the owner's choice from now on.
            yield _waiting({**record, **old, "event": "merged"}, run)


def _waiting(record: dict[str, Any], run: Run) -> dict[str, Any]:
    kept = ("id", "text", "section", "sources", "importance", "by")
    days = [str(source.get("day")) for source in record.get("sources") or ()]
    return {
        **{name: record[name] for name in kept if name in record},
        **({"day": min(days)} if days else {}),
        "wanted": record["event"],
        "dimension": UNDONE,
        "reason": f"you undid run {run.id}, in which it was {record['event']}",
    }


def _days(memory: Memory, steps: Iterable[Step]) -> Iterator[dict[str, Any]]:
    days: set[date] = set()
    for step in steps:
        if step.target:
            day = day_of_name(step.path.rpartition("/")[2])
            days |= {day} if day else set()
        if step.rewrites and step.path.startswith("memory/weekly/"):
            image = stored.read(step.image) if step.image else b""
            before = image.decode("utf-8", "replace")
            days |= days_in(memory.workspace.read(step.path)) - days_in(before)
    for day in sorted(days):
        yield {
            "id": day_id(day),
            "text": f"{day.isoformat()}: into its week and the archive",
            "day": day.isoformat(),
            "wanted": "compressed",
            "dimension": UNDONE,
            "reason": "you undid this",
        }
