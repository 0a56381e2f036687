"""doctor: everything that can go wrong, looked at; what is safe to mend is mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.jobs.checks.encryption import check_encryption, is_locked
from strata.jobs.checks.findings import Finding, Level, problem
from strata.jobs.checks.machines import check_machines
from strata.jobs.checks.memory import check_memory
from strata.jobs.checks.model import check_model
from strata.jobs.checks.openclaw import check_openclaw
from strata.jobs.checks.scopes import check_scopes
from strata.jobs.checks.server import check_server
from strata.jobs.checks.trust import check_trust
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.memory import Memory


def examine(memory: Memory, *, ask_gateway: bool = True) -> list[Finding]:
    """Look at everything; *ask_gateway* also at what takes seconds, like its scheduler."""
    encryption = list(
        _surviving("encryption", check_encryption(memory, thorough=ask_gateway))
    )
    if is_locked(encryption):
        # All else would be told of the missing key alone.
        return encryption
    return [
        *encryption,
        *_surviving("memory", check_memory(memory)),
        *_surviving("Qdrant server", check_server(memory)),
        *_surviving("machines", check_machines(memory)),
        *_surviving("scopes", check_scopes(memory)),
        *_surviving("trust", check_trust(memory, thorough=ask_gateway)),
        *_surviving("language model", check_model(memory, ask=ask_gateway)),
        *_surviving("OpenClaw", check_openclaw(memory, ask_gateway=ask_gateway)),
    ]


def mend(findings: Iterable[Finding]) -> list[str]:
    """Mend what can be mended; say what was, and what could not be."""
    said: list[str] = []
    for finding in findings:
        if finding.fix is None:
            continue
        try:
            finding.fix()
        except StrataError as error:
            said.append(Notice("doctor.not-mended", name=finding.name, error=error))
        else:
            said.append(Notice("doctor.mended", name=finding.name))
    return said


def complaints(findings: Iterable[Finding]) -> list[str]:
    """Return the problems that a person must act on, one line each."""
    return [
        Notice(
            "doctor.complaint",
            name=finding.name,
            says=finding.says,
            remedy=finding.remedy,
        )
        for finding in findings
        if finding.level is Level.PROBLEM
    ]


def _surviving(part: str, checks: Iterator[Finding]) -> Iterator[Finding]:
    try:
        yield from checks
    except StrataError as error:
        yield problem(part, error.told, Notice("doctor.after-that"))
