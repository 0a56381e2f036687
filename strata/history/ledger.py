"""What the journal knows of MEMORY.md: whose a line is, and the last verdict on each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.history.names import (
    ADOPTED,
    BY_HAND,
    DEPARTED,
    MACHINE,
    OF_RUNS,
    REWORDED,
    VERDICTS,
    WRITING,
    WRITTEN,
)
from strata.history.records import undone_runs
from strata.notes.marks import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.records import Records

ID_LENGTH = 12
EVENTS = (
    *WRITTEN,
    *DEPARTED,
    *VERDICTS,
    "declined",
    "accepted",
    REWORDED,
    ADOPTED,
    *OF_RUNS,
)


@dataclass(slots=True)
class Ledger:
    """
    *lines* are those that Strata wrote, with the record of each; *last* is the newest
    record of each id; *settled* are the runs whose lines reached the file, *undone* those
    that were taken back.

    *standing* are the records of the lines that stood last, by id, those *adopted* from a
    hand as well; *taken* are the ids of lines of ours that a hand took out or changed.

    *writing* is the last record that a run was about to write, if it told no more.
    """

    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    last: dict[str, dict[str, Any]] = field(default_factory=dict)
    standing: dict[str, dict[str, Any]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)
    undone: frozenset[str] = frozenset()
    writing: dict[str, Any] | None = None

    def is_news(self, record: dict[str, Any]) -> bool:
        """Say whether *record* tells anything that the last one of its id did not."""
        last = self.last.get(record["id"])
        keys = ("event", "dimension", "line", "by")
        return last is None or any(last.get(key) != record.get(key) for key in keys)

    def is_settled(self, record: dict[str, Any]) -> bool:
        """Say whether what *record* tells reached the file, or was undone there since."""
        return record.get("run") in self.settled | self.undone

    def adopted(self) -> dict[str, dict[str, Any]]:
        """Return what a hand wrote and stood there last, by id."""
        return {
            name: record
            for name, record in self.standing.items()
            if record["event"] == ADOPTED
        }

    def written(self) -> Iterator[dict[str, Any]]:
        """Yield the records of our lines that reached the file and stood there last."""
        for record in self.standing.values():
            if record["event"] != ADOPTED and record.get("run") in self.settled:
                yield record

    def place(self, name: str, record: dict[str, Any]) -> None:
        """Take in what *record* tells of where the statement *name* stands."""
        event, line = record["event"], record.get("line")
        if event == ADOPTED or (event in WRITTEN and line):
            self.standing[name] = record
            self.taken.discard(name)
        elif event in {*WRITTEN, *DEPARTED}:
            self.standing.pop(name, None)
        elif event in {"declined", REWORDED} and record.get("dimension") == BY_HAND:
            self.standing.pop(name, None)
            self.taken.add(name)


def read_ledger(journal: Records) -> Ledger:
    """Read all verdicts of *journal*; a lost one makes every line a person's."""
    ledger = Ledger()
    records = list(journal.records(*EVENTS))
    ledger.undone = undone = undone_runs(records)
    for record in records:
        # What an undone run wrote is still ours, but nothing else of it holds.
        holds = record.get("run") not in undone
        if MACHINE in record:
            # It tells of the page of another machine: the decision counts, no line does.
            if holds and record.get("id"):
                ledger.last[str(record["id"])] = record
            continue
        if record["event"] in OF_RUNS:
            ledger.writing = record if record["event"] == WRITING else None
            if record["event"] != WRITING and holds:
                ledger.settled.add(str(record.get("run")))
            continue
        name, line = record.get("id"), record.get("line")
        if isinstance(name, str) and name and holds:
            ledger.last[name] = record
            ledger.place(name, record)
        if record["event"] in WRITTEN and isinstance(line, str):
            ledger.lines[line] = record
        elif record["event"] == ADOPTED and holds:
            ledger.lines.pop(str(line), None)
    return ledger


def statement_id(text: str) -> str:
    """Return the id of a statement: the same words have the same in every run."""
    words = folded(text).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).hexdigest()[:ID_LENGTH]
