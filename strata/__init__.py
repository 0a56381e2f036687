"""Strata: the memory of OpenClaw agents."""

from __future__ import annotations

from importlib import import_module

# Not from `typing`, whose import takes longer than a warm process takes to answer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from strata.events import GatewayEvent
    from strata.hookspecs import hookimpl
    from strata.memory import Memory

__all__ = ["GatewayEvent", "Memory", "hookimpl"]

_HOMES = {
    "GatewayEvent": "strata.events",
    "Memory": "strata.memory",
    "hookimpl": "strata.hookspecs",
}


def __getattr__(name: str) -> object:
    # Imported when asked for: `import strata` alone must cost a query nothing.
    if name not in _HOMES:
        raise AttributeError(f"module 'strata' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
