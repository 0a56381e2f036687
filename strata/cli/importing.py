"""`strata import`: what another tool kept comes into memory."""

from __future__ import annotations

from pathlib import Path

import click

from strata.cli.options import by_agent, open_memory, tell
from strata.cli.progress import progress_bar
from strata.cli.restoring import restore_archive
from strata.cli.speaking import say, voice
from strata.durations import moment_since
from strata.errors import NotAccepted, UsageError
from strata.imports.formats import ARCHIVE, NAMES
from strata.jobs.exporting.restoring import holds_archive
from strata.jobs.importing.importing import import_from
from strata.jobs.importing.report import told_lines
from strata.jobs.update import refresh
from strata.messages import Notice, worded

# Of years there are more notes than should be held in memory together.
_AT_ONCE = 100


@click.command("import")
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "form",
    metavar="FORMAT",
    default="",
    help=f"Its format, where it is not told by itself: {', '.join(NAMES)}.",
)
@click.option("--since", metavar="DUR|ISO", help="Only talks that went on since then.")
@click.option(
    "--other-account", is_flag=True, help="Also where it is another account's export."
)
@click.option("--dry-run", is_flag=True, help="Say what would come in; write nothing.")
@click.pass_context
def import_(  # noqa: PLR0913 - one option each
    context: click.Context,
    source: Path,
    form: str,
    since: str | None,
    *,
    other_account: bool,
    dry_run: bool,
) -> int:
    """Bring in conversations and memories that another tool has kept."""
    memory = open_memory(context)
    if by_agent() and not dry_run:
        # A file that somebody sends would put words into the owner's mouth.
        raise NotAccepted.of("import.only-the-owner")
    if form == ARCHIVE or (not form and holds_archive(source)):
        if since:
            raise UsageError.of("restore.whole")
        return restore_archive(context, memory, source, dry_run=dry_run)
    with (
        progress_bar(Notice("import.reading")) as reading,
        progress_bar(Notice("import.settling")) as settling,
    ):
        report = import_from(
            memory,
            source,
            form=form,
            since=moment_since(since, memory.now) if since else None,
            other_account=other_account,
            dry_run=dry_run,
            reading=reading,
            settling=settling,
        )
    paths = [] if dry_run else report.paths
    for first in range(0, len(paths), _AT_ONCE):
        refresh(memory, paths[first : first + _AT_ONCE], say=say)
    lines = told_lines(report, voice("import", memory), dry_run=dry_run)
    tell(context, report.document(), [worded(line) for line in lines])
    return 1 if report.problems else 0
