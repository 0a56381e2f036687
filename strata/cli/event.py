"""`strata event`: the gateway's way in."""

from __future__ import annotations

import click

from strata.cli.options import open_memory
from strata.gateway.dispatch import dispatch
from strata.gateway.events import EVENTS, GatewayEvent


@click.command
@click.argument("name", type=click.Choice(EVENTS))
@click.option("--session", "session_id", metavar="ID", default="", help="Whose event.")
@click.option("--reason", metavar="WORD", default="", help="Why a session ended.")
@click.option("--job", metavar="NAME", default="", help="Which scheduled job is due.")
@click.pass_context
def event(
    context: click.Context, name: str, session_id: str, reason: str, job: str
) -> int:
    """Handle one event of OpenClaw's gateway."""
    memory = open_memory(context)
    dispatch(GatewayEvent(name, memory.now, session_id, reason, job), memory)
    return 0
