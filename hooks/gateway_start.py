"""When the gateway comes up, catch up with what happened while it was down."""

from __future__ import annotations

from strata import Memory, hookimpl
from strata.jobs.scheduled import begin


@hookimpl(tryfirst=True)
def gateway_start(memory: Memory) -> None:
    """Settle whatever is new, and finish an installation that waited for a gateway."""
    begin(memory)
