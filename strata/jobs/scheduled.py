"""What a scheduler or a heartbeat runs, and the one line that it says of it."""

from __future__ import annotations

from contextlib import suppress
from functools import reduce
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed, StrataError
from strata.events import SYNC, check_job
from strata.jobs.settle import catch_up
from strata.jobs.update import refresh
from strata.messages import Notice
from strata.workspace import stored

if TYPE_CHECKING:
    from strata.memory import Memory

_TOLD = "health.txt"


def run_scheduled(memory: Memory, job: str) -> str | None:
    """Run *job* and say what it did, or None where there was nothing to do."""
    check_job(job)
    return _sync(memory) if job == SYNC else _tidy(memory)


def begin(memory: Memory) -> None:
    """Settle what is new, and finish an installation that waited for a gateway."""
    from strata.jobs.connection.connecting import complete  # noqa: PLC0415 - as below

    catch_up(memory)
    complete(memory)


def look_after(memory: Memory) -> str | None:
    """
    Settle what is new, mend what can be mended, and say what a person must do.

    The same is said once a day: a heartbeat comes every half hour.
    """
    from strata.jobs.doctor import complaints, examine, mend  # noqa: PLC0415 - as below

    catch_up(memory)
    findings = examine(memory, ask_gateway=False)
    if mend(findings):
        findings = examine(memory, ask_gateway=False)
    found = complaints(findings)
    if not found or _was_told(memory, found):
        return None
    return Notice("doctor.attention", found=reduce(_both, found))


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
    from strata.jobs.connection.connecting import keep_scheduled  # noqa: PLC0415
    from strata.jobs.reflect import reflect_on_all  # noqa: PLC0415
    from strata.jobs.report import tidy_report  # noqa: PLC0415
    from strata.jobs.tidy import tidy, tidy_scopes  # noqa: PLC0415

    report = tidy(memory)
    apart = tidy_scopes(memory)
    refresh(memory, [*report.paths, *apart], say=lambda _line: None)
    with suppress(StrataError):
        # What is in the way of the pages, such as a full disk, is told by what comes next.
        refresh(memory, reflect_on_all(memory), say=lambda _line: None)
    with suppress(StrataError):
        # Who paired a chat since yesterday gets a digest in the morning.
        keep_scheduled(memory)
    if not report.paths and not report.distilled.of("waiting"):
        return None
    return tidy_report(memory, report)


def _both(first: str, second: str) -> str:
    return Notice("words.both", first=first, second=second)


def _was_told(memory: Memory, found: list[str]) -> bool:
    file = memory.workspace.layout.private / "cache" / _TOLD
    # Figures change all the time; what is wrong does not.
    names = ",".join(line.split(":")[0] for line in found)
    key = f"{memory.now.date()} {names}".encode()
    told = False
    with suppress(FileNotFoundError, DecryptionFailed):
        told = stored.read(file) == key
    if not told:
        memory.workspace.write_private(file, key)
    return told
