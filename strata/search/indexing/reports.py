"""What the index says of itself: what an update did, and what is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.indexing.changes import changes
from strata.search.indexing.manifest import EMBEDDED, PENDING

if TYPE_CHECKING:
    from pathlib import Path

    from strata.search.indexing.manifest import Manifest


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """How many files were read, chunks written, chunks embedded and files removed."""

    files: int = 0
    chunks: int = 0
    embedded: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the index holds; *stale* counts files that changed since it was updated."""

    files: int
    chunks: int
    embedded: int
    pending: int
    stale: int


def status_of(manifest: Manifest, workspace: Path) -> IndexStatus:
    """Compare *manifest* with the files of *workspace*."""
    stale = changes(workspace, manifest)
    return IndexStatus(
        files=len(manifest.files()),
        chunks=manifest.count(),
        embedded=manifest.count_vectors(EMBEDDED),
        pending=manifest.count_vectors(PENDING),
        stale=len(stale.stale) + len(stale.removed),
    )
