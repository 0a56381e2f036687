"""forget: what the owner wants gone leaves every place, and does not come back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.jobs.forgetting.choosing import choose
from strata.jobs.forgetting.documents import documents
from strata.jobs.forgetting.history import (
    History,
    history_of,
    leftovers,
    rewrite_history,
    usable_history,
)
from strata.jobs.forgetting.proof import prove
from strata.jobs.forgetting.receipt import Receipt, keep_receipt
from strata.jobs.forgetting.recognition import Recogniser
from strata.jobs.forgetting.removal import preview, remove
from strata.jobs.forgetting.scrubbing import scrub_journal
from strata.jobs.forgetting.stone import tombstone_of
from strata.jobs.forgetting.transcribed import Remaining, remaining
from strata.jobs.runs import alone
from strata.jobs.versioning import committed
from strata.memory import to_people
from strata.search.purging import purge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.forgetting.choosing import Chosen
    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.removal import Removed
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.workspace.tombstones import Tombstone


@dataclass(slots=True)
class Plan:
    """
    What would go: *lines* by document, *records* of the journal, versions in git.

    *transcripts* are the conversations of OpenClaw in which the words remain.
    """

    target: Target
    chosen: Chosen
    lines: list[tuple[Document, list[Said]]] = field(default_factory=list)
    records: int = 0
    history: History = field(default_factory=History)
    transcripts: list[Remaining] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether memory holds nothing of it."""
        return not (self.lines or self.records or self.history.versions)


def plan(memory: Memory, target: Target) -> Plan:
    """Return what forgetting *target* would do; nothing is written."""
    planned, _ = _planned(memory, target, git=False)
    return planned


def forget(memory: Memory, target: Target, *, git: bool = False) -> Receipt:
    """
    Forget *target* and all that follows from it, with *git* in the history too.

    The tombstone is on the disk before anything changes, so that whatever kills this run
    leaves a forgetting that the next command completes. Raise `GitUnavailable`, with
    nothing changed, where the history cannot be rewritten safely.
    """
    with alone(memory, doing="forgetting"):
        memory.tombstones.prepare()
        complete_unfinished(memory)
        planned, tombstone = _planned(memory, target, git=git)
        if git:
            usable_history(memory)
        memory.tombstones.add(tombstone)
        return _complete(memory, tombstone, target, planned)


def complete_unfinished(memory: Memory) -> None:
    """
    Finish every forgetting that was cut off; the caller lets no other job in.

    What keeps one from its end, such as a stash in git, is said and keeps nothing else.
    """
    for tombstone in memory.tombstones.unfinished():
        try:
            _complete(memory, tombstone, None, None)
        except StrataError as error:
            to_people(f"something is not forgotten everywhere yet: {error}")


def _planned(memory: Memory, target: Target, *, git: bool) -> tuple[Plan, Tombstone]:
    texts = [*documents(memory), *history_of(memory).documents]
    chosen = choose(memory, target, texts)
    tombstone = tombstone_of(memory, target, chosen, git=git)
    known = _known(memory, [tombstone])
    planned = Plan(target, chosen, preview(memory, known), _records(memory, known))
    planned.history = history_of(memory).holding(known)
    planned.transcripts = remaining(memory, target, chosen)
    return planned, tombstone


def _complete(
    memory: Memory, tombstone: Tombstone, target: Target | None, planned: Plan | None
) -> Receipt:
    known = _known(memory, [tombstone])
    removed = _remove(memory, tombstone, known)
    purge(memory.index)
    rewritten = rewrite_history(memory, known) if tombstone.git else None
    statements = planned.chosen.statements if planned else []
    proof = prove(memory, known, target, statements)
    receipt = Receipt.of(memory, tombstone, removed, proof)
    receipt.rewritten = rewritten
    receipt.history = history_of(memory).holding(known).versions
    if tombstone.git and (receipt.history or leftovers(memory, known)):
        proof.left.append(".git")
    receipt.transcripts = planned.transcripts if planned else []
    keep_receipt(memory, receipt)
    if proof.holds:
        memory.tombstones.finish(tombstone)
    return receipt


def _remove(memory: Memory, tombstone: Tombstone, known: Recogniser) -> Removed:
    if tombstone.git:
        # The rewritten history ends with the files as they are then.
        return remove(memory, known)
    with committed(memory, tombstone.id, "forget"):
        return remove(memory, known)


def _known(memory: Memory, tombstones: Sequence[Tombstone]) -> Recogniser:
    return Recogniser(memory.tombstones.seal, tombstones)


def _records(memory: Memory, known: Recogniser) -> int:
    file = memory.workspace.layout.journal_file
    return scrub_journal(file.read_bytes(), known).changed if file.exists() else 0
