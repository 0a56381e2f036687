"""The part of a passage that is shown: the lines that answer, and those around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.search.language.terms import Finder

MAX_CHARACTERS = 700


@dataclass(frozen=True, slots=True)
class Marked:
    """The lines of a passage, each with the terms of the question that stand in it."""

    lines: tuple[str, ...]
    found: tuple[frozenset[str], ...]

    @property
    def terms(self) -> frozenset[str]:
        """All terms that stand in the passage."""
        return frozenset().union(*self.found)


def mark(text: str, finder: Finder) -> Marked:
    """Note in which lines of *text* the question's terms stand."""
    found = map(frozenset, finder.by_line(text))
    return Marked(tuple(text.split("\n")), tuple(found))


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
    text = "\n".join(passage.lines)
    if len(text) <= characters:
        return text
    values = [sum(map(weights.__getitem__, found)) for found in passage.found]
    best = max(range(len(values)), key=values.__getitem__)
    if len(passage.lines[best]) > characters:
        return _cut(passage.lines[best], weights, finder, characters)
    first, last = _grown(passage.lines, values, best, characters)
    return "\n".join(passage.lines[first : last + 1]).strip("\n")


def _grown(
    lines: Sequence[str], values: Sequence[float], best: int, characters: int
) -> tuple[int, int]:
    """Take in neighbours, the better one first, while there is room."""
    first = last = best
    room = characters - len(lines[best])
    while True:
        sides = [place for place in (first - 1, last + 1) if 0 <= place < len(lines)]
        sides = [place for place in sides if len(lines[place]) + 1 <= room]
        if not sides:
            return first, last
        # Of equals the later one: answers follow what they answer.
        place = max(sides, key=lambda place: (values[place], place))
        first, last = min(first, place), max(last, place)
        room -= len(lines[place]) + 1


def _cut(
    line: str, weights: Mapping[str, float], finder: Finder, characters: int
) -> str:
    """Slide over a long line in steps, and keep the stretch with most terms."""
    step = characters // 4
    starts = range(0, len(line) - characters + step, step)
    stretches = [line[start : start + characters] for start in starts]
    return max(
        stretches,
        key=lambda text: sum(weights[term] for term in finder.present(text)),
    )
