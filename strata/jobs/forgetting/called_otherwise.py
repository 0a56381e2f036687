"""Lines that tell of somebody whom they call by another name, as the bank reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.bank.names import is_short_for, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.bank.directory import Choices, Entity
    from strata.bank.statements import Stated
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory


@dataclass(frozen=True, slots=True)
class CalledOtherwise:
    """Statements that surely tell of somebody, and those that may, by a short name."""

    sure: Sequence[Stated] = ()
    unsure: Sequence[Stated] = ()


def called_otherwise(memory: Memory, target: Target) -> CalledOtherwise:
    """Return what tells of the entity *target* without saying the name."""
    if not (target.entity and memory.settings.bank):
        return CalledOtherwise()
    # Who is meant takes long to load, and few forget somebody.
    from strata.jobs.reflect import read_notes  # noqa: PLC0415 - see above

    notes = read_notes(memory, everybody=True)
    everybody, key = notes.directory.entities, key_of(target.entity)
    meant = [each for each in everybody if key in _keys(each)]
    full = frozenset({key}).union(*map(_keys, meant))
    sorts = {each.sort for each in meant}
    maybe = [
        each
        for each in everybody
        if each not in meant
        and each.sort in sorts
        and _may_be(each, full, notes.choices)
    ]
    sure = meant if len(meant) == 1 else []
    unsure = maybe if sure else [*meant, *maybe]
    first, second = (
        [notes.stated[n] for n in sorted({n for each in its for n in each.told})]
        for its in (sure, unsure)
    )
    return CalledOtherwise(
        [each for each in first if not target.is_said_by(each.shown)],
        [e for e in second if e not in first and not target.is_said_by(e.shown)],
    )


def _keys(entity: Entity) -> frozenset[str]:
    return frozenset({entity.key, *map(key_of, (entity.name, *entity.forms))})


def _may_be(entity: Entity, full: frozenset[str], choices: Choices) -> bool:
    """Say whether a name of *entity* may be short for one that is *full*."""
    return any(
        is_short_for(short, name) and frozenset((short, name)) not in choices.apart
        for short in _keys(entity)
        for name in full
    )
