"""What the owner forgets is forgotten in the memories of groups and other people too."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from strata.jobs.undoing.runs import LOCK_SECONDS, alone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.memory import Memory


def scopes_of(memory: Memory) -> list[Memory]:
    """Return the memories beside *memory*, where that is the owner's own."""
    if memory.parent:
        return []
    return [memory.within(name) for name in memory.scopes.names()]


@contextmanager
def alone_in_scopes(
    memory: Memory, *, patience_seconds: float = LOCK_SECONDS
) -> Iterator[Sequence[Memory]]:
    """
    Let no other job change the memories beside *memory*, and give them.

    Whoever does that holds the lock of *memory*, as sync does: so nobody waits in a ring.
    """
    with ExitStack() as turns:
        scopes = scopes_of(memory)
        for each in scopes:
            waiting = alone(each, doing="forgetting", patience_seconds=patience_seconds)
            turns.enter_context(waiting)
        yield scopes


def inherit(memory: Memory) -> None:
    """
    Take over what the owner has forgotten everywhere, where *memory* is a scope.

    A run that was killed had written it into the owner's memory first; and a scope may be
    made after something was forgotten.
    """
    if memory.parent is None or not memory.parent.tombstones.exist:
        return
    known = {each.id for each in memory.tombstones.all()}
    for tombstone in memory.parent.tombstones.all():
        if tombstone.everywhere and tombstone.id not in known:
            memory.tombstones.add(tombstone.within(memory.scope))
