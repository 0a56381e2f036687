"""Two names that a model takes for one, where they may be: the owner is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.bank.describing import pair_id, words_in
from strata.bank.finding import Finder
from strata.bank.names import key_of, why_not_one
from strata.history.names import ONE_NAME, PROPOSED
from strata.jobs.banking.choosing import choices_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.bank.directory import Directory
    from strata.bank.pages import Bank
    from strata.bank.standing import Held
    from strata.bank.statements import Stated
    from strata.memory import Memory

_TWO = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """The names *name* and *other*, which *cited* lines show to be one."""

    name: str
    other: str
    cited: Sequence[Held]

    @property
    def record(self) -> dict[str, Any]:
        """What the journal keeps of it beside who says so."""
        shown = [(words_in(held), held.shown.source) for held in self.cited]
        return question_of(self.name, self.other, shown, sources_of(self.cited))


class Pairs:
    """The pairs of names of *bank* and *directory* of which the owner may be asked."""

    def __init__(self, memory: Memory, bank: Bank, directory: Directory) -> None:
        self._entities = {
            key_of(name): each
            for each, _ in bank.known.values()
            for name in (each.name, *each.forms)
        }
        self._rare = {key_of(each): each for each in directory.rare}
        self._finder = Finder([*self._entities, *self._rare])
        choices = choices_of(memory.journal)
        self._decided = choices.apart | {frozenset(each) for each in choices.one}
        self._asked = {*asked_questions(memory)}

    def proposed(self, names: Sequence[str], cited: Sequence[Held]) -> Pair | None:
        """
        Return the two *names* that *cited* lines name both, None where they are no pair.

        Of names that look alike, that the owner decided about, or that were asked about
        before, nothing is asked.
        """
        keys = [key_of(each) for each in names]
        told = {key for held in cited for key, *_ in self._finder.found(words_in(held))}
        if len(keys) != _TWO or not told.issuperset(keys) or self._are_two(*keys):
            return None
        pair = Pair(self._called(keys[0]), self._called(keys[1]), cited)
        name = str(pair.record["id"])
        if name in self._asked:
            return None
        self._asked.add(name)
        return pair

    def _are_two(self, one: str, other: str) -> bool:
        """Say whether *one* and *other* are one already, or surely are not."""
        first, second = self._entities.get(one), self._entities.get(other)
        if first and second and (first == second or first.sort != second.sort):
            return True
        pairs = [(a, b) for a in self._names(one) for b in self._names(other)]
        return any(frozenset(pair) in self._decided for pair in pairs) or any(
            why_not_one(*pair) for pair in pairs
        )

    def _names(self, key: str) -> list[str]:
        entity = self._entities.get(key)
        return [key_of(e) for e in (entity.name, *entity.forms)] if entity else [key]

    def _called(self, key: str) -> str:
        entity = self._entities.get(key)
        return entity.name if entity else self._rare.get(key, key)


def asked_questions(memory: Memory) -> dict[str, dict[str, Any]]:
    """Return how each question about two names was asked last, by its id, till it ended."""
    found = {str(each.get("id")): each for each in memory.journal.records(PROPOSED)}
    return {name: each for name, each in found.items() if not each.get("ended")}


def question_about(memory: Memory, name: str, other: str) -> str:
    """Return the id of the question whether *name* and *other* are one."""
    pair = {key_of(name), key_of(other)}
    for asked, each in asked_questions(memory).items():
        if {key_of(str(each.get(which))) for which in ("name", "other")} == pair:
            return asked
    return pair_id(name, other)


def question_of(
    name: str,
    other: str,
    shown: Iterable[tuple[str, str]],
    sources: list[dict[str, str]],
    asked: str = "",
) -> dict[str, Any]:
    """
    Return what the journal keeps of the question whether *name* and *other* are one.

    *shown* are the lines for which it is asked, each with its place; *sources* are the
    entries that say them. It is *asked* under that id, or else under that of the names.
    """
    return {
        "id": asked or pair_id(name, other),
        "text": f"{name} = {other}",
        "name": name,
        "other": other,
        "wanted": ONE_NAME,
        "dimension": ONE_NAME,
        "reason": "; ".join(f"“{words}” ({place})" for words, place in shown),
        "sources": sources,
    }


def sources_of(cited: Iterable[Held]) -> list[dict[str, str]]:
    """Return the entries that say *cited*, by which it is known when one is forgotten."""
    return [source_of(each) for held in cited for each in held.borne]


def source_of(stated: Stated) -> dict[str, str]:
    """Return the entry of which *stated* is what it says."""
    return {
        "day": stated.day.isoformat(),
        "entry": stated.entry,
        "entry_id": stated.entry_id,
    }
