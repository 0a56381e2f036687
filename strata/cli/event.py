"""`strata event`: the gateway's way in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import memories, open_memory
from strata.errors import StrataError, UsageError, WorkspaceUnavailable
from strata.gateway.draining import drain, take_in
from strata.gateway.events import EVENTS, GatewayEvent, event_from

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.gateway.dispatch import Outcome
    from strata.memory import Memory

# These are of no conversation, and so of every agent unless one is named.
_OF_ALL = {"gateway_start", "heartbeat", "cron"}


@click.command
@click.argument("name", type=click.Choice(EVENTS), required=False)
@click.option("--session", "session_id", metavar="ID", default="", help="Whose event.")
@click.option("--reason", metavar="WORD", default="", help="Why a session ended.")
@click.option("--job", metavar="NAME", default="", help="Which scheduled job is due.")
@click.option(
    "--batch", metavar="JSON", help="A list of events, as the plugin has them."
)
@click.option(
    "--quiet-token", metavar="T", help="Print T when there is nothing to say."
)
@click.pass_context
def event(  # noqa: PLR0913, PLR0917 - one parameter an option
    context: click.Context,
    name: str | None,
    session_id: str,
    reason: str,
    job: str,
    batch: str | None,
    quiet_token: str | None,
) -> int:
    """Handle events of OpenClaw's gateway, each kept on disk before any work."""
    if batch is not None:
        given = _parse(batch)
    elif name is not None:
        given = [{"name": name, "session": session_id, "reason": reason, "job": job}]
    else:
        raise UsageError(f"which event? one of {', '.join(EVENTS)}")
    spooled, refused = _take_in(context, given)
    outcomes = [outcome for memory in spooled for outcome in drain(memory)]
    return _show(outcomes, refused, quiet_token)


def _parse(batch: str) -> list[dict[str, Any]]:
    try:
        given = json.loads(batch)
    except ValueError:
        given = None
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise UsageError("--batch takes a JSON list of events")
    return given


def _take_in(
    context: click.Context, given: Iterable[dict[str, Any]]
) -> tuple[list[Memory], list[StrataError]]:
    """
    Spool every event before the first one is handled.

    An event that cannot be taken in, of an agent without a workspace say, does not keep
    the others of its batch back.
    """
    events: dict[tuple[str, str], tuple[Memory, list[GatewayEvent]]] = {}
    refused: list[StrataError] = []
    for record in given:
        try:
            for memory in _whose(context, record):
                key = (str(memory.workspace.root), memory.agent)
                _, listed = events.setdefault(key, (memory, []))
                listed.append(event_from(record, now=memory.now))
        except StrataError as error:
            refused.append(error)
    for memory, listed in events.values():
        take_in(memory, listed)
    return [memory for memory, _ in events.values()], refused


def _whose(context: click.Context, record: dict[str, Any]) -> list[Memory]:
    agent, workspace = record.get("agent"), record.get("workspace")
    if record.get("name") in _OF_ALL and not agent:
        try:
            return memories(context)
        except WorkspaceUnavailable:
            return []  # no agent has ever run, so there is nothing to look after
    return [
        open_memory(
            context,
            agent=str(agent) if agent else None,
            workspace=str(workspace) if workspace else None,
        )
    ]


def _show(
    outcomes: list[Outcome], refused: list[StrataError], quiet_token: str | None
) -> int:
    lines = [line for outcome in outcomes for line in outcome.lines]
    errors = [outcome for outcome in outcomes if outcome.error]
    for line in lines:
        click.echo(line)
    if quiet_token and not lines and not errors and not refused:
        click.echo(quiet_token)
    if errors:
        # Each attempt failed, mostly for one reason: say it once.
        failures = dict.fromkeys(f"{each.event.name}: {each.error}" for each in errors)
        raise StrataError(f"{'; '.join(failures)}; it will be tried again")
    if refused:
        raise refused[0]
    return 0
