"""In how many other conversations something alike was said, whatever the words."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from strata.judges.holding import held_in
from strata.statements.relations import folded_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.models import Claim

# Two statements are alike where they share so many terms, and such a part of the shorter.
_FEWEST = 2
_SHARE = 0.4
# What is less likely to last says nothing for another.
_LIKELY = 0.15


def echoes_of(claims: Sequence[Claim]) -> list[int]:
    """
    Return for each of *claims* how many conversations of others say something alike.

    A rule that its owner comes back to in other words is more than a remark, even where
    the words do not say the same.
    """
    terms = [folded_terms(claim.text) for claim in claims]
    labels = [frozenset(each.label or each.path for each in c.mentions) for c in claims]
    likely = [
        max(held_in(each).estimate.lasts for each in c.mentions) >= _LIKELY
        for c in claims
    ]
    by_term: dict[str, list[int]] = defaultdict(list)
    for place, own in enumerate(terms):
        if likely[place]:
            for term in own:
                by_term[term].append(place)
    counts = []
    for place, own in enumerate(terms):
        shared: dict[int, int] = defaultdict(int)
        for term in own:
            for other in by_term[term]:
                shared[other] += 1
        heard: set[str] = set()
        for other, number in shared.items():
            least = max(_FEWEST, _SHARE * min(len(own), len(terms[other])))
            if other != place and number >= least:
                heard |= labels[other] - labels[place]
        counts.append(len(heard))
    return counts
