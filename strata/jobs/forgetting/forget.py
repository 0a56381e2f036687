"""forget: what the owner wants gone leaves every place, and does not come back."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from strata.errors import NotFound, StrataError
from strata.jobs.forgetting.choosing import Chosen, choose, together
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
from strata.jobs.forgetting.spreading import alone_in_scopes, inherit, scopes_of
from strata.jobs.forgetting.stone import tombstone_of
from strata.jobs.forgetting.transcribed import Remaining, remaining
from strata.jobs.forgetting.wholeness import other_words, too_short
from strata.jobs.undoing.runs import alone
from strata.jobs.undoing.versioning import committed
from strata.messages import Notice, to_people
from strata.progress import silent
from strata.search.indexing.purging import purge
from strata.workspace import stored
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.errors import NotAccepted
    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.removal import Removed
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.progress import Progress
    from strata.workspace.tombstones import Tombstone


# A reader that finds a forgetting cut off must not wait for long.
_PATIENCE_SECONDS = 10.0


@dataclass(slots=True)
class Plan:
    """
    What would go: *lines* by document, *records* of the journal, versions in git.

    *others* are the plans for the scopes beside the owner's memory. *transcripts* are the
    conversations of OpenClaw in which the words remain.
    """

    target: Target
    chosen: Chosen
    lines: list[tuple[Document, list[Said]]] = field(default_factory=list)
    records: int = 0
    history: History = field(default_factory=History)
    transcripts: list[Remaining] = field(default_factory=list)
    scope: str = PRIVATE
    others: list[Plan] = field(default_factory=list)
    other_words: list[str] = field(default_factory=list)
    """The words of this memory that go too because a very short name stands in them."""

    @property
    def all(self) -> list[Plan]:
        """Every plan, this one first."""
        return [self, *self.others]

    @property
    def counts(self) -> dict[str, int]:
        """How many lines would go from each memory."""
        return {p.scope: sum(len(lines) for _, lines in p.lines) for p in self.all}

    @property
    def objection(self) -> NotAccepted | None:
        """Why this is not done before somebody has seen it; words of others stay unsaid."""
        words = {word for each in self.all for word in each.other_words}
        return too_short(self.target, words, self.other_words) if words else None

    @property
    def is_empty(self) -> bool:
        """Whether no memory holds anything of it."""
        return not any(p.lines or p.records or p.history.versions for p in self.all)


def plan(
    memory: Memory,
    target: Target,
    *,
    everywhere: bool = True,
    progress: Progress = silent,
) -> Plan:
    """Return what forgetting *target* would do; nothing is written."""
    scopes = scopes_of(memory) if everywhere else []
    planned, _ = _planned(memory, target, scopes, progress, git=False)
    return planned


def forget(  # noqa: PLR0913 - what the command offers
    memory: Memory,
    target: Target,
    *,
    git: bool = False,
    everywhere: bool = True,
    seen: bool = False,
    progress: Progress = silent,
) -> Receipt:
    """
    Forget *target* and all that follows from it, with *git* in the history too.

    *everywhere* means the scopes beside the owner's memory as well. The tombstone is on the
    disk before anything changes, so that whatever kills this run leaves a forgetting that
    the next command completes. Raise `GitUnavailable`, with nothing changed, where the
    history cannot be rewritten safely, and `NotAccepted` where a very short name would
    take other words along and the owner has not *seen* the plan.
    """
    with alone(memory, doing="forgetting"), ExitStack() as turns:
        memory.tombstones.prepare()
        inherit(memory)
        complete_unfinished(memory)
        everywhere = everywhere and memory.parent is None
        scopes = turns.enter_context(alone_in_scopes(memory)) if everywhere else []
        planned, tombstone = _planned(memory, target, scopes, progress, git=git)
        tombstone = replace(tombstone, everywhere=everywhere)
        if planned.objection and not seen:
            raise planned.objection
        if git:
            usable_history(memory)
        memory.tombstones.add(tombstone)
        return _complete(memory, tombstone, scopes, planned)


def complete_unfinished(memory: Memory) -> None:
    """
    Finish every forgetting that was cut off; the caller lets no other job in.

    What keeps one from its end, such as a stash in git, is said and keeps nothing else.
    """
    for tombstone in memory.tombstones.unfinished():
        try:
            with alone_in_scopes(memory, patience_seconds=_PATIENCE_SECONDS) as scopes:
                _complete(memory, tombstone, scopes, None)
        except StrataError as error:
            to_people(Notice("forget.not-everywhere", error=error))


def _planned(
    memory: Memory,
    target: Target,
    scopes: Sequence[Memory],
    progress: Progress,
    *,
    git: bool,
) -> tuple[Plan, Tombstone]:
    """Return the plan for *memory* and *scopes*, and the one tombstone for all."""
    members = [memory, *scopes]
    chosen = _choose_in(members, target, progress)
    parts = [
        _part(each, target, its, git=git)
        for each, its in zip(members, chosen, strict=True)
    ]
    (planned, tombstone), *others = parts
    planned.others = [each for each, _ in others]
    planned.transcripts = remaining(memory, target, together(chosen))
    return planned, replace(
        tombstone,
        others={each.scope: replace(its, id=tombstone.id) for each, its in others},
    )


def _choose_in(
    members: Sequence[Memory], target: Target, progress: Progress
) -> list[Chosen]:
    """Return what *target* means in each of *members*; one of them must know it."""
    chosen, missing = [], []
    for each in members:
        texts = [*documents(each), *history_of(each).documents]
        # The owner's own is the long one.
        shown = progress if each is members[0] else silent
        try:
            chosen.append(choose(each, target, texts, shown))
        except NotFound as error:
            chosen.append(Chosen())
            missing.append(error)
    if len(missing) == len(members):
        raise missing[0]
    return chosen


def _part(
    memory: Memory, target: Target, chosen: Chosen, *, git: bool
) -> tuple[Plan, Tombstone]:
    tombstone = tombstone_of(memory, target, chosen, git=git)
    known = _known(memory, [tombstone])
    lines = preview(memory, known)
    raws = (said.raw for _, its in lines for said in its)
    planned = Plan(
        target,
        chosen,
        lines,
        _records(memory, known),
        history_of(memory).holding(known),
        scope=memory.scope,
        other_words=other_words(target, [*chosen.statements, *raws]),
    )
    if memory.parent and not planned.history.versions:
        # To rewrite the history once more would change nothing.
        tombstone = replace(tombstone, git=False)
    return planned, tombstone


def _complete(
    memory: Memory,
    tombstone: Tombstone,
    scopes: Sequence[Memory],
    planned: Plan | None,
) -> Receipt:
    """Do what *tombstone* says, in *scopes* too where it holds everywhere."""
    plans = {each.scope: each for each in planned.all} if planned else {}
    receipt = _done(memory, tombstone, plans.get(memory.scope))
    for each in scopes if tombstone.everywhere else ():
        inherit(each)
        share = tombstone.within(each.scope)
        told = _done(each, share, plans.get(each.scope))
        _keep(each, share, told)
        receipt.take_in(told, each.path_in_private(""))
    receipt.transcripts = planned.transcripts if planned else []
    _keep(memory, tombstone, receipt)
    return receipt


def _keep(memory: Memory, tombstone: Tombstone, receipt: Receipt) -> None:
    keep_receipt(memory, receipt)
    if receipt.proof.holds:
        memory.tombstones.finish(tombstone)


def _done(memory: Memory, tombstone: Tombstone, planned: Plan | None) -> Receipt:
    """Take out of *memory* what *tombstone* knows, and prove it."""
    known = _known(memory, [tombstone])
    removed = _remove(memory, tombstone, known)
    purge(memory.index)
    rewritten = rewrite_history(memory, known) if tombstone.git else None
    statements = planned.chosen.statements if planned else []
    target = planned.target if planned else None
    proof = prove(memory, known, target, statements)
    receipt = Receipt.of(memory, tombstone, removed, proof)
    receipt.rewritten = rewritten
    receipt.history = history_of(memory).holding(known).versions
    if tombstone.git and (receipt.history or leftovers(memory, known)):
        proof.left.append(".git")
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
    return scrub_journal(stored.read(file), known).changed if file.exists() else 0
