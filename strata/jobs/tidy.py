"""tidy: old days become weeks, what lasts becomes a line, and the days are archived."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.jobs.decisions import decisions
from strata.jobs.distil import DistilReport, distil
from strata.jobs.runs import alone, recorded
from strata.notes.weekly import add_day, days_in, summarise_day, weekly_path
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from datetime import date

    from strata.memory import Memory

KEPT_DAYS = 7


@dataclass(slots=True)
class TidyReport:
    """Which days became part of a week, what became a line, and which notes moved."""

    compressed: list[tuple[date, str]] = field(default_factory=list)
    archived: list[tuple[str, str]] = field(default_factory=list)
    distilled: DistilReport = field(default_factory=DistilReport)

    @property
    def paths(self) -> list[str]:
        """Every memory file that appeared, changed or went away."""
        moved = [path for pair in self.archived for path in pair]
        page = [LONG_TERM] if self.distilled.changed else []
        return sorted({path for _, path in self.compressed} | {*moved, *page})


def tidy(
    memory: Memory,
    *,
    compress: bool = True,
    distill: bool = True,
    archive: bool = True,
    dry_run: bool = False,
) -> TidyReport:
    """
    Compress notes older than seven days into weeks, distil all into MEMORY.md, archive.

    Each step is complete in itself: killed anywhere, the next run goes on from there.
    """
    report = TidyReport()
    with alone(memory), recorded(memory, "tidy") as run:
        held = decisions(memory.journal).days
        if compress:
            _compress(memory, report, held, dry_run=dry_run)
        if distill:
            report.distilled = distil(memory, run=run.id, dry_run=dry_run)
        if archive:
            _archive(memory, report, held, dry_run=dry_run)
    return report


def _compress(
    memory: Memory, report: TidyReport, held: Container[date], *, dry_run: bool
) -> None:
    for day, path in _old_notes(memory, held):
        week = weekly_path(day)
        if day in days_in(memory.workspace.read(week)):
            continue
        lines = summarise_day(memory.workspace.read(path), day)
        if not lines:
            continue
        if not dry_run:
            _add(memory, week, day, lines)
        report.compressed.append((day, week))


def _add(memory: Memory, week: str, day: date, lines: list[str]) -> None:
    memory.workspace.update(week, lambda text: add_day(text, day, lines))


def _archive(
    memory: Memory, report: TidyReport, held: Container[date], *, dry_run: bool
) -> None:
    done = {day for day, _ in report.compressed}
    for day, path in _old_notes(memory, held):
        in_week = day in days_in(memory.workspace.read(weekly_path(day)))
        empty = not summarise_day(memory.workspace.read(path), day)
        if not (in_week or empty or (dry_run and day in done)):
            continue
        target = memory.workspace.layout.archived(day)
        if memory.workspace.read(target):
            continue
        if not dry_run:
            memory.workspace.move(path, target)
        report.archived.append((path, target))


def _old_notes(memory: Memory, held: Container[date]) -> Iterator[tuple[date, str]]:
    """Yield the notes that still lie among the daily ones, but are old and not *held*."""
    last = memory.now.date() - timedelta(days=KEPT_DAYS)
    for day, path in list(memory.workspace.layout.daily_notes()):
        if (
            day < last
            and day not in held
            and path == memory.workspace.layout.daily(day)
        ):
            yield day, path
