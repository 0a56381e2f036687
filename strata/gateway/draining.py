"""The spool is worked off by one process at a time, and failures are tried again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from strata.errors import Busy, StrataError
from strata.gateway.dispatch import Outcome, dispatch
from strata.gateway.events import GatewayEvent, event_from
from strata.workspace.locks import exclusive
from strata.workspace.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from strata.memory import Memory
    from strata.workspace.spool import Spooled

# What is due later than this is left to the next event, heartbeat or scheduled sync.
PATIENCE_SECONDS = 40.0
_NAP_SECONDS = 0.5


def spool_of(memory: Memory) -> Spool:
    """Return the spool in the workspace of *memory*."""
    return Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)


def take_in(memory: Memory, events: Iterable[GatewayEvent]) -> None:
    """Keep *events* durably, before any work is done for them."""
    memory.workspace.make_private()
    spool = spool_of(memory)
    for event in events:
        spool.add(event.record())


def drain(
    memory: Memory,
    *,
    patience_seconds: float = PATIENCE_SECONDS,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Outcome]:
    """
    Handle what is in the spool, and say what became of it.

    Where another process is at it, leave it to that one: it looks again after it is done,
    so nothing that was spooled before this call stays behind.
    """
    spool = spool_of(memory)
    outcomes: list[Outcome] = []
    while spool.due():
        try:
            with exclusive(
                memory.workspace.layout.private / "locks" / "spool.lock",
                timeout_seconds=0,
                doing="handling events",
            ):
                outcomes += _work_off(memory, spool, patience_seconds, sleep)
        except Busy:
            break
    return outcomes


def _work_off(
    memory: Memory,
    spool: Spool,
    patience_seconds: float,
    sleep: Callable[[float], None],
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    while _soon(spool, patience_seconds):
        due = [same for same in _grouped(spool.pending()) if _is_due(spool, same)]
        if not due:
            sleep(_NAP_SECONDS)
            continue
        outcomes.extend(_handle(memory, spool, same) for same in due)
    return outcomes


def _soon(spool: Spool, patience_seconds: float) -> bool:
    limit = spool.now() + patience_seconds
    return any(record.not_before <= limit for record in spool.pending())


def _is_due(spool: Spool, same: list[Spooled]) -> bool:
    return any(record.not_before <= spool.now() for record in same)


def _grouped(records: Iterable[Spooled]) -> list[list[Spooled]]:
    """Put together what differs in nothing but its time: once is enough for all."""
    groups: dict[tuple[object, ...], list[Spooled]] = {}
    for record in records:
        parts = (
            record.content.get(key) for key in ("name", "session", "reason", "job")
        )
        groups.setdefault(tuple(parts), []).append(record)
    return list(groups.values())


def _handle(memory: Memory, spool: Spool, same: list[Spooled]) -> Outcome:
    outcome = _attempt(memory, same[-1])
    for record in same:
        if outcome.error:
            spool.failed(record, outcome.error)
        else:
            spool.done(record)
    return outcome


def _attempt(memory: Memory, record: Spooled) -> Outcome:
    try:
        event = event_from(record.content, now=memory.now)
    except (StrataError, ValueError) as error:
        return Outcome(GatewayEvent("", memory.now), error=str(error))
    return dispatch(event, memory)
