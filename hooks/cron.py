"""The scheduled syncs: a safety net for days on which no event was seen."""

from __future__ import annotations

from strata import GatewayEvent, Memory, hookimpl
from strata.jobs.settle import settle


@hookimpl(tryfirst=True)
def cron(event: GatewayEvent, memory: Memory) -> None:
    """Run the job that is due."""
    if event.job == "memory-sync":
        settle(memory)
