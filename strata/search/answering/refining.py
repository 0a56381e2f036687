"""Candidates are read from their files, and what they say puts them in their last order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.search.answering.closeness import by_closeness
from strata.search.answering.diversity import diverse
from strata.search.answering.passages import join
from strata.search.answering.snippets import mark, snippet, telling
from strata.search.language.terms import Finder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.search.answering.passages import Files, Passage
    from strata.search.answering.ranking import Ranking
    from strata.search.answering.reranking import Reranker
    from strata.search.answering.snippets import Marked


class Reader:
    """Marks where the *terms* of *question* stand in passages, in each passage once."""

    def __init__(
        self, files: Files, terms: Mapping[str, float], question: str = ""
    ) -> None:
        self.files = files
        self.terms = terms
        self.question = question
        self.finder = Finder(terms)
        self._marked: dict[tuple[str, int, int, str], Marked] = {}

    def mark(self, passage: Passage) -> Marked:
        """Note in which lines of *passage* the terms stand."""
        key = (passage.path, passage.start_line, passage.end_line, passage.text)
        if key not in self._marked:
            self._marked[key] = mark(passage.text, self.finder)
        return self._marked[key]


def within_reach(limit: int) -> int:
    """Return of how many passages the best *limit* are chosen: reading takes long."""
    return limit + limit // 2


def refine(
    passages: Sequence[Passage],
    reader: Reader,
    ranking: Ranking,
    limit: int,
) -> list[Passage]:
    """Return the best *limit* of *passages* neighbours as one."""
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


def _reranked(
    passages: list[Passage],
    reader: Reader,
    reranker: Reranker,
) -> list[Passage]:
    """Order *passages* by what the cross-encoder says of the part that is shown."""
    marked = [reader.mark(each) for each in passages]
    weights = telling(reader.terms, marked)
    texts = [snippet(each, weights, reader.finder) for each in marked]
    scores = reranker.scores(reader.question, texts)
    if scores is None:
        return passages
    read = [
        replace(passage, score=score)
        for passage, score in zip(passages, scores, strict=True)
    ]
    return sorted(read, key=lambda passage: -passage.score)
