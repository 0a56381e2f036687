"""What passages say puts them in their last order: close words, and little repetition."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from strata.search.answering.passages import join
from strata.search.answering.snippets import snippet, telling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from strata.search.answering.passages import Passage
    from strata.search.answering.ranking import Ranking
    from strata.search.answering.reranking import Reranker
    from strata.search.answering.snippets import Marked, Reader

# At most this share of a score: LoCoMo's nDCG@10 rose from 0.833 to 0.837 and no set lost;
# with a third, preferences lost more than the others won (bench/ablation.py).
SHARE = 0.2
# Maximal marginal relevance. Over all notes, values that changed push each other out: with
# 0.7 it harmed three sets of six, within one note none (bench/ablation.py).
RELEVANCE = 0.8
_LETTERS = 4


def within_reach(limit: int) -> int:
    """Return of how many passages the best *limit* are chosen: reading takes long."""
    return limit + limit // 2


def refine(
    passages: Sequence[Passage],
    reader: Reader,
    ranking: Ranking,
    limit: int,
) -> list[Passage]:
    """Return the best *limit* of *passages*, neighbours as one."""
    wide = within_reach(limit)
    refined, far = list(passages[:wide]), passages[wide:]
    if "closeness" not in ranking.without and len(refined) > 1:
        weights = telling(reader.terms, [reader.mark(each) for each in refined])
        refined = by_closeness(refined, reader.mark, weights)
    refined += far
    if "joining" not in ranking.without:
        refined = join(reader.files, refined, len(refined))
    if "diversity" not in ranking.without:
        refined = diverse(refined[:wide], limit)
    if ranking.reranker:
        refined = _reranked(refined[:limit], reader, ranking.reranker)
    return refined[:limit]


def by_closeness(
    passages: Sequence[Passage],
    mark: Callable[[Passage], Marked],
    weights: Mapping[str, float],
) -> list[Passage]:
    """Order *passages* anew by how much of *weights* their best line holds."""
    total = sum(weights.values()) or 1.0
    scores = []
    for passage in passages:
        held = max(mark(passage).values(weights), default=0.0) / total
        scores.append(passage.score * (1 - SHARE + SHARE * held))
    return _by_score(passages, scores)


def diverse(passages: Sequence[Passage], limit: int) -> list[Passage]:
    """
    Return *limit* of *passages*, which stand best first, without much repetition.

    Of passages of one note that say much the same, one is enough for a while.
    """
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


def _reranked(
    passages: list[Passage], reader: Reader, reranker: Reranker
) -> list[Passage]:
    """Order *passages* by what the cross-encoder says of the part that is shown."""
    marked = [reader.mark(each) for each in passages]
    weights = telling(reader.terms, marked)
    texts = [snippet(each, weights, reader.finder) for each in marked]
    scores = reranker.scores(reader.question, texts)
    return passages if scores is None else _by_score(passages, scores)


def _by_score(passages: Sequence[Passage], scores: Iterable[float]) -> list[Passage]:
    """Return *passages* with *scores* of their own, best first."""
    scored = [
        replace(passage, score=score)
        for passage, score in zip(passages, scores, strict=True)
    ]
    return sorted(scored, key=lambda passage: -passage.score)
