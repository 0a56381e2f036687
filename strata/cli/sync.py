"""`strata sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.again import Again
from strata.cli.options import open_memory, print_json, wants_json
from strata.cli.progress import progress_bar
from strata.durations import moment_since
from strata.errors import UsageError
from strata.jobs.capturing.thinking import has_model
from strata.jobs.connection.model_use import model_document
from strata.jobs.redo import redo_waiting
from strata.jobs.sync import sync as run_sync
from strata.jobs.update import refresh

if TYPE_CHECKING:
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
@click.option("--redo", is_flag=True, help="Let the model redo what rules captured.")
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
        raise UsageError("--redo, --prepare and --commit are three different commands")
    if redo or answer is not None:
        again = Again(context, memory)
        return (
            again.commit(answer) if answer is not None else again.redo(since, dry_run)
        )
    with progress_bar("reading conversations") as progress:
        report = run_sync(
            memory,
            since=moment_since(since, memory.now) if since and not prepare else None,
            only=session,
            dry_run=dry_run,
            progress=progress,
        )
    if not dry_run:
        redone = redo_waiting(memory)
        refresh(memory, [*report.paths, *redone], say=_say)
    if prepare:
        return Again(context, memory).prepare(since, quiet_token)
    if wants_json(context):
        print_json(_document(report) | model_document(memory))
    elif quiet_token and not report.captured and not report.problems:
        click.echo(quiet_token)
    else:
        click.echo(_summary(report, dry_run=dry_run) + _asked(memory, dry_run=dry_run))
    for problem in report.problems:
        _say(problem)
    return 1 if report.problems else 0


def _say(line: str) -> None:
    click.echo(f"strata: {line}", err=True)


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


def _summary(report: SyncReport, *, dry_run: bool) -> str:
    sessions = len({session_id for session_id, _, _ in report.captured})
    entries = sum(len(block.entries) for _, block, _ in report.captured)
    verb = "would capture" if dry_run else "captured"
    parts = [f"{verb} {_count(sessions, 'conversation')}, {_count(entries, 'entry')}"]
    if report.paths:
        parts.append("in " + _listed(report.paths))
    parts.append(f"{len(report.skipped)} with nothing to capture")
    if report.malformed_lines:
        parts.append(f"{_count(report.malformed_lines, 'unreadable line')} skipped")
    if report.unsupported_facts:
        parts.append(f"{_count(report.unsupported_facts, 'fact')} refused")
    return "sync: " + "; ".join(parts)


def _asked(memory: Memory, *, dry_run: bool) -> str:
    if dry_run and has_model(memory):
        return "; the model was not asked, and may find more or less"
    model = memory.model_if_open
    if model is None or not model.calls:
        return ""
    return f"; asked the model {_count(model.calls, 'time')}, {model.tokens} tokens"


def _count(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def _listed(paths: list[str]) -> str:
    longest = 3
    if len(paths) <= longest:
        return ", ".join(paths)
    return f"{len(paths)} notes, {paths[0]} to {paths[-1]}"
