"""When a conversation is reset, write down what is worth keeping, soft resets too."""

from __future__ import annotations

from strata import GatewayEvent, Memory, hookimpl
from strata.jobs.settle import settle


@hookimpl(tryfirst=True)
def before_reset(event: GatewayEvent, memory: Memory) -> None:
    """Settle the conversation that the event names."""
    settle(memory, event.session_id)
