"""Which sentences of a message a statement rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.statement import read
from strata.models import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.language.material import Line
    from strata.language.sentences import Sentence

# A statement sums up this many sentences of a message at most.
_MOST_SENTENCES = 5
_LONGEST_QUOTE = 600


def resting_on(
    told: frozenset[str], sentences: Sequence[Sentence]
) -> tuple[Sentence, ...]:
    """Return the fewest of *sentences* that say what any of them says of *told*."""
    open_terms, chosen = set(told), list[int]()
    left = {place: read(each.text).terms for place, each in enumerate(sentences)}
    while open_terms and left and len(chosen) < _MOST_SENTENCES:
        place = max(left, key=lambda each: len(left[each] & open_terms))
        said = left.pop(place)
        if not said & open_terms:
            break
        open_terms -= said
        chosen.append(place)
    return tuple(sentences[place] for place in sorted(chosen))


def quotes_of(line: Line, sentences: Sequence[Sentence]) -> Iterator[Evidence]:
    """Give *sentences* of *line* as evidence; neighbours are quoted as one."""
    message, runs = line.message, list[tuple[int, int]]()
    for sentence in sentences:
        if runs and not message.text[runs[-1][1] : sentence.start].strip():
            runs[-1] = (runs[-1][0], sentence.end)
        else:
            runs.append((sentence.start, sentence.end))
    for start, end in runs:
        quote = message.text[start:end][:_LONGEST_QUOTE]
        yield Evidence(message.id, quote, message.time, message.origin)
