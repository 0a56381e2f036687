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

_NOWHERE = (0, 0.0)


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
    weighed = []
    for parts in order:
        row = candidates.rows[parts.number]
        channels = (*words.get(row.id, _NOWHERE), *meaning.get(row.id, _NOWHERE))
        place = (row.path, row.start_line, row.end_line, *channels)
        fate = _fate(parts.number, read, answer)
        weighed.append(Weighed(*place, *parts[1:], parts.score, fate))
    absent = (term for term in terms if term_number(term) in candidates.absent)
    return Explanation(
        terms=dict(terms),
        absent=tuple(sorted(absent)),
        times=tuple((each.first, each.last) for each in times.stretches),
        nearest=verdict.nearest,
        covered=verdict.covered,
        margin=verdict.margin,
        candidates=tuple(weighed),
    )


def _places(ranked: Ranked) -> dict[str, tuple[int, float]]:
    return {number: (at, score) for at, (number, score) in enumerate(ranked, start=1)}


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
