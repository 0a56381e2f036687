"""Where the terms of a question stand in a passage, and the part of it that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.indexing.paraphrases import Paraphrases
from strata.search.language.keywords import BESIDE_WEIGHT
from strata.search.language.terms import Finder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from strata.search.answering.passages import Files, Passage

MAX_CHARACTERS = 700


@dataclass(frozen=True, slots=True)
class Marked:
    """
    The lines of a passage, each with the terms of the question that stand in it.

    Others stand only *beside* a line, among the words in which it may be looked for.
    """

    lines: tuple[str, ...]
    found: tuple[frozenset[str], ...]
    beside: tuple[frozenset[str], ...] = ()

    @property
    def said(self) -> frozenset[str]:
        """All terms that stand in the passage."""
        return frozenset().union(*self.found)

    @property
    def terms(self) -> frozenset[str]:
        """All terms that stand in the passage, or beside it."""
        return self.said.union(*self.beside)

    def values(self, weights: Mapping[str, float]) -> list[float]:
        """Return how much of *weights* each line holds."""
        values = [value_of(found, weights) for found in self.found]
        if not self.beside:
            return values
        told = (value_of(each, weights) for each in self.beside)
        return [
            value + BESIDE_WEIGHT * more
            for value, more in zip(values, told, strict=True)
        ]


class Reader:
    """
    Marks where the *terms* of *question* stand in passages, in each passage once.

    They may stand beside them as well, where the words of entries are *known* in others.
    """

    def __init__(
        self, files: Files, terms: Mapping[str, float], question: str = ""
    ) -> None:
        self.files = files
        self.terms = terms
        self.question = question
        self.finder = Finder(terms)
        self.known = Paraphrases()
        self._marked: dict[tuple[str, int, int, str], Marked] = {}

    def mark(self, passage: Passage) -> Marked:
        """Note in which lines of *passage* the terms stand, and beside which."""
        key = (passage.path, passage.start_line, passage.end_line, passage.text)
        if key not in self._marked:
            beside = self.known.by_line(passage.tier, passage.day, passage.text)
            self._marked[key] = mark(passage.text, self.finder, beside)
        return self._marked[key]


def mark(text: str, finder: Finder, beside: Sequence[str] = ()) -> Marked:
    """Note in which lines of *text*, or *beside* which, the question's terms stand."""
    lines, found = tuple(text.split("\n")), (*map(frozenset, finder.by_line(text)),)
    if not any(beside):
        return Marked(lines, found)
    told = map(frozenset, finder.by_line("\n".join(beside)))
    more = (each - said for each, said in zip(told, found, strict=True))
    return Marked(lines, found, tuple(more))


def value_of(found: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return how much of *weights* the terms *found* have together."""
    return sum(weights.get(term, 0.0) for term in found)


def telling(
    weights: Mapping[str, float], passages: Sequence[Marked]
) -> dict[str, float]:
    """Weigh down the terms that stand in most *passages*: they tell no lines apart."""
    counts = dict.fromkeys(weights, 0)
    for passage in passages:
        for term in passage.terms:
            counts[term] += 1
    return {term: weight / (1 + counts[term]) for term, weight in weights.items()}


def snippet(
    passage: Marked,
    weights: Mapping[str, float],
    finder: Finder,
    characters: int = MAX_CHARACTERS,
) -> str:
    """Return at most so many *characters* of *passage*, around where most terms stand."""
    lines, text = passage.lines, "\n".join(passage.lines)
    if len(text) <= characters:
        return text
    values = passage.values(weights)
    first = last = max(range(len(values)), key=values.__getitem__)
    room = characters - len(lines[first])
    if room < 0:
        return _cut(lines[first], weights, finder, characters)
    # Neighbours are taken in, the better one first, while there is room.
    while sides := [
        place
        for place in (first - 1, last + 1)
        if 0 <= place < len(lines) and len(lines[place]) < room
    ]:
        # Of equals the later one: answers follow what they answer.
        place = max(sides, key=lambda place: (values[place], place))
        first, last = min(first, place), max(last, place)
        room -= len(lines[place]) + 1
    return "\n".join(lines[first : last + 1]).strip("\n")


def _cut(
    line: str, weights: Mapping[str, float], finder: Finder, characters: int
) -> str:
    """Slide over a long line in steps, and keep the stretch with most terms."""
    step = characters // 4
    starts = range(0, len(line) - characters + step, step)
    stretches = [line[start : start + characters] for start in starts]
    return max(stretches, key=lambda text: value_of(finder.present(text), weights))
