"""forget: what the owner wants gone leaves every place, and does not come back."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable, NotFound, StrataError
from strata.jobs.following import follow
from strata.jobs.forgetting.choosing import choose
from strata.jobs.forgetting.documents import documents, versions
from strata.jobs.forgetting.receipt import (
    Receipt,
    Remaining,
    keep_receipt,
    prove,
    remaining,
)
from strata.jobs.forgetting.recognition import Recogniser, inherit, tombstone_of
from strata.jobs.forgetting.removal import (
    has_leftovers,
    preview,
    remove,
    rewrite_history,
)
from strata.jobs.forgetting.scrubbing import scrub_journal
from strata.jobs.forgetting.target import Chosen, Target
from strata.jobs.forgetting.wholeness import other_words, too_short
from strata.jobs.undoing.runs import LOCK_SECONDS, alone, committed
from strata.messages import Notice, to_people
from strata.progress import silent
from strata.search.indexing.purging import purge
from strata.workspace import stored
from strata.workspace.git_history import GitHistory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.errors import NotAccepted
    from strata.jobs.forgetting.documents import Document
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
    tombstone: Tombstone
    lines: list[tuple[Document, list[Said]]]
    records: int
    versions: int
    scope: str
    other_words: list[str]
    """The words of this memory that go too because a very short name stands in them."""
    transcripts: list[Remaining] = field(default_factory=list)
    others: list[Plan] = field(default_factory=list)

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
        return not any(p.lines or p.records or p.versions for p in self.all)


def plan(
    memory: Memory,
    target: Target,
    *,
    everywhere: bool = True,
    progress: Progress = silent,
) -> Plan:
    """Return what forgetting *target* would do; nothing is written."""
    scopes = _scopes_of(memory) if everywhere else []
    return _planned(memory, target, scopes, progress, git=False)


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
        scopes = _enter_scopes(turns, memory) if everywhere else []
        planned = _planned(memory, target, scopes, progress, git=git)
        tombstone = replace(planned.tombstone, everywhere=everywhere)
        if planned.objection and not seen:
            raise planned.objection
        if git:
            history = GitHistory(memory.workspace.root)
            if not history.is_there:
                raise GitUnavailable(Notice("forget.no-git"))
            history.refuse_unsafe()
        memory.tombstones.add(tombstone)
        return _complete(memory, tombstone, scopes, planned)


def complete_unfinished(memory: Memory) -> None:
    """
    Finish every forgetting that was cut off; the caller lets no other job in.

    What keeps one from its end, such as a stash in git, is said and keeps nothing else.
    """
    for tombstone in memory.tombstones.unfinished():
        try:
            with ExitStack() as turns:
                scopes = _enter_scopes(turns, memory, _PATIENCE_SECONDS)
                _complete(memory, tombstone, scopes, None)
        except StrataError as error:
            to_people(Notice("forget.not-everywhere", error=error))


def _scopes_of(memory: Memory) -> list[Memory]:
    """Return the memories beside *memory*, where that is the owner's own."""
    if memory.parent:
        return []
    return [memory.within(name) for name in memory.scopes.names()]


def _enter_scopes(
    turns: ExitStack, memory: Memory, patience_seconds: float = LOCK_SECONDS
) -> Sequence[Memory]:
    """
    Return the memories beside *memory*, which no other job changes before *turns* end.

    Whoever does that holds the lock of *memory*, as sync does: so nobody waits in a ring.
    """
    scopes = _scopes_of(memory)
    for each in scopes:
        turns.enter_context(
            alone(each, doing="forgetting", patience_seconds=patience_seconds)
        )
    return scopes


def _planned(
    memory: Memory,
    target: Target,
    scopes: Sequence[Memory],
    progress: Progress,
    *,
    git: bool,
) -> Plan:
    """Return the plan for *memory* and *scopes*, one of which must know *target*."""
    plans, missing = [], []
    for each in (memory, *scopes):
        past = versions(each)
        # The owner's own is the long one.
        shown = progress if each is memory else silent
        try:
            chosen = choose(each, target, [*documents(each), *past], shown)
        except NotFound as error:
            chosen = Chosen()
            missing.append(error)
        plans.append(_part(each, target, chosen, past, git=git))
    if len(missing) == len(plans):
        raise missing[0]
    planned, *planned.others = plans
    planned.transcripts = remaining(memory, target, [each.chosen for each in plans])
    id_ = planned.tombstone.id
    others = {p.scope: replace(p.tombstone, id=id_) for p in planned.others}
    planned.tombstone = replace(planned.tombstone, others=others)
    return planned


def _part(
    memory: Memory,
    target: Target,
    chosen: Chosen,
    past: Sequence[Document],
    *,
    git: bool,
) -> Plan:
    """Return the plan for *memory* alone, in which *target* means *chosen*."""
    tombstone = tombstone_of(memory, target, chosen, git=git)
    known = Recogniser(memory.tombstones.seal, [tombstone])
    lines = preview(memory, known)
    raws = (said.raw for _, its in lines for said in its)
    journal = memory.workspace.layout.journal_file
    left = _holding(past, known)
    if memory.parent and not left:
        # To rewrite the history once more would change nothing.
        tombstone = replace(tombstone, git=False)
    return Plan(
        target,
        chosen,
        tombstone,
        lines,
        scrub_journal(stored.read(journal), known)[1] if journal.exists() else 0,
        left,
        memory.scope,
        other_words(target, [*chosen.statements, *raws]),
    )


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
    known = Recogniser(memory.tombstones.seal, [tombstone])
    # A rewritten history ends with the files as they are then.
    commits = (
        nullcontext() if tombstone.git else committed(memory, tombstone.id, "forget")
    )
    with commits:
        removed = remove(memory, known)
        # No page may be left that is named after what went.
        follow(memory)
    purge(memory.index)
    rewritten = rewrite_history(memory, known) if tombstone.git else None
    statements = planned.chosen.statements if planned else []
    proof = prove(memory, known, planned.target if planned else None, statements)
    history = _holding(versions(memory), known)
    if tombstone.git and (history or has_leftovers(memory, known)):
        proof.left.append(".git")
    return Receipt(
        tombstone.id,
        memory.now.isoformat(timespec="seconds"),
        tombstone.kind,
        dict(removed.lines),
        dict(+removed.more),
        proof,
        history=history,
        rewritten=rewritten,
        scopes={memory.scope: sum(removed.lines.values())},
    )


def _holding(past: Sequence[Document], known: Recogniser) -> int:
    """Return how many versions of the *past* hold something of what is *known*."""
    return sum(1 for each in past if known.lines(each.path, each.text))
