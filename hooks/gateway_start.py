"""When the gateway comes up, catch up with what happened while it was down."""

from __future__ import annotations

from strata import Memory, hookimpl
from strata.jobs.settle import settle


@hookimpl(tryfirst=True)
def gateway_start(memory: Memory) -> None:
    """Settle whatever is new, in any conversation."""
    settle(memory)
