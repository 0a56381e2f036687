"""Does what several machines share come together: the folder, and versions of notes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from strata.jobs.checks.findings import Finding, note, ok, problem
from strata.jobs.machines.conflicts import conflicts, look_alikes, merge_conflicts
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

_LONG = timedelta(days=7)


def check_machines(memory: Memory) -> Iterator[Finding]:
    """Name second versions of notes, a folder out of reach, and machines gone silent."""
    found = conflicts(memory)
    if found:
        example = found[0].copy or found[0].path
        says = Notice("doctor.two-versions", count=len(found), example=example)
        yield problem(
            "versions",
            says,
            "strata doctor --fix",
            fix=lambda: merge_conflicts(memory),
        )
    if alike := look_alikes(memory):
        yield note("versions", Notice("doctor.look-alikes", files=alike))
    if memory.machines is None:
        return
    if not memory.machines.is_there:
        says = Notice("doctor.folder-gone", folder=memory.machines.folder)
        yield problem("machines", says)
        return
    if locked := memory.machines.locked():
        yield problem("machines", Notice("doctor.locked-machines", machines=locked))
        return
    from strata.jobs.machines.joining import known_machines  # noqa: PLC0415 - few have several

    machines = known_machines(memory)
    silent = [
        each
        for each in machines
        if not each.is_own and each.last and memory.now - each.last > _LONG
    ]
    if silent:
        names = [each.id for each in silent]
        yield note("machines", Notice("doctor.silent-machines", machines=names))
    else:
        yield ok("machines", Notice("doctor.machines", count=len(machines)))
