"""`strata setup`: what scripts/install does once there is an environment."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from strata.cli.connect import install as connect
from strata.cli.options import open_memory, tell, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say, voice
from strata.errors import OpenClawNotFound
from strata.jobs import install as job
from strata.jobs.update import better_model
from strata.messages import Notice, to_people, worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.jobs.install import Demonstration
    from strata.jobs.sync import SyncReport
    from strata.memory import Memory

_MOST_PATHS = 12


@click.command
@click.option("--demo", is_flag=True, help="Show it on the sample conversations.")
@click.option("--no-model", is_flag=True, help="Do not fetch the embedding model.")
@click.option("--no-sync", is_flag=True, help="Stop before the conversations.")
@click.option("--yes", is_flag=True, help="Connect to OpenClaw without asking.")
@click.option(
    "--model",
    type=click.Choice(["openclaw", "none"]),
    help="Let Strata ask your agent's own model, or none.",
)
@click.pass_context
def setup(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    model: str | None,
    *,
    demo: bool,
    no_model: bool,
    no_sync: bool,
    yes: bool,
) -> int:
    """Get the embedding model, capture all conversations, and connect to OpenClaw."""
    if not no_model:
        job.get_model(say=say)
    if no_sync:
        return 0
    chosen = context.find_root().obj
    named = chosen["state_dir"] or chosen["workspace"]
    if demo or not (named or job.has_openclaw(None)):
        return _demonstrate(context, asked_for=demo)
    return _install(context, model, yes=yes)


def _install(context: click.Context, model: str | None, *, yes: bool) -> int:
    memory = open_memory(context)
    folders = {"state": memory.state_folder, "workspace": memory.workspace.root}
    say(Notice("setup.openclaw", **folders))
    report = job.install(memory, progress=progress_bar)
    captured = {"captured": len(report.captured), "notes": report.paths}
    tell(context, captured, _reported(report))
    for problem in report.problems:
        say(problem)
    _propose_model(memory)
    _connect(context, model, yes=yes)
    return 1 if report.problems else 0


def _connect(context: click.Context, model: str | None, *, yes: bool) -> None:
    """Go on with `strata install` where somebody agrees, or can be asked."""
    if not yes and (wants_json(context) or not sys.stdin.isatty()):
        say(Notice("setup.to-connect"))
        return
    try:
        unasked = {"dry_run": False, "named": (), "link": None, "slot": None}
        context.invoke(connect, yes=yes, model=model, **unasked)
    except OpenClawNotFound as error:
        to_people(Notice("setup.then-install", error=error))


def _demonstrate(context: click.Context, *, asked_for: bool) -> int:
    if not asked_for:
        say(Notice("setup.samples"))
    with job.demonstration(progress=progress_bar) as (shown, open_demo):
        document = {
            "notes": dict(shown.notes),
            "question": shown.question,
            "answer": [hit.citation for hit in shown.answer.hits],
        }
        tell(context, document, _demonstrated(shown))
        _offer_window(context, open_demo)
    say(Notice("setup.thrown-away"))
    return 0


def _offer_window(context: click.Context, open_demo: Callable[[], Memory]) -> None:
    """Show the demonstration in a browser too, where somebody can be asked and agrees."""
    if wants_json(context) or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    if click.confirm(worded(Notice("setup.look")), default=False):
        from strata.cli.dashboard import open_window  # noqa: PLC0415 - a server
        from strata.jobs.tidy import tidy  # noqa: PLC0415 - judges

        tidy(open_demo())
        # With Ctrl+C the look ends, not the demonstration.
        with suppress(KeyboardInterrupt):
            open_window(context, open_demo)


def _reported(report: SyncReport) -> Iterator[str]:
    sessions = len({session for session, _, _ in report.captured})
    words = voice("setup")
    conversations = Notice("count.conversations", count=sessions)
    notes = Notice("count.notes", count=len(report.paths))
    yield words("captured", conversations=conversations, notes=notes)
    yield from (f"  {path}" for path in report.paths[:_MOST_PATHS])
    if len(report.paths) > _MOST_PATHS:
        yield words("more", count=len(report.paths) - _MOST_PATHS)
    yield words("ask")


def _propose_model(memory: Memory) -> None:
    """Say which model would read the owner's languages, where the one there does not."""
    other = better_model(memory)
    if other is not None:
        used, size = memory.settings.embedding_model, other.parts_megabytes
        values = {"used": used, "name": other.name, "megabytes": size}
        say(Notice("setup.other-model", **values))


def _demonstrated(shown: Demonstration) -> Iterator[str]:
    yield from (f"── {path}\n{text}" for path, text in shown.notes)
    yield f"── {shown.question}"
    yield from (f"{hit.citation}\n{hit.snippet}" for hit in shown.answer.hits)
    if not shown.answer.hits:
        yield worded(Notice("setup.nothing-found"))
