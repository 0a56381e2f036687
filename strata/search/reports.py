"""What the index says of itself: what an update did, and what is there."""

from __future__ import annotations

from dataclasses import dataclass


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
