"""The scheduled jobs: a safety net for days on which no event was seen, and tidy."""

from __future__ import annotations

from strata import GatewayEvent, Memory, hookimpl
from strata.jobs.scheduled import run_scheduled


@hookimpl(tryfirst=True)
def cron(event: GatewayEvent, memory: Memory) -> str | None:
    """Run the job that is due."""
    return run_scheduled(memory, event.job)
