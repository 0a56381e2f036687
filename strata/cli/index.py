"""`strata update` and `strata embed`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, tell
from strata.cli.progress import progress_bar
from strata.messages import Notice, to_people, worded

if TYPE_CHECKING:
    from strata.search.indexing.reports import UpdateReport


@click.command
@click.option("--rebuild", is_flag=True, help="Make the index anew from the files.")
@click.pass_context
def update(context: click.Context, *, rebuild: bool) -> int:
    """Refresh the index from the memory files."""
    from strata.jobs.update import update as run_update  # noqa: PLC0415

    memory = open_memory(context)
    with progress_bar(Notice("update.indexing")) as progress:
        report = run_update(memory, rebuild=rebuild, progress=progress)
    return _show(context, "update", report)


@click.command
@click.pass_context
def embed(context: click.Context) -> int:
    """Embed what is not embedded yet; get the model first where it is missing."""
    from strata.jobs.update import embed as run_embed  # noqa: PLC0415

    memory = open_memory(context)
    with progress_bar(Notice("update.embedding")) as progress:
        report = run_embed(memory, progress=progress, say=to_people)
    return _show(context, "embed", report)


def _show(context: click.Context, job: str, report: UpdateReport) -> int:
    counts = asdict(report)
    told = counts | {
        "files": Notice("count.files", count=report.files),
        "chunks": Notice("count.chunks", count=report.chunks),
    }
    tell(context, counts, [worded(Notice("update.done", job=job, **told))])
    return 0
