"""Passages in their final order become hits; within a budget, none repeats another."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from strata.hits import Hit
from strata.search.answering.snippets import MAX_CHARACTERS, snippet, telling
from strata.search.language.keywords import document_terms
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from strata.search.answering.snippets import Reader
    from strata.search.answering.superseded import Shown

# A tenth of slack: the count is an estimate.
_SAFETY = 1.1
_CITATION_TOKENS = 4
# A hit is left out where so much of it has been said already.
_REPEATED = 0.8
_WORTH_SHOWING = 24
_SHORTEST = 8
# Of what was found, the last is worth nothing beside the first; where it has no word of the
# question either, only a model of sentences found it, and found it far off.
_NOISE = 0.05
# So short may a snippet be that several fit into a budget.
_SEVERAL = 120


def hits_of(
    shown: Sequence[Shown], reader: Reader, trust: float, budget: int | None
) -> tuple[Hit, ...]:
    """
    Return what of each passage is shown, *trust* being how well the best ones fit.

    What has nothing to do with the question is left out after better ones. Of a *budget* of
    tokens, citations included, the best hits take as many as they need;
    of the very best at least a few words are shown.
    """
    weights = telling(reader.terms, [each.marked for each in shown])
    most = MAX_CHARACTERS
    if budget is not None:
        most = max(_SEVERAL, min(MAX_CHARACTERS, budget))
    hits: list[tuple[Hit, Callable[[int], str]]] = []
    for passage, marked, old in shown:
        shorter = partial(snippet, marked, weights, reader.finder)
        hit = Hit(
            path=passage.path,
            start_line=passage.start_line,
            end_line=passage.end_line,
            score=min(max(passage.score * trust, 0.0), 1.0),
            snippet=shorter(most),
            tier=passage.tier,
            day=passage.day,
            superseded=(old.day or True) if old else False,
            successor=old.text if old else "",
            taken_back=bool(old and old.taken_back),
        )
        if hits and hit.score < _NOISE and reader.terms and not marked.terms:
            continue
        hits.append((hit, shorter))
    return (
        tuple(hit for hit, _ in hits) if budget is None else (*_packed(hits, budget),)
    )


def cost(hit: Hit) -> int:
    """Estimate the tokens of *hit* as it is printed, with its citation."""
    citation = f"{hit.path}#L{hit.start_line}-L{hit.end_line}"
    shown = token_count(citation) + token_count(hit.snippet) + _CITATION_TOKENS
    return int(shown * _SAFETY) + 1


def _packed(
    hits: Sequence[tuple[Hit, Callable[[int], str]]], budget: int
) -> Iterator[Hit]:
    said: set[str] = set()
    room, least = budget, 1
    for hit, shorter in hits:
        terms = set(document_terms(hit.snippet)[0])
        if terms and len(terms & said) / len(terms) >= _REPEATED:
            continue
        fitting = _fitting(hit, shorter, room, least)
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
