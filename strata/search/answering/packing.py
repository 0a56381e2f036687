"""The best hits within a budget of tokens, none of which repeats what another says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.search.language.keywords import document_terms
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.hits import Hit

# A tenth of slack: the count is an estimate.
_SAFETY = 1.1
_CITATION_TOKENS = 4
# A hit is left out where so much of it has been said already.
_REPEATED = 0.8
_WORTH_SHOWING = 24


def pack(hits: Sequence[Hit], budget: int) -> tuple[Hit, ...]:
    """Return as many of *hits*, best first, as *budget* tokens hold with citations."""
    return tuple(_packed(hits, budget))


def cost(hit: Hit) -> int:
    """Estimate the tokens of *hit* as it is printed, with its citation."""
    citation = f"{hit.path}#L{hit.start_line}-L{hit.end_line}"
    shown = token_count(citation) + token_count(hit.snippet) + _CITATION_TOKENS
    return int(shown * _SAFETY) + 1


def snippet_characters(budget: int) -> int:
    """Return how long a snippet may be so that several fit into *budget*."""
    return max(120, min(700, budget))


def _packed(hits: Sequence[Hit], budget: int) -> Iterator[Hit]:
    said: set[str] = set()
    room = budget
    for hit in hits:
        terms = set(document_terms(hit.snippet)[0])
        if terms and len(terms & said) / len(terms) >= _REPEATED:
            continue
        fitting = hit if cost(hit) <= room else _shortened(hit, room)
        if fitting is not None:
            said |= terms
            room -= cost(fitting)
            yield fitting


def _shortened(hit: Hit, room: int) -> Hit | None:
    """Return *hit* with its first lines alone, if they fit and are worth it."""
    lines = hit.snippet.split("\n")
    while len(lines) > 1:
        lines.pop()
        short = replace(hit, snippet="\n".join(lines))
        if cost(short) <= room:
            return short if token_count(short.snippet) >= _WORTH_SHOWING else None
    return None
