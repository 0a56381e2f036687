"""tidy: old days become weeks, what lasts becomes a line, and the days are archived."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.jobs.asking import Mode
from strata.jobs.compress import archive as archive_days
from strata.jobs.compress import compress as compress_days
from strata.jobs.compress import uncompressed
from strata.jobs.decisions import decisions
from strata.jobs.distil import DistilReport, distil
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.runs import alone, recorded
from strata.jobs.told import write_told
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from datetime import date

    from strata.jobs.consulting import Consultation
    from strata.memory import Memory


@dataclass(slots=True)
class TidyReport:
    """Which days became part of a week, what became a line, which notes moved."""

    compressed: list[tuple[date, str]] = field(default_factory=list)
    archived: list[tuple[str, str]] = field(default_factory=list)
    distilled: DistilReport = field(default_factory=DistilReport)
    told: list[str] = field(default_factory=list)
    judged: int = 0
    left_to_rules: int = 0

    @property
    def paths(self) -> list[str]:
        """Every memory file that appeared, changed or went away."""
        moved = [path for pair in self.archived for path in pair]
        page = [LONG_TERM] if self.distilled.changed else []
        weeks = {path for _, path in self.compressed}
        return sorted(weeks | {*moved, *page, *self.told})


def tidy(  # noqa: PLR0913 - one parameter an option
    memory: Memory,
    *,
    compress: bool = True,
    distill: bool = True,
    archive: bool = True,
    dry_run: bool = False,
    mode: Mode | None = None,
) -> TidyReport:
    """
    Compress notes older than seven days into weeks, distil all into MEMORY.md, archive.

    Each step is complete in itself: killed anywhere, the next run goes on from there.
    *mode* says what it may do to MEMORY.md by itself; None leaves that to the settings.
    """
    chosen = mode or Mode(memory.settings.tidy_mode)
    report, consulted = TidyReport(), None
    with _undisturbed(memory, dry_run=dry_run), recorded(memory, "tidy") as run:
        held = decisions(memory.journal).days
        if compress and not dry_run:
            _summarise(memory, held, run.id)
        if compress:
            report.compressed = compress_days(memory, held, run=run.id, dry_run=dry_run)
        if distill:
            report.told = [] if dry_run else write_told(memory)
            consulted = None if dry_run else _consulted(memory, run.id)
            report.distilled = distil(
                memory, run=run.id, dry_run=dry_run, mode=chosen, consulted=consulted
            )
        if archive:
            done = {day for day, _ in report.compressed}
            report.archived = archive_days(memory, held, done, dry_run=dry_run)
    if consulted:
        report.judged, report.left_to_rules = consulted.judged, consulted.left
    return report


def tidy_scopes(memory: Memory, *, dry_run: bool = False) -> list[str]:
    """
    Compress and archive the notes of groups and other people; return what changed.

    Nothing of theirs is distilled: MEMORY.md is the owner's.
    """
    changed: list[str] = []
    for scope in memory.scopes.names():
        theirs = memory.within(scope)
        report = tidy(theirs, distill=False, dry_run=dry_run)
        changed += (theirs.path_in_private(path) for path in report.paths)
    return changed


def _summarise(memory: Memory, held: Container[date], run: str) -> None:
    """Let the model, if there is one, word what is about to become part of a week."""
    days = uncompressed(memory, held) if memory.model else []
    if not (memory.model and days):
        return
    from strata.jobs.summarising import summarise  # noqa: PLC0415 - few ask a model

    summarise(memory, memory.model, days, run)


def _consulted(memory: Memory, run: str) -> Consultation | None:
    if memory.model is None:
        return None
    from strata.jobs.consulting import Consultation  # noqa: PLC0415 - few ask a model

    return Consultation(memory, memory.model, run=run)


@contextmanager
def _undisturbed(memory: Memory, *, dry_run: bool) -> Iterator[None]:
    """Let nobody else change memory meanwhile, nor what was forgotten be in it."""
    with alone(memory):
        if not dry_run:
            keep_forgotten(memory)
        yield
