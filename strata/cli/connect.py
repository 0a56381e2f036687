"""`strata install` and `strata uninstall`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import memories, print_json, wants_json
from strata.cli.speaking import OPENED, say, voice
from strata.errors import UsageError
from strata.jobs.connection.connecting import REGISTERED, connect, plan
from strata.jobs.connection.disconnecting import disconnect
from strata.jobs.connection.model_consent import NONE, OPENCLAW, decide, offer
from strata.jobs.connection.on_path import alias_for, place_for, settle
from strata.messages import Notice, to_people, worded
from strata.workspace import openclaw as openclaw_files
from strata.workspace.openclaw_program import find_openclaw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.jobs.connection.connecting import Plan
    from strata.jobs.connection.model_consent import Offer
    from strata.memory import Memory


@click.command
@click.option("--yes", is_flag=True, help="Make the changes without asking.")
@click.option("--dry-run", is_flag=True, help="Show what would change; change nothing.")
@click.option(
    "--change", "named", metavar="KEY", multiple=True, help="Also a key of your own."
)
@click.option(
    "--model",
    type=click.Choice([OPENCLAW, NONE]),
    help="Let Strata ask your agent's own model, or none. --yes alone agrees to none.",
)
@click.option(
    "--link/--no-link", default=None, help="Link `strata` into ~/.local/bin, or do not."
)
@click.option(
    "--slot/--no-slot",
    default=None,
    help="Give Strata OpenClaw's memory slot, or give it back.",
)
@click.pass_context
def install(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    named: tuple[str, ...],
    model: str | None,
    *,
    yes: bool,
    dry_run: bool,
    link: bool | None,
    slot: bool | None,
) -> int:
    """Connect Strata to OpenClaw: plugin, scheduled jobs, and rules for the agent."""
    found = memories(context)
    # Whoever opened last is no reason to speak another language than the first one's.
    OPENED.set(found[0])
    openclaw = find_openclaw(found[0].state_folder)
    made = plan(found, openclaw, slot=slot)
    offered = None if model else offer(found)
    _check(named, made)
    if wants_json(context) and dry_run:
        print_json(_document(made) | {"model": asdict(offered) if offered else None})
        return 0
    click.echo("\n".join(_lines(made)))
    # Who is asked reads it where the question stands.
    asks = not yes and not dry_run and sys.stdin.isatty()
    if offered and not asks:
        click.echo(f"\n{worded(offered.explanation)}")
    if dry_run:
        return 0
    if not yes and not _agreed():
        return 1
    chosen = named if yes else (*named, *_chosen(made, named))
    done = connect(found, openclaw, made, consented=chosen, say=say)
    _settle_model(found, model, offered, ask=not yes)
    _settle_link(openclaw.state, agreed=link, ask=not yes)
    if found[0].settings.digest and not done.digest:
        say(Notice("install.no-digest"))
    _finish(made, chosen, pending=done.schedules != REGISTERED)
    return 0


@click.command
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def uninstall(context: click.Context, *, yes: bool) -> int:
    """Take Strata out of OpenClaw; the Markdown stays."""
    state = openclaw_files.state_folder(context.find_root().obj["state_dir"])
    if not yes and not _agreed():
        return 1
    farewell = disconnect(state)
    for line in farewell.done:
        click.echo(worded(line))
    for line in farewell.left:
        to_people(line)
    click.echo("\n".join(["", *map(worded, farewell.stays)]))
    return 1 if farewell.left else 0


def _check(named: tuple[str, ...], made: Plan) -> None:
    known = {change.name for change in made.changes}
    for name in named:
        if name not in known:
            raise UsageError.of("install.not-a-change", name=name)


def _lines(made: Plan) -> Iterator[str]:
    say = voice("install")
    yield f"OpenClaw {made.version}\n"
    for change in made.changes:
        before = say("nothing") if change.before is None else _short(change.before)
        yield say("change", name=change.name, before=before, after=_short(change.value))
        yield say("because", why=change.why)
        if change.asked:
            yield say("left-out" if change.before is None else "yours")
    if made.slot is False:
        yield say("slot-back")
    for memory, text in made.blocks:
        yield say("block", file=f"{memory.workspace.root}/AGENTS.md")
        yield "".join(f"  | {line}\n" for line in text.splitlines())
    for schedule in made.schedules:
        yield say("job", name=schedule.name, cron=schedule.cron)
        if schedule.chat:
            yield say("digest", chat=schedule.chat)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    longest = 100
    return text if len(text) <= longest else f"{text[:longest]}…"


def _agreed() -> bool:
    if not sys.stdin.isatty():
        to_people(Notice("install.not-agreed"))
        return False
    return click.confirm(voice("install")("go-on"), default=True, err=True)


def _chosen(made: Plan, named: tuple[str, ...]) -> list[str]:
    """Ask for each key that the user had set otherwise."""
    return [
        change.name
        for change in made.changes
        if change.asked
        and change.name not in named
        and _confirmed("change-yours", name=change.name)
    ]


def _settle_model(
    found: list[Memory], model: str | None, offered: Offer | None, *, ask: bool
) -> None:
    """
    Write down whether the agent's model may be asked.

    Agreeing to changes on this machine is not agreeing to send away what was said, so
    --yes leaves that open.
    """
    if not model and offered and ask and sys.stdin.isatty():
        click.echo(f"\n{worded(offered.explanation)}", err=True)
        model = OPENCLAW if _confirmed("ask-model") else NONE
    if model:
        decide(found, model)
    if model == OPENCLAW:
        say(Notice("install.may-ask"))
    elif model or offered:
        say(Notice("install.not-asking"))


def _settle_link(state: Path, *, agreed: bool | None, ask: bool) -> None:
    """Let a shell find the command where its owner wants that, else say the alias."""
    place = place_for(state)
    if place and agreed is None and ask and sys.stdin.isatty():
        agreed = _confirmed("ask-link", folder=str(place.parent))
    if place and agreed is not None:
        settle(state, place, agreed=agreed)
    if place and agreed:
        say(Notice("install.linked"))
    elif alias := alias_for(state):
        say(Notice("install.alias", alias=alias))


def _finish(made: Plan, chosen: tuple[str, ...], *, pending: bool) -> None:
    for change in made.changes:
        if change not in made.allowed(chosen):
            say(Notice("install.stays", name=change.name))
    if pending:
        say(Notice("install.pending"))
    # Until 2026.7 a plugin is only loaded when the gateway starts.
    if made.version.startswith(("2026.6", "2026.7")):
        say(Notice("install.restart"))
    click.echo(voice("install")("done"))


def _document(made: Plan) -> dict[str, object]:
    return {
        "version": made.version,
        "changes": [
            {
                "key": change.name,
                "before": change.before,
                "after": change.value,
                "why": change.why,
                "yours": change.asked,
            }
            for change in made.changes
        ],
        "agents_md": [
            {"workspace": str(memory.workspace.root), "block": text}
            for memory, text in made.blocks
        ],
        "schedules": {each.name: each.cron for each in made.schedules},
        "slot": made.slot,
    }


def _confirmed(question: str, **values: str) -> bool:
    return click.confirm(voice("install")(question, **values), default=False, err=True)
