"""A block that rules wrote gets the entries that a model proposed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from strata.history.evidence import capture_record
from strata.jobs.capturing.captured import fresh_entries, write_block
from strata.language.similarity import same, terms_of
from strata.notes.marks import folded

if TYPE_CHECKING:
    from strata.jobs.capturing.extraction import Found
    from strata.jobs.capturing.redoable import RuleBlock
    from strata.memory import Memory
    from strata.models import Block, Session


def rewrite(
    memory: Memory,
    session: Session,
    old: RuleBlock,
    found: Found,
    *,
    relied_on: frozenset[str],
) -> Block | None:
    """
    Put what was *found* in the place of *old*, and return the new block.

    Entries that MEMORY.md relies on stay. A block that waited for nothing goes: the new
    one has no entries then. Return None where all stays, which the journal keeps, or where
    somebody has changed the block meanwhile.
    """
    kept = _kept(old, relied_on)
    known = [terms_of(folded(entry)) for entry, _ in kept]

    def is_noted(entry: str) -> bool:
        return any(same(terms_of(entry), each) for each in known)

    fresh = fresh_entries(found.facts, is_noted)
    if not fresh:
        consider(memory, old)
        gone = old.waits and not kept
        if gone and write_block(memory.workspace, old.path, None, old=old.block):
            return replace(old.block, entries=())
        return None
    entries = (*(entry for entry, _ in kept), *(entry for entry, _ in fresh))
    block = replace(old.block, entries=entries)
    record = capture_record(
        session,
        block,
        path=old.path,
        stretch=old.stretch,
        last_at=float(old.record["last_at"]),
        entries=fresh,
        answered=found.answered,
        project=old.project,
    )
    record["entries"] = [*(told for _, told in kept), *record["entries"]]
    # The journal first: until the note follows, the block is still that of the rules.
    memory.journal.append([record])
    written = write_block(memory.workspace, old.path, block, old=old.block)
    written = written or block == old.block
    return block if written else None


def consider(memory: Memory, old: RuleBlock) -> None:
    """Write down that *old* stays as it is, so that nobody is asked about it again."""
    span = [old.stretch.first, old.stretch.last]
    memory.journal.append([{**_told(old), "material": [span]}])


def leave(memory: Memory, old: RuleBlock) -> None:
    """Write down that *old* waits no longer: the model was asked, and rules must do."""
    if old.waits:
        memory.journal.append([_told(old)])


def _told(old: RuleBlock) -> dict[str, Any]:
    return {key: value for key, value in old.record.items() if key != "waits"}


def _kept(
    old: RuleBlock, relied_on: frozenset[str]
) -> list[tuple[str, dict[str, Any]]]:
    pairs = zip(old.block.entries, old.record["entries"], strict=True)
    return [(entry, told) for entry, told in pairs if told.get("id") in relied_on]
