"""Of passages of one note that say much the same, one is enough for a while."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.search.answering.passages import Passage

# Maximal marginal relevance. Over all notes, values that changed push each other out: with
# 0.7 it harmed three sets of six, within one note none (bench/ablation.py).
RELEVANCE = 0.8
_LETTERS = 4


def diverse(passages: Sequence[Passage], limit: int) -> list[Passage]:
    """Return *limit* of *passages*, which stand best first, without much repetition."""
    best = passages[0].score if passages else 0.0
    rest = [
        _Candidate(each, RELEVANCE * each.score / (best or 1.0)) for each in passages
    ]
    chosen: list[Passage] = []
    said: dict[str, list[_Candidate]] = defaultdict(list)
    while rest and len(chosen) < limit:
        taken = max(rest, key=attrgetter("value"))
        # A value only falls, so that of those below the highest it need not be known.
        if taken.fell(said[taken.passage.path]):
            continue
        rest.remove(taken)
        chosen.append(taken.passage)
        said[taken.passage.path].append(taken)
    return chosen


@dataclass(eq=False)
class _Candidate:
    """A passage, and how much *value* is left to it by those it was *compared* with."""

    passage: Passage
    worth: float
    repeated: float = 0.0
    compared: int = 0

    @property
    def value(self) -> float:
        return self.worth - (1 - RELEVANCE) * self.repeated

    def fell(self, said: Sequence[_Candidate]) -> bool:
        """Compare it with those *said* since the last time; false where there are none."""
        new = said[self.compared :]
        self.compared = len(said)
        self.repeated = max([self.repeated, *map(self._likeness, new)])
        return bool(new)

    def _likeness(self, other: _Candidate) -> float:
        """Return the Jaccard index of all that is four letters long in either."""
        both = len(self._grams & other._grams)
        either = len(self._grams) + len(other._grams) - both
        return both / either if either else 0.0

    @cached_property
    def _grams(self) -> set[str]:
        text = self.passage.text
        return {text[at : at + _LETTERS] for at in range(len(text) - _LETTERS + 1)}
