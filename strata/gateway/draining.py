"""The spool is worked off by one process a lane at a time, and failures are tried again."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from strata.errors import Busy, UsageError
from strata.events import OF_A_CONVERSATION, GatewayEvent, event_from
from strata.gateway import hookspecs
from strata.plugins import specify
from strata.workspace.locks import exclusive
from strata.workspace.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from strata.memory import Memory
    from strata.plugins import Hook, Plugins
    from strata.workspace.spool import Spooled

# What is due later than this is left to the next event, heartbeat or scheduled sync.
PATIENCE_SECONDS = 40.0
_NAP_SECONDS = 0.5
_LOOK_AGAIN_SECONDS = 0.05


class Lane(StrEnum):
    """
    What waits for what: a conversation's words never wait for anything else.

    Chores take long: registering jobs starts OpenClaw's own command line, twice a job.
    """

    CONVERSATIONS = "conversations"
    CHORES = "chores"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of *event*: what plugins have to say, or why it failed."""

    event: GatewayEvent
    lines: tuple[str, ...] = ()
    error: str = ""


def lane_of(record: Spooled) -> Lane:
    """Return the lane in which *record* is handled."""
    if record.content.get("name") in OF_A_CONVERSATION:
        return Lane.CONVERSATIONS
    return Lane.CHORES


def spool_of(memory: Memory) -> Spool:
    """Return the spool in the workspace of *memory*."""
    return Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)


def take_in(memory: Memory, events: Iterable[GatewayEvent]) -> list[Spooled]:
    """Keep *events* durably, before any work is done for them."""
    memory.workspace.make_private()
    spool = spool_of(memory)
    return [spool.add(event.record()) for event in events]


def drain(
    memory: Memory,
    *,
    lanes: Iterable[Lane] = tuple(Lane),
    patience_seconds: float = PATIENCE_SECONDS,
    sleep: Callable[[float], None] = time.sleep,
) -> list[Outcome]:
    """
    Handle what is in the spool, one lane after the other, and say what became of it.

    Where another process is at a lane, leave it to that one: it looks again after it is
    done, so nothing that was spooled before this call stays behind.
    """
    outcomes: list[Outcome] = []
    for lane in lanes:
        with suppress(Busy):
            outcomes.extend(_worked_off(memory, lane, patience_seconds, sleep))
    return outcomes


def wait_until_tried(
    memory: Memory, records: Collection[Spooled], *, seconds: float
) -> None:
    """Wait until each of *records* was handled or has failed once, by whatever process."""
    spool = spool_of(memory)
    names = {record.name for record in records}
    deadline = time.monotonic() + seconds
    while any(each.name in names and not each.attempts for each in spool.pending()):
        if time.monotonic() >= deadline:
            return
        time.sleep(_LOOK_AGAIN_SECONDS)


def _worked_off(
    memory: Memory,
    lane: Lane,
    patience_seconds: float,
    sleep: Callable[[float], None],
) -> Iterator[Outcome]:
    spool = spool_of(memory)
    lock = memory.workspace.layout.private / "locks" / f"{lane}.lock"
    while _waiting(spool, lane, within_seconds=0.0):
        with exclusive(lock, timeout_seconds=0, doing="events"):
            while waiting := _waiting(spool, lane, within_seconds=patience_seconds):
                due = [same for same in _grouped(waiting) if _is_due(spool, same)]
                if not due:
                    sleep(_NAP_SECONDS)
                for same in due:
                    yield _handle(memory, spool, same)


def _waiting(spool: Spool, lane: Lane, *, within_seconds: float) -> list[Spooled]:
    """Return what is in *lane*, if any of it is due within *within_seconds*."""
    limit = spool.now() + within_seconds
    waiting = [record for record in spool.pending() if lane_of(record) is lane]
    return waiting if any(each.not_before <= limit for each in waiting) else []


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
    try:
        event = event_from(same[-1].content, now=memory.now)
    except (UsageError, ValueError) as error:
        for record in same:
            spool.refuse(record, str(error))
        return Outcome(GatewayEvent("", memory.now), error=str(error))
    outcome = _dispatched(event, memory)
    for record in same:
        if outcome.error:
            spool.failed(record, outcome.error)
        else:
            spool.done(record)
    return outcome


def _dispatched(event: GatewayEvent, memory: Memory) -> Outcome:
    """Let every plugin handle *event*; the first failure ends it and is told."""
    hook = _hook(memory.plugins, event.name)
    try:
        said = hook(event=event, memory=memory)
    except Exception as error:  # noqa: BLE001 - whatever it is, the event is tried again
        return Outcome(event, error=f"{type(error).__name__}: {error}")
    return Outcome(
        event, tuple(line for line in said if isinstance(line, str) and line)
    )


def _hook(plugins: Plugins, name: str) -> Hook:
    known: Hook | None = getattr(plugins.hook, name, None)
    if known is None or not known.has_spec():
        # Only here is it known what they get: a memory is made of plugins itself.
        specify(plugins, hookspecs)
    found: Hook = getattr(plugins.hook, name)
    return found
