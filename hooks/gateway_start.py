"""When the gateway comes up, catch up with what happened while it was down."""

from __future__ import annotations

from strata import Memory, hookimpl
from strata.jobs.connection.connecting import complete
from strata.jobs.settle import catch_up


@hookimpl(tryfirst=True)
def gateway_start(memory: Memory) -> None:
    """Settle whatever is new, and finish an installation that waited for a gateway."""
    catch_up(memory)
    complete(memory)
