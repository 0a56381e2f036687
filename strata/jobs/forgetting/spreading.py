"""What another machine forgot, found in what only this one was told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.jobs.forgetting.burying import tombstone_of
from strata.jobs.forgetting.choosing import choose
from strata.jobs.forgetting.documents import documents
from strata.jobs.forgetting.recognition import (
    WHENEVER,
    Recogniser,
    sealed_line,
)
from strata.jobs.forgetting.target import Target
from strata.progress import silent

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.workspace.tombstones import Tombstone


@dataclass(frozen=True)
class _Known(Target):
    """What is *known* by its hashes, of which nobody here knows the words."""

    known: Recogniser | None = None

    def __post_init__(self) -> None:
        """Nothing of it is a text that could be checked."""

    @property
    def kind(self) -> str:
        return "text"

    def is_said_by(self, text: str) -> bool:
        return self.known is not None and self.known.forgets_text(text)


def spread(memory: Memory, tombstone: Tombstone) -> Tombstone | None:
    """
    Return the tombstone of what *tombstone* means here and does not know yet, if any.

    Its machine knew neither the ids of what this one alone was told, nor its clock. What
    stands here was said before anybody heard of the forgetting.
    """
    seal = memory.tombstones.seal
    known = Recogniser(seal, [replace(tombstone, at=WHENEVER)])
    every = documents(memory)
    lines = [e for d in every if d.is_lines for e in known.lines(d.path, d.text)]
    if not lines:
        return None
    chosen = choose(memory, _Known(known=known), every, silent)
    chosen.moments |= {said.moment for said in lines if said.moment}
    found = tombstone_of(memory, _Known(known=known), chosen, git=False)
    as_it_is = Recogniser(seal, [tombstone])
    if found.ids <= tombstone.ids and all(map(as_it_is.forgets, lines)):
        return None
    of_days = {sealed_line(seal, e.text, e.day) for e in lines if e.day}
    return replace(found, day_lines=found.day_lines | of_days)
