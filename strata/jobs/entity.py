"""entity: what the owner decides about names is written down, and the bank follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.bank.names import key_of
from strata.errors import UsageError
from strata.history.entities import MERGE, RENAME, SPLIT
from strata.history.names import ENTITY
from strata.jobs.banking.asking import is_known, sought_entities
from strata.jobs.banking.knowing import known_entities, known_lines
from strata.jobs.reflect import bring_up
from strata.jobs.undoing.runs import alone, recorded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.reflect import ReflectReport
    from strata.memory import Memory

ACTIONS = (MERGE, SPLIT, RENAME)
VERSION = 1


def decide(memory: Memory, action: str, name: str, other: str) -> ReflectReport:
    """
    Make *name* and *other* one, keep them apart, or call *name* by the name *other*.

    Raise `NotFound` where the bank knows no such name.
    """
    name, other = memory.masked(name).strip(), memory.masked(other).strip()
    same = key_of(name) == key_of(other) and action != RENAME
    if same or not (key_of(name) and key_of(other)):
        raise UsageError.of("bank.two-names", action=action)
    _require(memory, [name] if action == RENAME else [name, other])
    with alone(memory), recorded(memory, ENTITY) as run:
        record = {
            "event": ENTITY,
            "version": VERSION,
            "at": memory.now.isoformat(timespec="seconds"),
            "run": run.id,
            "action": action,
            "name": name,
            "other": other,
        }
        memory.journal.append([record])
        # In the same run: to take it back is to have the pages as they were.
        return bring_up(memory)


def _require(memory: Memory, names: Sequence[str]) -> None:
    """See that each of *names* has a page, or that the bank speaks of it at least."""
    known = known_entities(memory)
    for name in names:
        if not is_known(known, name) and not _is_told(memory, name):
            sought_entities(known, name)


def _is_told(memory: Memory, name: str) -> bool:
    said = key_of(name)
    return any(said in key_of(line.text) for line in known_lines(memory))
