"""What of a page somebody else is shown to describe it, and which names may be one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from strata.bank.finding import Finder
from strata.bank.names import key_of
from strata.bank.statements import Kind
from strata.history.evidence import digest_of
from strata.notes.entries import without_topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from strata.bank.directory import Entity
    from strata.bank.standing import Held, Standing
    from strata.bank.statements import Stated

MOST_SENTENCES = 3
# Of a page so many lines are shown: any of them may be over.
_MOST_SHOWN = 50
_KEY_DIGITS = 16


def shown_lines(entity: Entity, found: Standing) -> list[Held]:
    """
    Return what the owner said of *entity* that holds, ended, or happened and may end it.

    What was taken for the same is one line for each of its wordings. What says so by a name
    comes first, the newest before the rest.
    """
    past = (each for each in found.past if each.against or each.kind is Kind.EVENT)
    every = (*found.now, *found.opinions, *past)
    lines = (e for e in every if e.kind is not Kind.EXPERIENCE)
    own = [each for line in lines for each in _wordings(line)]
    named = {id(each) for each in by_name(entity, own)}

    def order(held: Held) -> tuple[bool, tuple[str, str, str, int]]:
        return id(held) in named, held.last.moment

    return sorted(own, key=order, reverse=True)[:_MOST_SHOWN]


def _wordings(held: Held) -> Iterator[Held]:
    said: dict[str, list[Stated]] = {}
    for each in held.borne:
        said.setdefault(each.shown, []).append(each)
    for text, borne in said.items():
        yield replace(held, text=text, borne=tuple(borne))


def by_name(entity: Entity, shown: Iterable[Held]) -> list[Held]:
    """Return the lines of *shown* that name *entity* in what they say by themselves."""
    names = names_of(entity)
    return [each for each in shown if any(names.found(words_in(each)))]


def names_of(entity: Entity) -> Finder:
    """Return what finds the names of *entity* in a text."""
    return Finder(key_of(each) for each in (entity.name, *entity.forms))


def words_in(held: Held) -> str:
    """
    Return what a line says by itself.

    What it leans on may have been put right since, or was only asked.
    """
    return without_topic(held.text)


def key_of_line(held: Held) -> str:
    """Return what stands for a line of a page, the same however often it was said."""
    return digest_of(words_in(held))[:_KEY_DIGITS]


def basis_of(entity: Entity, shown: Iterable[Held]) -> str:
    """Return the hash of what an answer about *entity* rests on."""
    told = [entity.key, list(entity.unsure), *sorted({*map(key_of_line, shown)})]
    return digest_of(json.dumps(told, ensure_ascii=False))[:_KEY_DIGITS]


def sorted_as(entities: Iterable[Entity], sorts: Mapping[str, str]) -> Iterator[Entity]:
    """Give *entities* with what a model says they are, where the reading is not sure."""
    for each in entities:
        sort = sorts.get(each.key, "")
        yield replace(each, sort=sort) if sort in each.unsure else each


def pair_id(one: str, other: str) -> str:
    """Return the twelve hex digits that stand for two names, in whatever order."""
    told = "\x1f".join(sorted((key_of(one), key_of(other))))
    return hashlib.sha256(f"names\x1f{told}".encode()).hexdigest()[:12]
