"""What is safe to mend is mended, and the events that waited for it are handled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.gateway.draining import drain
from strata.jobs.doctor import mend
from strata.jobs.encryption import lock_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.jobs.checks.findings import Finding
    from strata.memory import Memory


def mend_and_go_on(memory: Memory, findings: Iterable[Finding]) -> list[str]:
    """Mend what can be mended of *findings*, and work off what waits; say what was."""
    said = mend(findings)
    if not lock_of(memory):
        drain(memory, patience_seconds=0)
    return said
