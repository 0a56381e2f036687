"""An event becomes a call of the hooks of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.gateway.events import GatewayEvent
    from strata.memory import Memory


def dispatch(event: GatewayEvent, memory: Memory) -> None:
    """Let every plugin handle *event*; the first failure is raised."""
    hook = getattr(memory.plugins.hook, event.name)
    hook(event=event, memory=memory)
