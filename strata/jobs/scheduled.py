"""scheduled: what a scheduler runs, and the one line that it keeps of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.events import SYNC, check_job
from strata.jobs.settle import catch_up
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from strata.memory import Memory


def run_scheduled(memory: Memory, job: str) -> str | None:
    """Run *job* and say what it did, or None where there was nothing to do."""
    check_job(job)
    return _sync(memory) if job == SYNC else _tidy(memory)


def _sync(memory: Memory) -> str | None:
    report = catch_up(memory)
    if report.problems:
        raise StrataError("; ".join(report.problems))
    if not report.captured:
        return None
    sessions = len({session for session, _, _ in report.captured})
    return f"{SYNC}: {sessions} captured in {', '.join(report.paths)}"


def _tidy(memory: Memory) -> str | None:
    # Every event loads this module, and what tidy loads takes longer than most events.
    from strata.jobs.report import tidy_report  # noqa: PLC0415
    from strata.jobs.tidy import tidy, tidy_scopes  # noqa: PLC0415

    report = tidy(memory)
    apart = tidy_scopes(memory)
    refresh(memory, [*report.paths, *apart], say=lambda _line: None)
    if not report.paths and not report.distilled.of("waiting"):
        return None
    return tidy_report(memory, report, dry_run=False)
