"""A block that rules wrote gets the entries that a model proposed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.evidence import capture_record
from strata.jobs.capturing.captured import fresh_entries
from strata.language.similarity import same, terms_of
from strata.notes.daily import entry_lines, replace_block
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

    Entries that MEMORY.md relies on stay. Return None where nothing comes of it, which
    the journal keeps, or where somebody has changed the block meanwhile.
    """
    kept = _kept(old, relied_on)
    note = entry_lines(memory.workspace.read(old.path))
    others = note - {folded(entry) for entry in old.block.entries}
    known = [terms_of(folded(entry)) for entry, _ in kept]

    def is_noted(entry: str) -> bool:
        told = terms_of(entry)
        return entry in others or any(same(told, each) for each in known)

    fresh = fresh_entries(found.facts, is_noted)
    if not fresh:
        consider(memory, old)
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
        material=found.material,
    )
    record["entries"] = [*(told for _, told in kept), *record["entries"]]
    # The journal first: until the note follows, the block is still that of the rules.
    memory.journal.append([record])
    change = partial(replace_block, old=old.block, new=block)
    written = memory.workspace.update(old.path, change) or block == old.block
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
