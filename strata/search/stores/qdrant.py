"""Qdrant through its client: its own engine where Edge has no wheel, and servers."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from qdrant_client import QdrantClient, models

from strata.search.stores.patience import Patient
from strata.search.stores.store import (
    DENSE,
    SPARSE,
    Found,
    Point,
    StoreDamaged,
    batches,
    bounded,
    payload,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.stores.store import Matrix, Ranked, Scope

_COLLECTION = "chunks"
_AT_ONCE = 256
# A server refuses requests of more than 32 MB, and a proxy before it often of 8. A number
# of terms is written with up to 22 bytes, one of a vector with up to 11.
_MOST_NUMBERS = 200_000


class QdrantStore:
    """One *collection* of *client*, which is there."""

    def __init__(
        self,
        client: QdrantClient,
        collection: str = _COLLECTION,
        most_seconds: float = math.inf,
    ) -> None:
        self._client = Patient(client, most_seconds)
        self._collection = collection

    @classmethod
    def in_folder(cls, folder: Path, dimensions: int) -> QdrantStore:
        """Open the client's own store of plain Python and SQLite in *folder*."""
        folder.mkdir(parents=True, exist_ok=True)
        try:
            client = QdrantClient(path=str(folder))
            if not client.collection_exists(_COLLECTION):
                client.create_collection(_COLLECTION, **collection_settings(dimensions))
            return cls(client)
        # SQLite, JSON and pickle each raise their own.
        except (RuntimeError, ValueError, OSError, EOFError) as error:
            raise StoreDamaged(str(error)) from None

    def upsert(self, points: Sequence[Point]) -> None:
        sized = [(point, 2 * len(point.sparse)) for point in points]
        for some in bounded(sized, _AT_ONCE, _MOST_NUMBERS):
            rows = [self._point(point) for point in some]
            with warnings.catch_warnings():
                # The client advises a server above 20,000 points; there may be none.
                warnings.simplefilter("ignore", UserWarning)
                self._client.upsert(self._collection, rows)

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        sized = [(each, sum(map(len, vectors[each]))) for each in vectors]
        for some in bounded(sized, _AT_ONCE, _MOST_NUMBERS):
            rows = [
                models.PointVectors(
                    id=self._id(number), vector={DENSE: vectors[number]}
                )
                for number in some
            ]
            self._client.update_vectors(self._collection, rows)

    def delete(self, ids: Sequence[str]) -> None:
        for some in batches(ids, _AT_ONCE):
            chosen = models.PointIdsList(points=[self._id(number) for number in some])
            self._client.delete(self._collection, chosen)

    def clear(self) -> None:
        mine = models.FilterSelector(filter=models.Filter(must=self._mine()))
        self._client.delete(self._collection, mine)

    def search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        scope: Scope,
        limit: int,
    ) -> Found:
        where = self._filter(scope)
        terms = models.SparseVector(indices=list(sparse), values=list(sparse.values()))
        return Found(
            sparse=self._nearest(terms, SPARSE, where, limit) if sparse else [],
            dense=self._nearest([list(dense)], DENSE, where, limit) if dense else [],
        )

    def terms_of(self, ids: Sequence[str]) -> set[int]:
        found = self._client.retrieve(
            self._collection,
            [self._id(number) for number in ids],
            with_payload=False,
            with_vectors=[SPARSE],
        )
        return {term for point in found for term in _terms(point.vector)}

    def count(self) -> int:
        mine = models.Filter(must=self._mine())
        counted = self._client.count(self._collection, count_filter=mine, exact=True)
        return int(counted.count)

    def settle(self, *, optimize: bool) -> None:
        """Do nothing: every write is on the disk when it returns."""

    def is_as_left(self) -> bool:
        """Return true: the folder is nobody else's."""
        return True

    def close(self) -> None:
        self._client.close()

    def _nearest(
        self,
        vector: models.SparseVector | Matrix,
        name: str,
        where: models.Filter | None,
        limit: int,
    ) -> Ranked:
        found = self._client.query_points(
            self._collection,
            query=vector,
            using=name,
            query_filter=where,
            limit=limit,
            search_params=self._corpus() if name == SPARSE else None,
            with_payload=self._shown,
        )
        return [(self._own_id(point), point.score) for point in found.points]

    def _point(self, point: Point) -> models.PointStruct:
        terms = models.SparseVector(
            indices=list(point.sparse), values=list(point.sparse.values())
        )
        return models.PointStruct(
            id=self._id(point.id), vector={SPARSE: terms}, payload=self._fields(point)
        )

    def _fields(self, point: Point) -> dict[str, str | int]:
        return payload(point.chunk)

    def _id(self, number: str) -> str:
        return number

    def _own_id(self, point: models.ScoredPoint) -> str:
        return str(point.id)

    @property
    def _shown(self) -> bool | list[str]:
        """The fields that a search is to bring, where ids do not tell the chunk."""
        return False

    def _mine(self) -> list[models.Condition]:
        """Return what is true of the points of this store, and of no others there."""
        return []

    def _corpus(self) -> models.SearchParams | None:
        """Return among which points a word's rarity counts, if not among all."""
        return None

    def _filter(self, scope: Scope) -> models.Filter | None:
        conditions = [*self._mine(), *_conditions(scope)]
        return models.Filter(must=conditions) if conditions else None


def _conditions(scope: Scope) -> Iterator[models.Condition]:
    if scope.tier:
        match = models.MatchValue(value=scope.tier.value)
        yield models.FieldCondition(key="tier", match=match)
    if scope.since or scope.until:
        days = models.DatetimeRange(gte=scope.since, lte=scope.until)
        yield models.FieldCondition(key="date", range=days)


def _terms(vectors: object) -> list[int]:
    terms = vectors.get(SPARSE) if isinstance(vectors, dict) else None
    return terms.indices if isinstance(terms, models.SparseVector) else []


def collection_settings(dimensions: int) -> dict[str, Any]:  # Any: as the client has it
    """Return how a collection is made whose vectors have so many *dimensions*."""
    return {
        "vectors_config": {
            DENSE: models.VectorParams(
                size=dimensions,
                distance=models.Distance.COSINE,
                datatype=models.Datatype.FLOAT16,
                multivector_config=models.MultiVectorConfig(
                    comparator=models.MultiVectorComparator.MAX_SIM
                ),
            )
        },
        "sparse_vectors_config": {
            SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)
        },
    }
