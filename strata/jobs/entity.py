"""entity: what the owner decides about names is written down, and the bank follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.bank.names import differ_in_number, key_of
from strata.errors import NotFound, UsageError
from strata.history.entities import MERGE, RENAME, SPLIT
from strata.history.names import ENTITY, ONE_NAME
from strata.jobs.banking.asking import sought_entities
from strata.jobs.banking.knowing import heard_names, known_entities
from strata.jobs.banking.pairs import asked_questions, question_about
from strata.jobs.reflect import bring_up, read_notes
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import Notice
from strata.workspace.journal import Draft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.history.statements import Statement
    from strata.jobs.reflect import ReflectReport
    from strata.memory import Memory

ACTIONS = (MERGE, SPLIT, RENAME)
ACCEPT = "accept"
VERSION = 1


def decide(memory: Memory, action: str, name: str, other: str) -> ReflectReport:
    """
    Make *name* and *other* one, keep them apart, or call *name* by the name *other*.

    Raise `NotFound` where nobody has such a name, or where two do not become one.
    """
    name, other = memory.masked(name).strip(), memory.masked(other).strip()
    same = key_of(name) == key_of(other) and action != RENAME
    if same or not (key_of(name) and key_of(other)):
        raise UsageError.of("bank.two-names", action=action)
    if action == MERGE and differ_in_number(key_of(name), key_of(other)):
        raise UsageError.of("bank.numbers", first=name, second=other)
    _require(memory, [name] if action == RENAME else [name, other])
    with alone(memory):
        asked = question_about(memory, name, other)
        if action == MERGE and asked not in asked_questions(memory):
            _require_one(memory, name, other)
        return _decided(memory, action, name, other, asked)


def answer(memory: Memory, proposal: Statement, action: str) -> ReflectReport:
    """
    Make the names one of which a model takes for the other, or keep them apart.

    The caller lets no other job in. Raise `NotFound` where nobody has such a
    name any more, so that there is nothing to make one.
    """
    names = [str(proposal.record.get(each, "")) for each in ("name", "other")]
    if action == ACCEPT:
        _require(memory, names)
    name, other = names
    done = MERGE if action == ACCEPT else SPLIT
    return _decided(memory, done, name, other, proposal.id)


def _decided(
    memory: Memory, action: str, name: str, other: str, asked: str
) -> ReflectReport:
    with recorded(memory, ENTITY, always=True) as run:
        record = {
            "event": ENTITY,
            "version": VERSION,
            "at": memory.now.isoformat(timespec="seconds"),
            "run": run.id,
            "action": action,
            "name": name,
            "other": other,
        }
        if action != RENAME:
            # Where it was proposed, it waits no longer.
            record |= {"id": asked, "wanted": ONE_NAME}
        memory.journal.append([record])
        # In the same run: to take it back is to have the pages as they were.
        return bring_up(memory)


def _require_one(memory: Memory, name: str, other: str) -> None:
    """See that *name* and *other* become one by that, or else nothing changes."""
    draft = Draft(memory.journal)
    draft.append([{"event": ENTITY, "action": MERGE, "name": name, "other": other}])
    notes = read_notes(memory.with_journal(draft), everybody=True)
    pair = {key_of(name), key_of(other)}
    for each in notes.directory.entities:
        if pair <= {each.key, *map(key_of, (each.name, *each.forms))}:
            return
    raise NotFound(Notice("bank.not-one", first=name, second=other))


def _require(memory: Memory, names: Sequence[str]) -> None:
    """See that each of *names* has a page, or is at least the name of somebody."""
    known = known_entities(memory)
    heard = [each.name for each in heard_names(memory)]
    keys = set(map(key_of, heard))
    for name in names:
        if key_of(name) not in keys:
            sought_entities(known, name, heard)
