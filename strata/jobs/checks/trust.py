"""Is what was forgotten gone, and is the log of who did what to memory whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import WorkspaceUnavailable
from strata.jobs.checks.findings import Finding, ok, problem
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.undoing.runs import alone
from strata.workspace.audit import AuditLog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory


def check_trust(memory: Memory, *, thorough: bool) -> Iterator[Finding]:
    """Look at what was forgotten; *thorough* also at the log, which may be long."""
    if memory.tombstones.exist:
        yield _forgotten(memory)
    if thorough and memory.settings.audit:
        yield _log(memory)


def _forgotten(memory: Memory) -> Finding:
    tombstones = memory.tombstones
    try:
        _ = tombstones.seal
    except WorkspaceUnavailable as error:
        remedy = "bring the key back from a backup of OpenClaw's state folder"
        return problem("forgotten", str(error), remedy)
    if unfinished := tombstones.unfinished():
        return problem(
            "forgotten",
            f"{len(unfinished)} of what you had forgotten may still stand somewhere: "
            f"that of {unfinished[0].at[:16]} was cut off, or something was in its way",
            "strata doctor --fix, or strata sync, which finish it",
            lambda: _finish(memory),
        )
    count = len(tombstones.all())
    hold = "forgetting holds" if count == 1 else "forgettings hold"
    return ok("forgotten", f"{count} {hold}")


def _finish(memory: Memory) -> None:
    with alone(memory, doing="forgetting"):
        keep_forgotten(memory)


def _log(memory: Memory) -> Finding:
    log = AuditLog(memory.workspace.layout.audit_folder)
    found = log.verify()
    if found.problems:
        more = len(found.problems) - 1
        others = f", and {more} more" if more else ""
        return problem(
            "audit log",
            f"it was changed from outside: {found.problems[0]}{others}",
            "strata audit verify lists it all; where you know why, move "
            f"{log.folder} away, and a new log begins",
        )
    return ok("audit log", f"{found.records} records, none changed or missing")
