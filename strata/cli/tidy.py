"""`strata tidy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import open_memory, print_json, wants_json
from strata.jobs.tidy import TidyReport
from strata.jobs.tidy import tidy as run_tidy
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAID = {
    "promoted": "new in MEMORY.md",
    "merged": "merged",
    "superseded": "superseded",
    "expired": "expired",
    "evicted": "evicted",
    "waiting": "waiting for a second word",
}


@click.command
@click.option(
    "--phase",
    type=click.Choice(["compress", "distill", "archive"]),
    help="Only this one.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option(
    "--quiet-token", metavar="T", help="Print T when there was nothing to do."
)
@click.pass_context
def tidy(
    context: click.Context, phase: str | None, quiet_token: str | None, *, dry_run: bool
) -> int:
    """Make weeks of old days, let MEMORY.md say what lasts, and archive the days."""
    memory = open_memory(context)
    report = run_tidy(
        memory,
        compress=phase in {None, "compress"},
        distill=phase in {None, "distill"},
        archive=phase in {None, "archive"},
        dry_run=dry_run,
    )
    if not dry_run:
        refresh(memory, report.paths, say=lambda line: click.echo(line, err=True))
    if wants_json(context):
        print_json(_document(report))
    elif quiet_token and _is_quiet(report):
        click.echo(quiet_token)
    else:
        click.echo(_summary(report))
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
    kept = ("id", "text", "section", "line", "dimension", "reason", "by")
    return {key: record[key] for key in kept if key in record}


def _is_quiet(report: TidyReport) -> bool:
    """Say whether nothing happened that a person would want to hear of."""
    return not report.paths and not report.distilled.of("waiting")


def _summary(report: TidyReport) -> str:
    told = [*_moved(report), *_lines(report)]
    return f"memory-tidy: {', '.join(told)}" if told else "memory-tidy: no changes"


def _moved(report: TidyReport) -> Iterator[str]:
    if report.compressed:
        weeks = {path for _, path in report.compressed}
        yield f"{len(report.compressed)} days compressed into {len(weeks)} weeks"
    if report.archived:
        yield f"{len(report.archived)} notes archived"


def _lines(report: TidyReport) -> Iterator[str]:
    for event, said in _SAID.items():
        count = len(report.distilled.of(event))
        if count and (report.distilled.changed or event == "waiting"):
            yield f"{count} {said}"
