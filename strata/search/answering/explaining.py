"""How an answer came about: every candidate, its scores, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.hits import Explanation, Weighed
from strata.messages import Notice
from strata.search.language.keywords import term_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.hits import Answer
    from strata.search.answering.abstaining import Verdict
    from strata.search.answering.passages import Passage
    from strata.search.answering.ranking import Parts
    from strata.search.indexing.candidates import Candidates
    from strata.search.indexing.times import Times
    from strata.search.stores.store import Ranked


def explain(  # noqa: PLR0913, PLR0917 - everything that had a part in it
    terms: Mapping[str, float],
    times: Times,
    verdict: Verdict,
    candidates: Candidates,
    order: Sequence[Parts],
    read: Mapping[str, Passage | None],
    answer: Answer,
) -> Explanation:
    """Say of each candidate in *order* why it is there; *read* are those looked at."""
    words, meaning = _places(candidates.found.sparse), _places(candidates.found.dense)
    return Explanation(
        terms=dict(terms),
        absent=tuple(
            sorted(term for term in terms if term_number(term) in candidates.absent)
        ),
        times=tuple((each.first, each.last) for each in times.stretches),
        nearest=verdict.nearest,
        covered=verdict.covered,
        margin=verdict.margin,
        candidates=tuple(
            _weighed(
                parts, candidates, words, meaning, _fate(parts.number, read, answer)
            )
            for parts in order
        ),
    )


def _places(ranked: Ranked) -> dict[str, tuple[int, float]]:
    return {number: (at, score) for at, (number, score) in enumerate(ranked, start=1)}


def _weighed(
    parts: Parts,
    candidates: Candidates,
    words: Mapping[str, tuple[int, float]],
    meaning: Mapping[str, tuple[int, float]],
    fate: str,
) -> Weighed:
    row = candidates.rows[parts.number]
    word_rank, word_score = words.get(parts.number, (0, 0.0))
    meaning_rank, meaning_score = meaning.get(parts.number, (0, 0.0))
    return Weighed(
        path=row.path,
        start_line=row.start_line,
        end_line=row.end_line,
        word_rank=word_rank,
        word_score=word_score,
        meaning_rank=meaning_rank,
        meaning_score=meaning_score,
        fused=parts.fused,
        recency=parts.recency,
        time=parts.time,
        order=parts.order,
        tier_weight=parts.tier,
        score=parts.score,
        fate=fate,
    )


def _fate(number: str, read: Mapping[str, Passage | None], answer: Answer) -> str:
    if number not in read:
        return Notice("query.cut-by-better")
    passage = read[number]
    if passage is None:
        return Notice("query.gone")
    for hit in answer.hits or answer.closest:
        if hit.path == passage.path and (
            hit.start_line <= passage.start_line and passage.end_line <= hit.end_line
        ):
            whole = hit.start_line == passage.start_line
            said = Notice("query.shown" if answer.hits else "query.closest-only")
            return said if whole else Notice("query.joined", fate=said)
    return Notice("query.cut-by-limit")
