"""What was imported and contradicts a line of MEMORY.md waits for the owner's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.history.ledger import statement_id
from strata.history.names import SAID_ELSEWHERE, UNDONE
from strata.notes.lines import said_by
from strata.notes.long_term import placed_lines
from strata.notes.markdown import heading
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from strata.memory import Memory
    from strata.models import Block

VERSION = 1
# Nobody answers more at once; the page itself holds what it holds either way.
_MOST = 20
# Statements that share less are about different things.
_SHARED = 2


def ask(memory: Memory, form: str, run: str, blocks: Iterable[Block]) -> list[str]:
    """
    Let the entries of *blocks* that contradict what holds wait in `review`.

    Return what they say. The line stays as it is, until the owner takes the other one for
    the newest word, or a night lets the newer of both stand.
    """
    lines = _lines(memory)
    if not lines:
        return []
    known = _asked_already(memory)
    records: list[dict[str, Any]] = []
    for block in blocks:
        for said, line in _against(block, lines):
            name = statement_id(said)
            if name not in known and len(records) < _MOST:
                known.add(name)
                day = block.day
                why = f"imported from {form}, said on {day}; MEMORY.md says: {line}"
                records.append(_record(memory, run, day, said, why))
    if records:
        memory.journal.append(records)
    return [each["text"] for each in records]


def _asked_already(memory: Memory) -> set[str]:
    """Return the ids of what waits or did; what came with a run that is undone does not."""
    known: set[str] = set()
    for record in memory.journal.records("waiting", "rejected"):
        name = str(record.get("id"))
        if record["event"] == "waiting":
            known.add(name)
        elif record.get("dimension") == UNDONE:
            known.discard(name)
    return known


def _lines(memory: Memory) -> list[str]:
    page = placed_lines(memory.workspace.read(LONG_TERM))
    said = (said_by(line) for _, line in page if not heading(line))
    return [each for each in said if any(map(str.isalnum, each))]


def _against(block: Block, lines: list[str]) -> Iterator[tuple[str, str]]:
    from strata.notes.entries import parse_entry, worded  # noqa: PLC0415 - only with a page
    from strata.statements.relations import (  # noqa: PLC0415 - dictionaries
        Relation,
        folded_terms,
        relation,
    )

    for entry in block.entries:
        parsed = parse_entry(entry)
        if parsed.tag is None:
            continue
        said = worded(parsed)
        terms = folded_terms(said)
        for line in lines:
            if len(terms & folded_terms(line)) < _SHARED:
                continue
            if relation(said, line) not in {Relation.SAME, Relation.DIFFERENT}:
                yield said, line
                break


def _record(
    memory: Memory, run: str, day: date, said: str, why: str
) -> dict[str, Any]:  # Any: it is JSON
    return {
        "event": "waiting",
        "version": VERSION,
        "at": memory.now.isoformat(timespec="seconds"),
        "run": run,
        "id": statement_id(said),
        "text": said,
        "day": day.isoformat(),
        # It enters by its id alone, as the owner's word of that day.
        "dimension": SAID_ELSEWHERE,
        "reason": why,
    }
