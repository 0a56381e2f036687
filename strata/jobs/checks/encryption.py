"""Is the key of an encrypted memory there, and is all encrypted that is to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import KeyUnavailable
from strata.jobs.checks.findings import Finding, ok, problem
from strata.jobs.encryption import lock_of, look, switch_off, switch_on
from strata.messages import Notice
from strata.workspace.spool import Spool
from strata.workspace.vault import vault_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.memory import Memory

_LOCKED = "key"


def check_encryption(memory: Memory, *, thorough: bool) -> Iterator[Finding]:
    """Look for the key, and for what is plain; *thorough* also for what is damaged."""
    vault = vault_of(memory.workspace.layout.private)
    if vault is None:
        return
    if why := lock_of(memory):
        says = Notice("doctor.locked", why=why, events=_waiting(memory))
        yield problem(_LOCKED, says)
    else:
        yield _files(memory, encrypts=vault.encrypts, thorough=thorough)


def is_locked(findings: Iterable[Finding]) -> bool:
    """Say whether *findings* tell of a missing key."""
    return any(finding.name == _LOCKED for finding in findings)


def refuse_locked(memory: Memory) -> None:
    """Raise `KeyUnavailable` without the key, and tell how many events wait for it."""
    if why := lock_of(memory):
        raise KeyUnavailable(Notice("doctor.locked", why=why, events=_waiting(memory)))


def _waiting(memory: Memory) -> Notice:
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    number = len(spool.pending()) + len(spool.set_aside())
    return Notice("doctor.events-locked", count=number)


def _files(memory: Memory, *, encrypts: bool, thorough: bool) -> Finding:
    found = look(memory, decrypt=thorough)
    if found.damaged:
        return problem(
            "encryption",
            Notice(
                "doctor.damaged",
                count=len(found.damaged),
                damaged=list(found.damaged[:5]),
            ),
        )
    if not encrypts:
        return problem(
            "encryption",
            Notice("doctor.half-off", encrypted=found.encrypted),
            fix=lambda: switch_off(memory),
        )
    if found.plain:
        return problem(
            "encryption",
            Notice("doctor.half-on", count=len(found.plain), example=found.plain[0]),
            fix=lambda: switch_on(memory),
        )
    return ok("encryption", Notice("doctor.encrypted", count=found.encrypted))
