"""An archive of Strata, given to `strata import`: an empty memory becomes what it holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from strata.cli.options import tell
from strata.cli.progress import progress_bar
from strata.cli.speaking import say, voice
from strata.jobs.exporting.restoring import restore
from strata.jobs.update import refresh
from strata.messages import Notice, minute, worded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import click

    from strata.jobs.exporting.restoring import RestoreReport
    from strata.memory import Memory
    from strata.messages import Voice


def restore_archive(
    context: click.Context, memory: Memory, source: Path, *, dry_run: bool
) -> int:
    """Restore the archive *source* into *memory*, index it, and tell what came."""
    with progress_bar(Notice("restore.restoring")) as progress:
        report = restore(memory, source, dry_run=dry_run, progress=progress)
    if report.notes and not dry_run:
        refresh(memory, None, say=say)
    document = asdict(report) | {"remarks": list(map(str, report.remarks))}
    tell(context, document, _lines(report, voice("restore", memory), dry_run=dry_run))
    return 0


def _lines(report: RestoreReport, words: Voice, *, dry_run: bool) -> Iterator[str]:
    if report.notes:
        notes = Notice("count.notes", count=report.notes)
        key = "would" if dry_run else "done"
        yield words(key, notes=notes, at=minute(report.at))
    else:
        yield words("same")
    for remark in report.remarks:
        yield worded(remark, words.language)
    if report.run:
        yield worded(Notice("import.take-back", run=report.run), words.language)
