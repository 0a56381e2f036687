"""`strata tidy`."""

from __future__ import annotations

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.jobs.tidy import TidyReport
from strata.jobs.tidy import tidy as run_tidy
from strata.jobs.update import refresh


@click.command
@click.option(
    "--phase", type=click.Choice(["compress", "archive"]), help="Only this one."
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option(
    "--quiet-token", metavar="T", help="Print T when there was nothing to do."
)
@click.pass_context
def tidy(
    context: click.Context, phase: str | None, quiet_token: str | None, *, dry_run: bool
) -> int:
    """Compress days older than a week into weekly summaries, and archive them."""
    memory = open_memory(context)
    report = run_tidy(
        memory,
        compress=phase in {None, "compress"},
        archive=phase in {None, "archive"},
        dry_run=dry_run,
    )
    if not dry_run:
        refresh(memory, report.paths, say=lambda line: click.echo(line, err=True))
    if wants_json(context):
        print_json(_document(report))
    elif quiet_token and not report.paths:
        click.echo(quiet_token)
    else:
        click.echo(_summary(report))
    return 0


def _document(report: TidyReport) -> dict[str, object]:
    return {
        "compressed": [
            {"date": day.isoformat(), "path": path} for day, path in report.compressed
        ],
        "archived": [{"from": path, "to": target} for path, target in report.archived],
    }


def _summary(report: TidyReport) -> str:
    if not report.paths:
        return "memory-tidy: no changes"
    weeks = sorted({path for _, path in report.compressed})
    return (
        f"memory-tidy: {len(report.compressed)} days compressed into {len(weeks)} weeks, "
        f"{len(report.archived)} notes archived"
    )
