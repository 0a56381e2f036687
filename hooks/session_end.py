"""When a session ends, write down what is worth keeping."""

from __future__ import annotations

from strata import GatewayEvent, Memory, hookimpl
from strata.jobs.settle import settle


@hookimpl(tryfirst=True)
def session_end(event: GatewayEvent, memory: Memory) -> None:
    """Settle the conversation that the event names."""
    settle(memory, event.session_id)
