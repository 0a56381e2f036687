"""What a search of the index found, before it is ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.store import Found

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.search.manifest import Row
    from strata.search.store import Ranked


@dataclass(frozen=True, slots=True)
class Candidates:
    """Ids with their scores, and the chunks that the ids stand for."""

    found: Found
    rows: Mapping[str, Row]


def merged(found: Sequence[Found]) -> Found:
    """Return what several searches of one store found as one, best first."""
    if len(found) == 1:
        return found[0]
    return Found(
        sparse=_union([each.sparse for each in found]),
        dense=_union([each.dense for each in found]),
    )


def _union(lists: Sequence[Ranked]) -> Ranked:
    scores = {number: score for ranked in lists for number, score in ranked}
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
