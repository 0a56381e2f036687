"""`strata export`: one memory in a file that is its owner's to take along."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from strata.cli.options import here, open_memory, tell, wants_json
from strata.cli.progress import progress_bar
from strata.cli.speaking import voice
from strata.durations import moment_since
from strata.errors import NotAccepted
from strata.jobs.exporting.export import ARCHIVE, ENDINGS, FORMS, is_encrypted
from strata.jobs.exporting.export import export as run_export
from strata.messages import Notice, on_one_line, to_people, worded
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.exporting.export import ExportReport
    from strata.memory import Memory
    from strata.messages import Voice

_MOST_NAMED = 3


@click.command
@click.argument("destination", required=False, default="")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default=ARCHIVE,
    help="archive to go on elsewhere, the others to read.",
)
@click.option("--since", metavar="DUR|ISO", help="Only what is dated since then (30d).")
@click.option(
    "--with-index",
    is_flag=True,
    help="The vectors of the search index too, in an archive.",
)
@click.option("--overwrite", is_flag=True, help="Replace the file that is there.")
@click.option("--yes", is_flag=True, help="Decrypt an encrypted memory without asking.")
@click.pass_context
def export(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    destination: str,
    *,
    form: str,
    since: str | None,
    with_index: bool,
    overwrite: bool,
    yes: bool,
) -> int:
    """
    Write your memory to a file: no secret and nothing forgotten is in it.

    It is your own memory alone; `--scope` names that of a group or another person.
    """
    memory = open_memory(context)
    if is_encrypted(memory):
        _agree_to_decrypt(context, agreed=yes)
    target = _target(memory, destination, form)
    first = moment_since(since, memory.now) if since else None
    with progress_bar(Notice("export.scanning")) as progress:
        report = run_export(
            memory,
            target,
            form,
            since=first.astimezone(memory.timezone).date() if first else None,
            with_index=with_index,
            overwrite=overwrite,
            progress=progress,
        )
    tell(context, _document(report), _lines(report, voice("export", memory)))
    return 0


def _agree_to_decrypt(context: click.Context, *, agreed: bool) -> None:
    """Say that what leaves is plain; where nobody can answer, the answer is no."""
    to_people(Notice("export.decrypted"))
    if agreed:
        return
    if wants_json(context) or not sys.stdin.isatty():
        raise NotAccepted.of("export.decrypt-yes")
    if not click.confirm(worded(Notice("export.decrypt-ask")), err=True):
        raise NotAccepted.of("export.kept")


def _target(memory: Memory, destination: str, form: str) -> Path:
    """Return what is to be written: a name of ours where none or a folder is given."""
    scope = "" if memory.scope == PRIVATE else f"-{memory.scope.replace(':', '-')}"
    name = f"strata-{form}{scope}-{memory.now:%Y-%m-%d}{ENDINGS[form]}"
    place = here() / Path(destination).expanduser()
    if not destination or (place.is_dir() and ENDINGS[form]):
        return place / name
    return place


def _document(report: ExportReport) -> dict[str, Any]:  # Any: it is JSON
    return {
        "path": str(report.target),
        "format": report.form,
        "scope": report.scope,
        "notes": report.notes,
        "entries": report.entries,
        "bytes": report.bytes,
        "masked": report.masked,
        "left_out": list(map(on_one_line, report.left_out)),
        "index": str(report.index) if report.index else None,
    }


def _lines(report: ExportReport, say: Voice) -> Iterator[str]:
    yield say(
        "done",
        notes=Notice("count.notes", count=report.notes),
        entries=Notice("count.entries", count=report.entries),
        target=on_one_line(str(report.target)),
        size=math.ceil(report.bytes / 1000),
    )
    yield say("masked", count=report.masked) if report.masked else say("clean")
    if left := [on_one_line(path) for path in report.left_out]:
        rest = len(left) - _MOST_NAMED
        more = say("more", count=rest) if rest > 0 else ""
        yield say("left-out", paths=left[:_MOST_NAMED], more=more)
    if report.index:
        yield worded(report.index, say.language)
