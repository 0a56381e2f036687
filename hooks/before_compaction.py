"""Before the running session is summarised, write down what was said so far."""

from __future__ import annotations

from strata import GatewayEvent, Memory, hookimpl
from strata.jobs.settle import settle


@hookimpl(tryfirst=True)
def before_compaction(event: GatewayEvent, memory: Memory) -> None:
    """Settle the conversation that the event names."""
    settle(memory, event.session_id)
