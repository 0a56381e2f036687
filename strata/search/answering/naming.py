"""Names beside what a question has found lead to what it says nothing of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.answering.abstaining import names_in
from strata.search.answering.snippets import telling
from strata.search.language.keywords import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.search.answering.snippets import Marked

# Beside a word of the question: recall@5 of LoCoMo's questions that take several steps rose
# from 0.620 to 0.634, of all from 0.866 to 0.872; names of five passages instead of three
# lost 0.007 (bench/recall.py).
WEIGHT = 0.3
_PASSAGES = 3


def names_beside(
    passages: Sequence[Marked], terms: Mapping[str, float]
) -> dict[str, float]:
    """
    Return the terms of names, days and months on the lines that fit *terms* best.

    Of the best *passages* it is the best line of each; what is asked for anyway is no news.
    """
    best = passages[:_PASSAGES]
    weights = telling(terms, best)
    lines = [_best(each, weights) for each in best]
    found = {
        term for line in lines for name in names_in(line) for term in query_terms(name)
    }
    return dict.fromkeys(sorted(found - terms.keys()), WEIGHT)


def _best(passage: Marked, weights: Mapping[str, float]) -> str:
    values = passage.values(weights)
    return passage.lines[max(range(len(values)), key=values.__getitem__)]
