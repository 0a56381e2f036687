"""The part of a passage that is shown: the lines that answer, and those around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.keywords import present

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_CHARACTERS = 700


def snippet(text: str, terms: Mapping[str, float]) -> str:
    """Return at most `MAX_CHARACTERS` of *text*, around where most *terms* stand."""
    if len(text) <= MAX_CHARACTERS:
        return text
    lines = text.split("\n")
    values = [_value(line, terms) for line in lines]
    best = max(range(len(lines)), key=lambda place: values[place])
    if len(lines[best]) > MAX_CHARACTERS:
        return _cut(lines[best], terms)
    first, last = _grown(lines, values, best)
    return "\n".join(lines[first : last + 1]).strip("\n")


def weighed(terms: Mapping[str, float], texts: Sequence[str]) -> dict[str, float]:
    """Weigh down the *terms* that stand in most *texts*: they do not tell lines apart."""
    counts = dict.fromkeys(terms, 0)
    for text in texts:
        for term in present(text, terms):
            counts[term] += 1
    return {term: weight / (1 + counts[term]) for term, weight in terms.items()}


def _value(line: str, terms: Mapping[str, float]) -> float:
    return sum(terms[term] for term in present(line, terms))


def _grown(lines: Sequence[str], values: Sequence[float], best: int) -> tuple[int, int]:
    """Take in neighbours, the better one first, while there is room."""
    first = last = best
    room = MAX_CHARACTERS - len(lines[best])
    while True:
        sides = [place for place in (first - 1, last + 1) if 0 <= place < len(lines)]
        sides = [place for place in sides if len(lines[place]) + 1 <= room]
        if not sides:
            return first, last
        place = max(sides, key=lambda place: (values[place], place))
        first, last = min(first, place), max(last, place)
        room -= len(lines[place]) + 1


def _cut(line: str, terms: Mapping[str, float]) -> str:
    """Slide over a long line in steps, and keep the stretch with most terms."""
    step = MAX_CHARACTERS // 4
    starts = range(0, max(len(line) - MAX_CHARACTERS, 0) + step, step)
    return max(
        (line[start : start + MAX_CHARACTERS] for start in starts),
        key=lambda stretch: _value(stretch, terms),
    )
