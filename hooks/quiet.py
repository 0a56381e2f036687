"""When nothing was said for a while, write down what is worth keeping."""

from __future__ import annotations

from strata import GatewayEvent, Memory, hookimpl
from strata.jobs.settle import settle_quiet


@hookimpl(tryfirst=True)
def quiet(event: GatewayEvent, memory: Memory) -> str:
    """Settle the conversation that the event names; say how long a while is."""
    return settle_quiet(memory, event.session_id)
