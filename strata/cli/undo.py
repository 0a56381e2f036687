"""`strata undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import by_agent, open_memory, tell
from strata.cli.speaking import say, voice
from strata.jobs.undo import known_runs, refuse_agent, run_remarks
from strata.jobs.undo import undo as run_undo
from strata.jobs.undoing.telling import told_lines
from strata.jobs.update import refresh
from strata.messages import minute, text

if TYPE_CHECKING:
    from strata.jobs.undo import KnownRun
    from strata.jobs.undoing.telling import UndoReport
    from strata.messages import Voice


@click.command
@click.option(
    "--run", "run_id", metavar="ID", default="", help="Another than the last."
)
@click.option("--list", "listed", is_flag=True, help="Show the runs; change nothing.")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option(
    "--force", is_flag=True, help="Also where a file changed since; keeps a backup."
)
@click.pass_context
def undo(
    context: click.Context, run_id: str, *, listed: bool, dry_run: bool, force: bool
) -> int:
    """Bring the memory files back to what they were before the last run."""
    memory = open_memory(context)
    words = voice("undo", memory)
    if listed:
        runs = known_runs(memory)
        lines = [_line(each, words) for each in runs] or [words("none")]
        tell(context, {"runs": [_row(each) for each in runs]}, lines)
        return 0
    if by_agent() and not dry_run:
        refuse_agent(memory, run_id)
    report = run_undo(memory, run_id, force=force, dry_run=dry_run)
    if not dry_run:
        refresh(memory, report.paths, say=say)
    tell(context, _document(report), told_lines(report, words, dry_run=dry_run))
    return 0


def _document(report: UndoReport) -> dict[str, object]:
    texts = [step for step in report.steps if step.rewrites]
    return {
        "run": report.run.id,
        "kind": report.run.kind,
        "by": report.by or None,
        "restored": [step.path for step in texts if step.image],
        "removed": [step.path for step in texts if not step.image],
        "moved": [
            {"from": step.target, "to": step.path}
            for step in report.steps
            if step.target
        ],
        "backups": report.backups,
    }


def _line(known: KnownRun, say: Voice) -> str:
    run = known.run
    notes = run_remarks(known, say)
    files = text(say.language, "count.files", count=known.files)
    when = minute(run.at)
    remark = f"  ({', '.join(notes)})" if notes else ""
    return f"{run.id}  {when}  {run.kind:<8}  {files}{remark}"


def _row(known: KnownRun) -> dict[str, object]:
    return {
        "run": known.run.id,
        "kind": known.run.kind,
        "at": known.run.at,
        "files": known.files,
        "undoes": known.run.undoes or None,
        "undone": known.undone,
        "finished": known.finished,
    }
