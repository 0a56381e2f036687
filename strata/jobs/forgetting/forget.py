"""forget: what the owner wants gone leaves every place, and does not come back."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable, StrataError
from strata.jobs.following import follow
from strata.jobs.forgetting.documents import versions
from strata.jobs.forgetting.letting_go import let_go
from strata.jobs.forgetting.planning import PlanChanged, holding, plan_of, scopes_of
from strata.jobs.forgetting.receipt import Receipt, keep_receipt, prove
from strata.jobs.forgetting.recognition import Recogniser, inherit
from strata.jobs.forgetting.removal import has_leftovers, remove, rewrite_history
from strata.jobs.forgetting.shared import forget_shared
from strata.jobs.forgetting.spreading import spread
from strata.jobs.forgetting.talks import Clues, mark_talks
from strata.jobs.undoing.runs import LOCK_SECONDS, alone, committed
from strata.messages import Notice, to_people
from strata.progress import silent
from strata.search.indexing.purging import purge
from strata.workspace.git_history import GitHistory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.forgetting.planning import Plan
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.progress import Progress
    from strata.workspace.tombstones import Tombstone

# A reader that finds a forgetting cut off must not wait for long.
_PATIENCE_SECONDS = 10.0


def plan(
    memory: Memory,
    target: Target,
    *,
    everywhere: bool = True,
    progress: Progress = silent,
) -> Plan:
    """Return what forgetting *target* would do; nothing is written."""
    scopes = scopes_of(memory) if everywhere else []
    return plan_of(memory, target, scopes, progress, git=False)


def forget(  # noqa: PLR0913 - what the command offers
    memory: Memory,
    target: Target,
    *,
    git: bool = False,
    everywhere: bool = True,
    seen: str = "",
    progress: Progress = silent,
) -> Receipt:
    """
    Forget *target* and all that follows from it, with *git* in the history too.

    *everywhere* means the scopes beside the owner's memory as well. The tombstone is on the
    disk before anything changes, so that whatever kills this run leaves a forgetting that
    the next command completes. Raise `GitUnavailable`, with nothing changed, where the
    history cannot be rewritten safely. *seen* is the fingerprint of the plan that the
    owner agreed to: raise `PlanChanged` where it would be another by now, and without one
    `NotAccepted` where a very short name would take other words along.
    """
    with alone(memory, doing="forgetting"), ExitStack() as turns:
        memory.tombstones.prepare()
        inherit(memory)
        complete_unfinished(memory)
        everywhere = everywhere and memory.parent is None
        scopes = _enter_scopes(turns, memory) if everywhere else []
        planned = plan_of(memory, target, scopes, progress, git=git)
        tombstone = replace(planned.tombstone, everywhere=everywhere)
        _refuse(planned, seen)
        if git:
            history = GitHistory(memory.workspace.root)
            if not history.is_there:
                raise GitUnavailable(Notice("forget.no-git"))
            history.refuse_unsafe()
        memory.tombstones.add(tombstone)
        receipt = _complete(memory, tombstone, scopes, planned)
    let_go()
    return receipt


def _refuse(planned: Plan, seen: str) -> None:
    if seen and seen != planned.fingerprint:
        raise PlanChanged.of("forget.changed")
    if planned.objection and not seen:
        raise planned.objection


def complete_unfinished(memory: Memory) -> None:
    """
    Finish every forgetting that was cut off; the caller lets no other job in.

    What keeps one from its end, such as a stash in git, is said and keeps nothing else.
    """
    for tombstone in memory.tombstones.unfinished():
        try:
            with ExitStack() as turns:
                scopes = _enter_scopes(turns, memory, _PATIENCE_SECONDS)
                more = spread(memory, tombstone) if tombstone.heard else None
                if more:
                    memory.tombstones.add(more)
                    _complete(memory, more, scopes, None)
                _complete(memory, tombstone, scopes, None)
        except StrataError as error:
            to_people(Notice("forget.not-everywhere", error=error))


def _enter_scopes(
    turns: ExitStack, memory: Memory, patience_seconds: float = LOCK_SECONDS
) -> Sequence[Memory]:
    """
    Return the memories beside *memory*, which no other job changes before *turns* end.

    Whoever does that holds the lock of *memory*, as sync does: so nobody waits in a ring.
    """
    scopes = scopes_of(memory)
    for each in scopes:
        turns.enter_context(
            alone(each, doing="forgetting", patience_seconds=patience_seconds)
        )
    return scopes


def _complete(
    memory: Memory,
    tombstone: Tombstone,
    scopes: Sequence[Memory],
    planned: Plan | None,
) -> Receipt:
    """Do what *tombstone* says, in *scopes* too where it holds everywhere."""
    plans = {each.scope: each for each in planned.all} if planned else {}
    told: list[tuple[Memory, Receipt]] = []
    # Theirs first: what OpenClaw reads to a person lies in the owner's workspace.
    for each in scopes if tombstone.everywhere else ():
        inherit(each)
        share = tombstone.within(each.scope)
        told.append((each, _done(each, share, plans.get(each.scope))))
        _keep(each, share, told[-1][1])
    receipt = _done(memory, tombstone, plans.get(memory.scope))
    for each, its in told:
        receipt.take_in(its, each.path_in_private(""))
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
    clues = Clues.of(planned.target, planned.chosen) if planned else None
    with commits:
        removed = remove(memory, known, clues)
        mark_talks(memory)
        # No page may be left that is named after what went.
        follow(memory)
    if memory.shares:
        forget_shared(memory, known)
    purge(memory.index)
    rewritten = rewrite_history(memory, known) if tombstone.git else None
    statements = planned.chosen.statements if planned else []
    target = planned.target if planned else None
    proof = prove(memory, known, target, statements, clues=clues)
    history = holding(versions(memory), known)
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
