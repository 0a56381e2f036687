"""`strata sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.again import Again
from strata.cli.options import open_memory, print_json, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import say_as_strata
from strata.durations import moment_since
from strata.errors import UsageError
from strata.jobs.capturing.thinking import has_model
from strata.jobs.connection.model_use import model_document
from strata.jobs.language import spoken_language
from strata.jobs.redo import redo_waiting
from strata.jobs.sync import sync as run_sync
from strata.jobs.update import refresh
from strata.messages import Notice, Voice, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.sync import SyncReport
    from strata.memory import Memory


@click.command
@click.option("--since", metavar="DUR|ISO", help="Look again at all since then (30d).")
@click.option("--session", metavar="ID", help="Only this conversation.")
@click.option(
    "--dry-run", is_flag=True, help="Say what would be written; write nothing."
)
@click.option(
    "--quiet-token", metavar="T", help="Print T when there was nothing to do."
)
@click.option("--redo", is_flag=True, help="Let the model redo what had none.")
@click.option("--prepare", is_flag=True, help="Print a question for the agent.")
@click.option("--commit", "answer", metavar="FILE|-", help="Take the agent's answer.")
@click.pass_context
def sync(  # noqa: PLR0913 - one option each
    context: click.Context,
    since: str | None,
    session: str | None,
    quiet_token: str | None,
    answer: str | None,
    *,
    dry_run: bool,
    redo: bool,
    prepare: bool,
) -> int:
    """Capture what was said since the last time into daily notes."""
    memory = open_memory(context)
    if redo + prepare + (answer is not None) > 1:
        raise UsageError(Notice("sync.three-commands"))
    if redo or answer is not None:
        again = Again(context, memory)
        return (
            again.commit(answer) if answer is not None else again.redo(since, dry_run)
        )
    with progress_bar(Notice("sync.reading")) as progress:
        report = run_sync(
            memory,
            since=moment_since(since, memory.now) if since and not prepare else None,
            only=session,
            dry_run=dry_run,
            progress=progress,
        )
    if not dry_run:
        redone = redo_waiting(memory)
        refresh(memory, [*report.paths, *redone], say=say_as_strata)
    if prepare:
        return Again(context, memory).prepare(since, quiet_token)
    if wants_json(context):
        print_json(_document(report) | model_document(memory))
    elif quiet_token and not report.captured and not report.problems:
        click.echo(quiet_token)
    else:
        say = Voice("sync", spoken_language(memory))
        parts = [
            *_summary(report, say, dry_run=dry_run),
            *_asked(memory, say, dry_run=dry_run),
        ]
        click.echo(text(say.language, "words.semicolon").join(parts))
    for problem in report.problems:
        say_as_strata(problem)
    return 1 if report.problems else 0


def _document(report: SyncReport) -> dict[str, object]:
    return {
        "captured": [
            {
                "session": session_id,
                "date": block.day.isoformat(),
                "messages": block.messages,
                "entries": len(block.entries),
                "path": path,
            }
            for session_id, block, path in report.captured
        ],
        "skipped": [
            {"session": session_id, "reason": reason}
            for session_id, reason in report.skipped
        ],
        "malformed_lines": report.malformed_lines,
        "unsupported_facts": report.unsupported_facts,
    }


def _summary(report: SyncReport, say: Voice, *, dry_run: bool) -> Iterator[str]:
    sessions = len({session_id for session_id, _, _ in report.captured})
    entries = sum(len(block.entries) for _, block, _ in report.captured)
    yield say(
        "would-capture" if dry_run else "captured",
        conversations=Notice("count.conversations", count=sessions),
        entries=Notice("count.entries", count=entries),
    )
    if report.paths:
        yield say("in", paths=_listed(report.paths))
    yield say("skipped", count=len(report.skipped))
    if number := report.malformed_lines:
        yield say("malformed", lines=Notice("count.lines", count=number))
    if number := report.unsupported_facts:
        yield say("refused", facts=Notice("count.facts", count=number))


def _asked(memory: Memory, say: Voice, *, dry_run: bool) -> Iterator[str]:
    if dry_run:
        if has_model(memory):
            yield say("not-asked")
        return
    model = memory.model_if_open
    if model is not None and model.calls:
        times = Notice("count.times", count=model.calls)
        yield say("asked", times=times, tokens=model.tokens)


def _listed(paths: list[str]) -> list[str] | Notice:
    longest = 3
    if len(paths) <= longest:
        return paths
    notes = Notice("count.notes", count=len(paths))
    return Notice("sync.from-to", notes=notes, first=paths[0], last=paths[-1])
