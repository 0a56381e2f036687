"""What the journal knows of MEMORY.md: whose a line is, and the last verdict on each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.history.decisions import undone_runs
from strata.history.names import DEPARTED, SETTLED, UNDONE, VERDICTS, WRITTEN
from strata.notes.marks import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.records import Records


@dataclass(slots=True)
class Ledger:
    """
    *lines* are those that Strata wrote, with the record of each; *last* is the newest
    record of each id; *settled* are the runs whose lines reached the file, *undone* those
    that were taken back.
    """

    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    last: dict[str, dict[str, Any]] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    undone: frozenset[str] = frozenset()

    def is_news(self, record: dict[str, Any]) -> bool:
        """Say whether *record* tells anything that the last one of its id did not."""
        last = self.last.get(record["id"])
        keys = ("event", "dimension", "line", "by")
        return last is None or any(last.get(key) != record.get(key) for key in keys)

    def is_settled(self, record: dict[str, Any]) -> bool:
        """Say whether what *record* tells reached the file, or was undone there since."""
        return record.get("run") in self.settled | self.undone

    def removed_by_hand(self, present: set[str]) -> Iterator[dict[str, Any]]:
        """Yield the records of lines that somebody else took out or changed."""
        for record in self.last.values():
            written = record["event"] in WRITTEN and record.get("line")
            if (
                written
                and record["line"] not in present
                and record.get("run") in self.settled
            ):
                yield record


def read_ledger(journal: Records) -> Ledger:
    """Read all verdicts of *journal*; a lost one makes every line a person's."""
    ledger = Ledger()
    records = list(
        journal.records(
            *WRITTEN, *DEPARTED, *VERDICTS, "declined", "accepted", SETTLED, UNDONE
        )
    )
    ledger.undone = undone = undone_runs(records)
    for record in records:
        # What an undone run wrote is still ours, but nothing else of it holds.
        holds = record.get("run") not in undone
        if record["event"] in {SETTLED, UNDONE}:
            ledger.settled |= {str(record.get("run"))} if holds else set()
            continue
        name, line = record.get("id"), record.get("line")
        if isinstance(name, str) and name and holds:
            ledger.last[name] = record
        if record["event"] in WRITTEN and isinstance(line, str):
            ledger.lines[line] = record
    return ledger


def statement_id(text: str) -> str:
    """Return the id of a statement: the same words have the same in every run."""
    return hashlib.sha256(folded(text).encode("utf-8", "surrogatepass")).hexdigest()[
        :12
    ]
