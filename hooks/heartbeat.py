"""On every heartbeat, catch up with what an event may have missed."""

from __future__ import annotations

from strata import Memory, hookimpl
from strata.jobs.settle import settle


@hookimpl(tryfirst=True)
def heartbeat(memory: Memory) -> None:
    """Settle whatever is new, in any conversation."""
    settle(memory)
