"""`strata status`: what is there, on one screen."""

from __future__ import annotations

import click

from strata.cli.options import open_memory, tell
from strata.cli.showing import padded
from strata.cli.speaking import voice
from strata.jobs.checks.encryption import refuse_locked
from strata.jobs.status import status as take_status
from strata.jobs.status_rows import rows_of
from strata.messages import worded

_COLUMN = 15


@click.command
@click.pass_context
def status(context: click.Context) -> int:
    """Show what Strata holds, when it last ran, and what it skipped and why."""
    memory = open_memory(context, locked=True)
    refuse_locked(memory)
    found = take_status(memory)
    say = voice("status", memory)
    lines = (
        f"{padded(say(label), _COLUMN)}{worded(told, say.language)}".rstrip()
        for label, told in rows_of(found, say)
    )
    tell(context, found.document(), lines)
    return 0
