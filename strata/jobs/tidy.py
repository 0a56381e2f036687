"""tidy: old days become weeks, what lasts becomes a line, and the days are archived."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.jobs.compress import archive as archive_days
from strata.jobs.compress import compress as compress_days
from strata.jobs.decisions import decisions
from strata.jobs.distil import DistilReport, distil
from strata.jobs.runs import alone, recorded
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from datetime import date

    from strata.memory import Memory


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
            report.compressed = compress_days(memory, held, dry_run=dry_run)
        if distill:
            report.distilled = distil(memory, run=run.id, dry_run=dry_run)
        if archive:
            done = {day for day, _ in report.compressed}
            report.archived = archive_days(memory, held, done, dry_run=dry_run)
    return report
