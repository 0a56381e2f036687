"""`strata tidy`."""

from __future__ import annotations

from typing import Any

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.cli.speaking import say
from strata.jobs.connection.model_use import model_document
from strata.jobs.deciding.asking import Mode
from strata.jobs.report import tidy_report
from strata.jobs.tidy import TidyReport, tidy_scopes
from strata.jobs.tidy import tidy as run_tidy
from strata.jobs.update import refresh


@click.command
@click.option(
    "--phase",
    type=click.Choice(["compress", "distill", "archive"]),
    help="Only this one.",
)
@click.option(
    "--mode",
    type=click.Choice([Mode.AUTO.value, Mode.ASK.value]),
    help="Change MEMORY.md, or only propose (setting tidy.mode).",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option(
    "--quiet-token", metavar="T", help="Print T when there was nothing to do."
)
@click.pass_context
def tidy(
    context: click.Context,
    phase: str | None,
    mode: str | None,
    quiet_token: str | None,
    *,
    dry_run: bool,
) -> int:
    """Make weeks of old days, let MEMORY.md say what lasts, and archive the days."""
    memory = open_memory(context)
    # Who said what in a group is not known, so that it has no page.
    distill = phase in {None, "distill"} and memory.is_of_one
    report = run_tidy(
        memory,
        compress=phase in {None, "compress"},
        distill=distill,
        archive=phase in {None, "archive"},
        dry_run=dry_run,
        mode=Mode(mode) if mode else None,
    )
    apart = [] if phase or memory.parent else tidy_scopes(memory, dry_run=dry_run)
    if not dry_run:
        refresh(memory, [*report.paths, *apart], say=say)
    if wants_json(context):
        told = {"judged": report.judged, "left_to_rules": report.left_to_rules}
        print_json(_document(report) | model_document(memory, **told))
    elif quiet_token and not (report.paths or report.distilled.of("waiting")):
        click.echo(quiet_token)
    else:
        click.echo(tidy_report(memory, report, dry_run=dry_run))
    return 0


def _document(report: TidyReport) -> dict[str, object]:
    distilled = report.distilled
    return {
        "compressed": [
            {"date": day.isoformat(), "path": path} for day, path in report.compressed
        ],
        **{
            event: [_told(record) for record in distilled.of(event)]
            for event in distilled.records
        },
        "archived": [{"from": path, "to": target} for path, target in report.archived],
        "backup": distilled.backup,
    }


def _told(record: dict[str, Any]) -> dict[str, Any]:
    """Return what a program needs of *record*; `strata trace` has the rest."""
    kept = ("id", "text", "section", "line", "dimension", "reason", "by", "model")
    return {key: record[key] for key in kept if key in record}
