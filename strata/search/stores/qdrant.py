"""Qdrant through its client: where the engine has no wheel, and servers and clusters."""

from __future__ import annotations

import time
import uuid
import warnings
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from strata.errors import StoreUnreachable
from strata.messages import Notice
from strata.search.stores.store import (
    DENSE,
    SPARSE,
    Found,
    Point,
    StoreDamaged,
    batches,
    payload,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.stores.store import Matrix, Ranked, Remote, Scope

T = TypeVar("T")

_COLLECTION = "chunks"
_AT_ONCE = 256
_TIMEOUT_SECONDS = 10
# Reading gives way to the files soon; a write may wait for a server that restarts.
_READ_SECONDS, _WRITE_SECONDS = 4.0, 30.0
_READING = ("collection_exists", "retrieve", "count", "query_points")
_FIRST_PAUSE_SECONDS = 0.1
_LATER = frozenset({408, 429, 500, 502, 503, 504})
_TENANT, _OWN_ID = "workspace", "chunk"


class QdrantStore:
    """
    One collection of *client*, made if it is not there.

    With *tenant* it is shared: every point carries that name, its id is made from both,
    and nobody else's points are seen or touched.
    """

    def __init__(
        self,
        client: QdrantClient,
        dimensions: int,
        *,
        collection: str = _COLLECTION,
        tenant: str = "",
    ) -> None:
        self._client = _Patient(client)
        self._collection = collection
        self._tenant = tenant
        if not self._client.collection_exists(collection):
            self._create(dimensions)

    @classmethod
    def on_server(cls, remote: Remote, dimensions: int) -> QdrantStore:
        """Open the part of *remote* that is this workspace's; raise `StoreUnreachable`."""
        try:
            client = QdrantClient(
                url=remote.url,
                api_key=remote.api_key or None,
                timeout=_TIMEOUT_SECONDS,
                check_compatibility=False,
            )
        except ValueError as error:
            raise StoreUnreachable(Notice("settings.qdrant-url", error=error)) from None
        collection = f"strata_{dimensions}"
        return cls(client, dimensions, collection=collection, tenant=remote.tenant)

    @classmethod
    def in_folder(cls, folder: Path, dimensions: int) -> QdrantStore:
        """Open the client's own store of plain Python and SQLite in *folder*."""
        folder.mkdir(parents=True, exist_ok=True)
        try:
            return cls(QdrantClient(path=str(folder)), dimensions)
        # SQLite, JSON and pickle each raise their own.
        except (RuntimeError, ValueError, OSError, EOFError) as error:
            raise StoreDamaged(str(error)) from None

    def upsert(self, points: Sequence[Point]) -> None:
        for some in batches(points, _AT_ONCE):
            rows = [self._point(point) for point in some]
            with warnings.catch_warnings():
                # The client advises a server above 20,000 points; there may be none.
                warnings.simplefilter("ignore", UserWarning)
                self._client.upsert(self._collection, rows)

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        for some in batches(list(vectors), _AT_ONCE):
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
        mine = models.Filter(must=self._mine()) if self._tenant else None
        counted = self._client.count(self._collection, count_filter=mine, exact=True)
        return int(counted.count)

    def settle(self, *, optimize: bool) -> None:
        """Do nothing: every write is on the disk when it returns."""

    def close(self) -> None:
        self._client.close()

    def _create(self, dimensions: int) -> None:
        self._client.create_collection(
            self._collection,
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
        if not self._tenant:
            return
        keyword = models.KeywordIndexType.KEYWORD
        fields: dict[str, models.PayloadSchemaType | models.KeywordIndexParams] = {
            _TENANT: models.KeywordIndexParams(type=keyword, is_tenant=True),
            "tier": models.PayloadSchemaType.KEYWORD,
            "date": models.PayloadSchemaType.DATETIME,
        }
        for name, schema in fields.items():
            self._client.create_payload_index(self._collection, name, schema)

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
            with_payload=[_OWN_ID] if self._tenant else False,
        )
        return [
            (str((point.payload or {}).get(_OWN_ID, point.id)), point.score)
            for point in found.points
        ]

    def _point(self, point: Point) -> models.PointStruct:
        terms = models.SparseVector(
            indices=list(point.sparse), values=list(point.sparse.values())
        )
        fields = payload(point.chunk)
        if self._tenant:
            fields |= {_TENANT: self._tenant, _OWN_ID: point.id}
        return models.PointStruct(
            id=self._id(point.id), vector={SPARSE: terms}, payload=fields
        )

    def _id(self, number: str) -> str:
        if not self._tenant:
            return number
        return str(uuid.uuid5(uuid.UUID(number), self._tenant))

    def _mine(self) -> list[models.Condition]:
        match = models.MatchValue(value=self._tenant)
        return [models.FieldCondition(key=_TENANT, match=match)] if self._tenant else []

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


class _Patient:
    """A *client* that asks again and again while its server is away, for some time."""

    def __init__(self, client: QdrantClient) -> None:
        self._client = client

    # Any: as many types as the client has methods.
    def __getattr__(self, name: str) -> Callable[..., Any]:
        seconds = _READ_SECONDS if name in _READING else _WRITE_SECONDS
        method = getattr(self._client, name)
        return lambda *given, **named: _tried(partial(method, *given, **named), seconds)


def _tried(action: Callable[[], T], patience_seconds: float) -> T:
    """Do *action*, again and again while the server is away, until the time is up."""
    deadline = time.monotonic() + patience_seconds
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            return action()
        except ResponseHandlingException as error:
            reason = str(error)
        except UnexpectedResponse as error:
            reason = f"it answers {error.status_code} {error.reason_phrase}"
            if error.status_code not in _LATER:
                deadline = 0.0
        if time.monotonic() + pause >= deadline:
            raise StoreUnreachable(Notice("index.no-server", reason=reason))
        time.sleep(pause)
        pause *= 2
