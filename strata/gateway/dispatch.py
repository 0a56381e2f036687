"""An event becomes a call of the hooks of its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.gateway import hookspecs
from strata.plugins import specify

if TYPE_CHECKING:
    from strata.events import GatewayEvent
    from strata.memory import Memory
    from strata.plugins import Hook, Plugins


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of *event*: what plugins have to say, or why it failed."""

    event: GatewayEvent
    lines: tuple[str, ...] = ()
    error: str = ""


def dispatch(event: GatewayEvent, memory: Memory) -> Outcome:
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
