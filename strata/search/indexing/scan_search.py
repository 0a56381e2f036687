"""The files themselves are searched by keywords, where the index cannot be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.indexing import points, writing
from strata.search.indexing.candidates import Candidates, absent
from strata.search.indexing.scanning import scan
from strata.search.stores.in_memory import InMemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date
    from pathlib import Path

    from strata.hits import Tier
    from strata.search.indexing.manifest import Row
    from strata.search.stores.store import Scope


class Scanned:
    """What stands in every memory file of *workspace* now; seconds, not moments."""

    def __init__(self, workspace: Path, say: Callable[[str], None]) -> None:
        self._store = InMemoryStore()
        self._rows: dict[str, Row] = {}
        for batch in writing.prepared(workspace, scan(workspace).values(), say):
            pieces = [piece for file in batch for piece in file.pieces]
            self._rows.update((piece.id, points.row(piece)) for piece in pieces)
            self._store.upsert([points.point(piece) for piece in pieces])

    def search(
        self, sparse: Mapping[int, float], scope: Scope, limit: int
    ) -> Candidates:
        """Return the *limit* best chunks of *scope*."""
        found = self._store.search(sparse, None, scope, limit)
        missing = absent(self._store, sparse, found)
        return Candidates(found, self._rows, missing, len(self._rows))

    def days(self) -> list[tuple[date, Tier]]:
        """Return every day that a note is named for, with the note's tier."""
        return list({(row.day, row.tier) for row in self._rows.values() if row.day})

    def rows_of_day(self, day: date, tier: Tier) -> list[Row]:
        """Return the chunks of the notes of *tier* that are named for *day*."""
        return [
            row for row in self._rows.values() if (row.day, row.tier) == (day, tier)
        ]
