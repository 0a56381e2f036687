"""retain: what agents wrote down to be kept counts as far as it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.jobs.capturing.retaining import retained_records
from strata.jobs.undoing.runs import alone
from strata.workspace.journal import Draft

if TYPE_CHECKING:
    from strata.memory import Memory


def retain(memory: Memory, *, dry_run: bool = False) -> Memory:
    """
    Journal what becomes of lines below "Retain" that nobody has judged yet.

    Return *memory* after that; a dry run leaves the journal as it is.
    """
    with alone(memory):
        records = retained_records(memory)
        journal = Draft(memory.journal) if dry_run else memory.journal
        if records:
            journal.append(records)
    return memory.with_journal(journal) if dry_run else memory
