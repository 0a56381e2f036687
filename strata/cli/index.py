"""`strata update` and `strata embed`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from strata.cli.options import open_memory, tell
from strata.cli.progress import progress_bar
from strata.messages import Notice, to_people, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.comparing_models import Comparison
    from strata.memory import Memory
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
@click.option("--model", metavar="NAME", help="Change to another embedding model.")
@click.option(
    "--compare", metavar="NAME", help="Measure it beside yours, on your own notes."
)
@click.pass_context
def embed(context: click.Context, model: str | None, compare: str | None) -> int:
    """Embed what is not embedded yet; get the model first where it is missing."""
    from strata.jobs.update import choose_model  # noqa: PLC0415
    from strata.jobs.update import embed as run_embed  # noqa: PLC0415

    memory = open_memory(context)
    if compare:
        return _compare(context, memory, compare)
    if model:
        memory = choose_model(memory, model, to_people)
    with progress_bar(Notice("update.embedding")) as progress:
        report = run_embed(memory, progress=progress, say=to_people)
    return _show(context, "embed", report)


def _compare(context: click.Context, memory: Memory, name: str) -> int:
    """Show how two models do on the owner's notes."""
    from strata.jobs.comparing_models import compare_models  # noqa: PLC0415

    with progress_bar(Notice("comparing.label")) as progress:
        found = compare_models(memory, name, progress=progress, say=to_people)
    tell(context, asdict(found), _compared(found))
    return 0


def _compared(found: Comparison) -> Iterator[str]:
    yield worded(Notice("comparing.how", many=found.many))
    for group in found.groups:
        kind = Notice(f"comparing.{group.kind}", count=group.many)
        yield worded(kind)
        for each in group.scores:
            figures = {"first": f"{each.first:.0%}", "five": f"{each.five:.0%}"}
            yield worded(Notice("comparing.line", name=each.name, **figures))
        better = "better" if group.better else "equal"
        yield worded(Notice(f"comparing.{better}", name=group.better))
    speeds = [f"{each.name} {each.milliseconds:.0f} ms" for each in found.models]
    yield worded(Notice("comparing.speed", speeds=speeds))


def _show(context: click.Context, job: str, report: UpdateReport) -> int:
    counts = asdict(report)
    told = counts | {
        "files": Notice("count.files", count=report.files),
        "chunks": Notice("count.chunks", count=report.chunks),
    }
    tell(context, counts, [worded(Notice("update.done", job=job, **told))])
    return 0
