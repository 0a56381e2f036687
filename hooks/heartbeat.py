"""On every heartbeat, catch up, mend what can be mended, and speak only of the rest."""

from __future__ import annotations

from strata import Memory, hookimpl
from strata.jobs.scheduled import look_after


@hookimpl(tryfirst=True)
def heartbeat(memory: Memory) -> str | None:
    """Say what a person must do, if anything."""
    return look_after(memory)
