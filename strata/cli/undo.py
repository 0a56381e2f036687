"""`strata undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.cli.speaking import say
from strata.jobs.language import spoken_language
from strata.jobs.undo import known_runs
from strata.jobs.undo import undo as run_undo
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from strata.jobs.undo import KnownRun, UndoReport
    from strata.models import Language

_TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "run": "{0} of {1} (run {2})",
        "same": "undo: every file is as it was before the {0}",
        "would": "undo: would undo the {0}",
        "did": "undo: undid the {0}",
        "restored": "  {0} restored",
        "removed": "  {0} removed",
        "until now": "  as it was until now: {0}",
        "back": "to take this back: strata undo --run {0}",
        "undoes": "undoes {0}",
        "undone": "undone",
        "unfinished": "did not finish",
        "file": "1 file",
        "files": "{0} files",
        "none": "no run is recorded",
    },
    "zh": {
        "run": "{1} 的 {0}（运行 {2}）",
        "same": "undo：所有文件都和 {0} 之前一样",
        "would": "undo：将会撤销 {0}",
        "did": "undo：已撤销 {0}",
        "restored": "  {0} 已恢复",
        "removed": "  {0} 已移除",
        "until now": "  之前的样子留在：{0}",
        "back": "要反悔：strata undo --run {0}",
        "undoes": "撤销了 {0}",
        "undone": "已撤销",
        "unfinished": "没有做完",
        "file": "1 个文件",
        "files": "{0} 个文件",
        "none": "没有记录过任何运行",
    },
}


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
    if listed:
        _show_runs(context, known_runs(memory), _TEXTS[spoken_language(memory)])
        return 0
    report = run_undo(memory, run_id, force=force, dry_run=dry_run)
    if not dry_run:
        refresh(memory, report.paths, say=say)
    if wants_json(context):
        print_json(_document(report))
    else:
        texts = _TEXTS[spoken_language(memory)]
        click.echo("\n".join(_lines(report, texts, dry_run=dry_run)))
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


def _lines(report: UndoReport, texts: dict[str, str], *, dry_run: bool) -> list[str]:
    run = report.run
    what = texts["run"].format(run.kind, run.at[:16].replace("T", " "), run.id)
    if not report.steps:
        return [texts["same"].format(what)]
    lines = [texts["would" if dry_run else "did"].format(what)]
    for step in report.steps:
        if step.target:
            lines.append(f"  {step.target} → {step.path}")
        if step.rewrites:
            done = texts["restored" if step.image else "removed"]
            lines.append(done.format(step.path))
    lines += [texts["until now"].format(path) for path in report.backups]
    return lines + ([texts["back"].format(report.by)] if report.by else [])


def _show_runs(
    context: click.Context, runs: list[KnownRun], texts: dict[str, str]
) -> None:
    if wants_json(context):
        print_json({"runs": [_row(known) for known in runs]})
        return
    for known in runs:
        run = known.run
        notes = [texts["undoes"].format(run.undoes)] if run.undoes else []
        notes += [texts["undone"]] if known.undone else []
        notes += [] if known.finished else [texts["unfinished"]]
        files = texts["file" if known.files == 1 else "files"].format(known.files)
        when = run.at[:16].replace("T", " ")
        remark = f"  ({', '.join(notes)})" if notes else ""
        click.echo(f"{run.id}  {when}  {run.kind:<8}  {files}{remark}")
    if not runs:
        click.echo(texts["none"])


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
