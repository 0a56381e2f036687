"""Qdrant through its client: where the engine has no wheel, and the way to servers."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from qdrant_client import QdrantClient, models

from strata.search.store import (
    DENSE,
    SPARSE,
    Found,
    Point,
    StoreDamaged,
    payload,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from strata.search.store import Matrix, Ranked, Scope

_COLLECTION = "chunks"


class QdrantStore:
    """One collection of *client*, made if it is not there."""

    def __init__(self, client: QdrantClient, dimensions: int) -> None:
        self._client = client
        if not client.collection_exists(_COLLECTION):
            client.create_collection(
                _COLLECTION,
                vectors_config={
                    DENSE: models.VectorParams(
                        size=dimensions,
                        distance=models.Distance.COSINE,
                        multivector_config=models.MultiVectorConfig(
                            comparator=models.MultiVectorComparator.MAX_SIM
                        ),
                    )
                },
                sparse_vectors_config={
                    SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)
                },
            )

    @classmethod
    def in_folder(cls, folder: Path, dimensions: int) -> QdrantStore:
        """Open the client's own store of plain Python and SQLite in *folder*."""
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with warnings.catch_warnings():
                # To learn what SQLite can do, the client opens one that it never closes.
                warnings.simplefilter("ignore", ResourceWarning)
                return cls(QdrantClient(path=str(folder)), dimensions)
        # SQLite, JSON and pickle each raise their own.
        except (RuntimeError, ValueError, OSError, EOFError) as error:
            raise StoreDamaged(str(error)) from None

    def upsert(self, points: Sequence[Point]) -> None:
        with warnings.catch_warnings():
            # The client advises a server above 20,000 points; there is none to be had.
            warnings.simplefilter("ignore", UserWarning)
            self._client.upsert(_COLLECTION, [_point(point) for point in points])

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        rows = [
            models.PointVectors(id=number, vector={DENSE: vector})
            for number, vector in vectors.items()
        ]
        self._client.update_vectors(_COLLECTION, rows)

    def delete(self, ids: Sequence[str]) -> None:
        if ids:
            self._client.delete(_COLLECTION, models.PointIdsList(points=list(ids)))

    def search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        scope: Scope,
        limit: int,
    ) -> Found:
        where = _filter(scope)
        terms = models.SparseVector(indices=list(sparse), values=list(sparse.values()))
        return Found(
            sparse=self._nearest(terms, SPARSE, where, limit) if sparse else [],
            dense=self._nearest([list(dense)], DENSE, where, limit) if dense else [],
        )

    def count(self) -> int:
        return self._client.count(_COLLECTION, exact=True).count

    def settle(self, *, optimize: bool) -> None:
        """Do nothing: every write is on the disk when it returns."""

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
            _COLLECTION,
            query=vector,
            using=name,
            query_filter=where,
            limit=limit,
            with_payload=False,
        )
        return [(str(point.id), point.score) for point in found.points]


def _point(point: Point) -> models.PointStruct:
    terms = models.SparseVector(
        indices=list(point.sparse), values=list(point.sparse.values())
    )
    return models.PointStruct(
        id=point.id, vector={SPARSE: terms}, payload=payload(point)
    )


def _filter(scope: Scope) -> models.Filter | None:
    conditions: list[models.Condition] = []
    if scope.tier:
        match = models.MatchValue(value=scope.tier.value)
        conditions.append(models.FieldCondition(key="tier", match=match))
    if scope.since or scope.until:
        days = models.DatetimeRange(
            gte=scope.since,
            lte=scope.until,
        )
        conditions.append(models.FieldCondition(key="date", range=days))
    return models.Filter(must=conditions) if conditions else None
