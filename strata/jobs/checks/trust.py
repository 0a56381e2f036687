"""Is what was forgotten gone, and is the log of who did what to memory whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import WorkspaceUnavailable
from strata.jobs.checks.findings import Finding, ok, problem
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.undoing.runs import alone
from strata.messages import Notice
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
        remedy = Notice("doctor.bring-forgetting-key")
        return problem("forgotten", error.told, remedy)
    if unfinished := tombstones.unfinished():
        return problem(
            "forgotten",
            Notice(
                "doctor.unfinished-forgetting",
                count=len(unfinished),
                at=unfinished[0].at[:16],
            ),
            fix=lambda: _finish(memory),
        )
    count = len(tombstones.all())
    return ok("forgotten", Notice("doctor.forgotten", count=count))


def _finish(memory: Memory) -> None:
    with alone(memory, doing="forgetting"):
        keep_forgotten(memory)


def _log(memory: Memory) -> Finding:
    log = AuditLog(memory.workspace.layout.audit_folder)
    found = log.verify()
    if found.problems:
        count = len(found.problems)
        says = Notice(
            "doctor.audit-changed",
            problem=found.problems[0],
            count=count,
            more=count - 1,
            folder=log.folder,
        )
        return problem("audit log", says)
    return ok("audit log", Notice("doctor.audit-whole", records=found.records))
