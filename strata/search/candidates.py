"""What a search of the index found, before it is ranked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.search.store import Found, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from strata.search.manifest import Row
    from strata.search.session import Session
    from strata.search.store import Ranked, Store


@dataclass(frozen=True, slots=True)
class Candidates:
    """
    Ids with their scores, and the chunks that the ids stand for.

    *absent* are the numbers of terms that were looked for and stand in no note, and
    *chunks* is about how many chunks were searched.
    """

    found: Found
    rows: Mapping[str, Row]
    absent: frozenset[int] = field(default=frozenset())
    chunks: int = 1


def gathered(
    session: Session,
    sparse: Mapping[int, float],
    dense: Sequence[float] | None,
    scopes: Sequence[Scope],
    limit: int,
) -> Candidates:
    """Search each of *scopes* for its *limit* best chunks, and look up what they are."""
    store = session.store
    found = merged([store.search(sparse, dense, each, limit) for each in scopes])
    ids = [number for number, _ in found.sparse + found.dense]
    rows = session.manifest.rows(ids)
    return Candidates(found, rows, absent(store, sparse), session.manifest.count())


def merged(found: Sequence[Found]) -> Found:
    """Return what several searches of one store found as one, best first."""
    if len(found) == 1:
        return found[0]
    return Found(
        sparse=_union([each.sparse for each in found]),
        dense=_union([each.dense for each in found]),
    )


def absent(store: Store, terms: Iterable[int]) -> frozenset[int]:
    """Return those of *terms* that no chunk in *store* has."""
    return frozenset(
        term for term in terms if not store.search({term: 1.0}, None, Scope(), 1).sparse
    )


def _union(lists: Sequence[Ranked]) -> Ranked:
    scores = {number: score for ranked in lists for number, score in ranked}
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
