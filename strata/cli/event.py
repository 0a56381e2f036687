"""`strata event`: the gateway's way in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import memories, open_memory, print_json, wants_json
from strata.errors import StrataError, UsageError, WorkspaceUnavailable
from strata.events import (
    AWAITED,
    COMMAND,
    EVENTS,
    OF_A_CONVERSATION,
    OF_ALL,
    GatewayEvent,
    event_from,
)
from strata.gateway.draining import Lane, drain, take_in, wait_until_tried
from strata.jobs.checks.encryption import refuse_locked
from strata.jobs.redo import redo_waiting
from strata.jobs.update import refresh
from strata.messages import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.gateway.draining import Outcome
    from strata.memory import Memory
    from strata.workspace.spool import Spooled

# No longer than the plugin does, which OpenClaw lets wait for half a minute.
_WAIT_SECONDS = 10.0


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
        if [each.get("name") for each in given] == [COMMAND]:
            # Every event loads this module, and hardly one is a question of the owner's.
            from strata.cli.answering import answer  # noqa: PLC0415

            return answer(context, given[0])
        return _carry(context, given)
    if name is None:
        raise UsageError.of("usage.which-event", events=list(EVENTS))
    single = {"name": name, "session": session_id, "reason": reason, "job": job}
    taken, refused = _take_in(context, [single])
    outcomes = _finish([memory for memory, _ in taken])
    lines = _said(outcomes, [single])
    told = lines or ([quiet_token] if quiet_token else [])
    if wants_json(context):
        print_json({"lines": lines})
    elif told:
        click.echo("\n".join(map(worded, told)))
    _complain(outcomes, refused)
    return 0


def _carry(context: click.Context, given: list[dict[str, Any]]) -> int:
    """
    Answer in one line, an exit code and what plugins have to say, before the rest is done.

    OpenClaw goes on with the answer: the words of *given* then stand in the notes, but
    are not indexed yet, and what failed is yet to be tried again.
    """
    taken, refused = _take_in(context, given)
    of_conversations = any(each.get("name") in OF_A_CONVERSATION for each in given)
    lanes = [Lane.CONVERSATIONS] if of_conversations else list(Lane)
    outcomes = [
        outcome
        for memory, _ in taken
        for outcome in drain(memory, lanes=lanes, patience_seconds=0)
    ]
    if any(each.get("name") in AWAITED for each in given):
        for memory, records in taken:
            wait_until_tried(memory, records, seconds=_WAIT_SECONDS)
    failed = any(outcome.error for outcome in outcomes) or bool(refused)
    lines = _said(outcomes, given)
    told = [str(int(failed)), *map(worded, lines)]
    click.echo(" ".join(told).replace("\n", " "))
    outcomes += _finish([memory for memory, _ in taken], outcomes)
    _complain(outcomes, refused)
    return 0


def _said(outcomes: Iterable[Outcome], given: Iterable[dict[str, Any]]) -> list[str]:
    """Return what was said to events such as *given*: others may have waited, unasked."""
    names = {each.get("name") for each in given}
    return [
        line for each in outcomes if each.event.name in names for line in each.lines
    ]


def _finish(spooled: list[Memory], done: Iterable[Outcome] = ()) -> list[Outcome]:
    """Handle what is left and try again what failed, then index what was written."""
    outcomes = [outcome for memory in spooled for outcome in drain(memory)]
    if any(each.event.name in OF_A_CONVERSATION for each in (*done, *outcomes)):
        for memory in spooled:
            refresh(memory, None, say=lambda _line: None)
            # After the notes stand and the next event may come: a model takes its time.
            redone = redo_waiting(memory)
            if redone:
                refresh(memory, redone, say=lambda _line: None)
    return outcomes


def _parse(batch: str) -> list[dict[str, Any]]:
    try:
        given = json.loads(batch)
    except ValueError:
        given = None
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise UsageError.of("usage.batch")
    return given


def _take_in(
    context: click.Context, given: Iterable[dict[str, Any]]
) -> tuple[list[tuple[Memory, list[Spooled]]], list[StrataError]]:
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
    taken = []
    for memory, listed in events.values():
        records = take_in(memory, listed)
        try:
            # Without the key of their memory, events wait and count no failure.
            refuse_locked(memory)
            taken.append((memory, records))
        except StrataError as error:
            refused.append(error)
    return taken, refused


def _whose(context: click.Context, record: dict[str, Any]) -> list[Memory]:
    agent, workspace = record.get("agent"), record.get("workspace")
    if record.get("name") in OF_ALL and not agent:
        try:
            return memories(context, locked=True)
        except WorkspaceUnavailable:
            return []  # no agent has ever run, so there is nothing to look after
    return [
        open_memory(
            context,
            agent=str(agent) if agent else None,
            workspace=str(workspace) if workspace else None,
            locked=True,
        )
    ]


def _complain(outcomes: Iterable[Outcome], refused: list[StrataError]) -> None:
    """Raise what went wrong, if anything did."""
    # Each attempt failed, mostly for one reason: say it once.
    failures = dict.fromkeys(
        f"{each.event.name}: {each.error}" for each in outcomes if each.error
    )
    if failures:
        raise StrataError(f"{'; '.join(failures)}; it will be tried again")
    if refused:
        raise refused[0]
