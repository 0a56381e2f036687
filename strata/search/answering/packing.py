"""The best hits within a budget of tokens, none of which repeats what another says."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from strata.search.language.keywords import document_terms
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.hits import Hit

# A tenth of slack: the count is an estimate.
_SAFETY = 1.1
_CITATION_TOKENS = 4
# A hit is left out where so much of it has been said already.
_REPEATED = 0.8
_WORTH_SHOWING = 24
_SHORTEST = 8


def pack(
    hits: Sequence[Hit], shorter: Callable[[int, int], str], budget: int
) -> tuple[Hit, ...]:
    """
    Return as many of *hits*, best first, as *budget* tokens hold with citations.

    *shorter* gives the snippet of a hit, by its place, in so many characters. Of the best
    hit at least a few words are shown.
    """
    return tuple(_packed(hits, shorter, budget))


def cost(hit: Hit) -> int:
    """Estimate the tokens of *hit* as it is printed, with its citation."""
    citation = f"{hit.path}#L{hit.start_line}-L{hit.end_line}"
    shown = token_count(citation) + token_count(hit.snippet) + _CITATION_TOKENS
    return int(shown * _SAFETY) + 1


def snippet_characters(budget: int) -> int:
    """Return how long a snippet may be so that several fit into *budget*."""
    return max(120, min(700, budget))


def _packed(
    hits: Sequence[Hit], shorter: Callable[[int, int], str], budget: int
) -> Iterator[Hit]:
    said: set[str] = set()
    room, least = budget, 1
    for at, hit in enumerate(hits):
        terms = set(document_terms(hit.snippet)[0])
        if terms and len(terms & said) / len(terms) >= _REPEATED:
            continue
        fitting = _fitting(hit, partial(shorter, at), room, least)
        if fitting is not None:
            said |= terms
            room -= cost(fitting)
            least = _WORTH_SHOWING
            yield fitting


def _fitting(
    hit: Hit, shorter: Callable[[int], str], room: int, least: int
) -> Hit | None:
    """Return *hit*, with fewer of its words where all do not fit, if it is worth it."""
    fitting = hit
    while cost(fitting) > room:
        characters = len(fitting.snippet) * 3 // 4
        fitting = replace(hit, snippet=shorter(max(characters, _SHORTEST)))
        worth = token_count(fitting.snippet) >= least
        if characters < _SHORTEST or not worth:
            return None
    return fitting
