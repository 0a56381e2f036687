"""Where points live: what the index asks of a vector store, whichever it is."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

    from strata.hits import Chunk, Tier

T = TypeVar("T")

DENSE = "dense"
SPARSE = "bm25"

Ranked = list[tuple[str, float]]
Matrix = list[list[float]]


@dataclass(frozen=True, slots=True)
class Point:
    """
    A chunk as a store keeps it.

    *id* is a UUID that ends in two zeros, where a store may number windows. *sparse* maps
    term numbers to weights without rarity, which the store adds. It gets the vectors of
    its windows later, when it is embedded.
    """

    id: str
    chunk: Chunk
    sparse: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Scope:
    """
    Which chunks a search may find; days include both ends.

    *ids*, where they are known, are exactly those chunks.
    """

    tier: Tier | None = None
    since: date | None = None
    until: date | None = None
    ids: frozenset[str] | None = None

    def holds(self, day: date | None, tier: Tier) -> bool:
        """Tell whether a note lies within; one without a day has no place in time."""
        if self.tier is not None and tier is not self.tier:
            return False
        if self.since is None and self.until is None:
            return True
        return (
            day is not None
            and (self.since is None or day >= self.since)
            and (self.until is None or day <= self.until)
        )


@dataclass(frozen=True, slots=True)
class Found:
    """Ids and scores, best first: BM25, and the cosine of the best window."""

    sparse: Ranked
    dense: Ranked


class Store(Protocol):
    """A vector store in this process or behind a network; errors are `StoreDamaged`."""

    def upsert(self, points: Sequence[Point]) -> None:
        """Add *points*, replacing those with the same ids."""
        ...

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        """Give the points with these ids the vectors of their windows."""
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Remove the points with these ids, if they are there."""
        ...

    def search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        scope: Scope,
        limit: int,
    ) -> Found:
        """Return the *limit* best points of *scope* for each of the two vectors."""
        ...

    def terms_of(self, ids: Sequence[str]) -> set[int]:
        """Return the numbers of the terms that any of the points with these ids has."""
        ...

    def clear(self) -> None:
        """Remove every point of this workspace, and of no other."""
        ...

    def count(self) -> int:
        """Return how many points there are."""
        ...

    def settle(self, *, optimize: bool) -> None:
        """Put everything on the disk; *optimize* also puts it in order, which may take."""
        ...

    def is_as_left(self) -> bool:
        """Tell whether nobody has put the points back to an earlier state."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...


class StoreDamaged(Exception):
    """The store cannot be read or written; its points must be made anew."""


@dataclass(frozen=True, slots=True)
class Remote:
    """
    A Qdrant server, and the name under which a workspace's points are kept there.

    With *own* they are in a collection of their own, else in that of all.
    """

    url: str
    api_key: str
    tenant: str
    own: bool = False


def remote_at(
    url: str, api_key: str, workspace: Path, installation: str, *, own: bool = False
) -> Remote:
    """Return the server at *url*, where *workspace* of *installation* has its own name."""
    place = f"{installation}:{workspace.resolve()}"
    return Remote(url, api_key, str(uuid.uuid5(uuid.NAMESPACE_URL, place)), own)


def payload(chunk: Chunk) -> dict[str, str | int]:
    """Return what a store keeps beside the vectors of *chunk*."""
    fields: dict[str, str | int] = {
        "path": chunk.path,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "tier": chunk.tier.value,
    }
    return fields | ({"date": midnight(chunk.day)} if chunk.day else {})


def midnight(day: date) -> str:
    """Write *day* as the moment that stores compare."""
    return f"{day.isoformat()}T00:00:00Z"


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Cut *items* into parts of *size*: what is asked or written at once has a limit."""
    return (items[at : at + size] for at in range(0, len(items), size))


def bounded(
    sized: Sequence[tuple[T, int]], most: int, most_size: int
) -> Iterator[list[T]]:
    """
    Cut items with their sizes into parts of no more than *most*, and of *most_size*.

    One that is larger alone goes alone.
    """
    some: list[T] = []
    size = 0
    for item, its_size in sized:
        if some and (len(some) >= most or size + its_size > most_size):
            yield some
            some, size = [], 0
        some.append(item)
        size += its_size
    if some:
        yield some
