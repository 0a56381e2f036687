"""Keyword search over the files themselves, where the index cannot be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.indexing import points, writing
from strata.search.indexing.candidates import Candidates, absent
from strata.search.indexing.scanning import scan
from strata.search.stores.in_memory import InMemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from strata.search.indexing.manifest import Row
    from strata.search.stores.store import Scope


def search_files(
    workspace: Path,
    sparse: Mapping[int, float],
    scope: Scope,
    limit: int,
    say: Callable[[str], None],
) -> Candidates:
    """Read every memory file and return the *limit* best chunks; seconds, not moments."""
    store = InMemoryStore()
    rows: dict[str, Row] = {}
    for batch in writing.prepared(workspace, scan(workspace).values(), say):
        pieces = [piece for file in batch for piece in file.pieces]
        rows.update((piece.id, points.row(piece)) for piece in pieces)
        store.upsert([points.point(piece) for piece in pieces])
    found = store.search(sparse, None, scope, limit)
    return Candidates(found, rows, absent(store, sparse, found), len(rows))
