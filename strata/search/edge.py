"""Qdrant's own engine, in this process: the store of choice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

import qdrant_edge as qdrant

from strata.search.store import (
    DENSE,
    SPARSE,
    Found,
    Point,
    StoreDamaged,
    midnight,
    payload,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.store import Matrix, Ranked, Scope

T = TypeVar("T")

_COLD = qdrant.Memory.Cold
# Kilobytes of vectors from which a segment is put in order, about 2,500 chunks.
_ORDERED_FROM = 4000
_LOG = {"segment_capacity": 1_048_576, "segment_queue_len": 0, "retain_closed": 1}
_AT_ONCE = 64
_NOBODY = "00000000-0000-0000-0000-000000000000"


class EdgeStore:
    """
    An Edge shard in *folder*, open until `close`.

    It has no payload indexes: two of them cost 12 ms at every start, and filtering 10,000
    chunks without them 7 ms. A scope of few chunks comes with their ids instead.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        self._shard = _guarded(lambda: _opened(folder, dimensions))

    def upsert(self, points: Sequence[Point]) -> None:
        for some in _few(points):
            rows = [_point(point) for point in some]
            self._update(qdrant.UpdateOperation.upsert_points(rows))

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        for some in _few(list(vectors)):
            rows = [
                qdrant.PointVectors(id=number, vector={DENSE: vectors[number]})
                for number in some
            ]
            self._update(qdrant.UpdateOperation.update_vectors(rows))

    def delete(self, ids: Sequence[str]) -> None:
        if ids:
            self._update(qdrant.UpdateOperation.delete_points(list(ids)))

    def clear(self) -> None:
        self._update(qdrant.UpdateOperation.delete_points_by_filter(qdrant.Filter()))

    def search(
        self,
        sparse: Mapping[int, float],
        dense: Sequence[float] | None,
        scope: Scope,
        limit: int,
    ) -> Found:
        where = _filter(scope)
        terms = qdrant.SparseVector(list(sparse), list(sparse.values()))
        return Found(
            sparse=self._nearest(terms, SPARSE, where, limit) if sparse else [],
            dense=self._nearest([list(dense)], DENSE, where, limit) if dense else [],
        )

    def terms_of(self, ids: Sequence[str]) -> set[int]:
        found = _guarded(
            lambda: self._shard.retrieve(
                list(ids), with_payload=False, with_vector=[SPARSE]
            )
        )
        return {term for point in found for term in point.vector[SPARSE].indices}

    def count(self) -> int:
        counted: int = _guarded(lambda: self._shard.info().points_count)
        return counted

    def settle(self, *, optimize: bool) -> None:
        _guarded(self._shard.flush)
        if optimize:
            _guarded(self._shard.optimize)
            _guarded(self._shard.flush)
            # The log is read again at every start, and only cut by a flush that follows
            # an operation after the last flush.
            self._update(qdrant.UpdateOperation.delete_points([_NOBODY]))
            _guarded(self._shard.flush)

    def close(self) -> None:
        _guarded(self._shard.close)

    def _update(self, operation: Any) -> None:  # Any: qdrant_edge ships no types
        _guarded(lambda: self._shard.update(operation))

    def _nearest(self, vector: Any, name: str, where: Any, limit: int) -> Ranked:
        # Any: qdrant_edge ships no types.
        request = qdrant.QueryRequest(
            query=qdrant.Query.Nearest(vector, using=name),
            filter=where,
            limit=limit,
            with_payload=False,
        )
        found = _guarded(lambda: self._shard.query(request))
        return [(str(point.id), point.score) for point in found]


def _few(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut *items* so that an operation is no larger than a file of the log."""
    return (items[at : at + _AT_ONCE] for at in range(0, len(items), _AT_ONCE))


def _guarded(action: Callable[[], Any]) -> Any:  # Any: qdrant_edge ships no types
    try:
        return action()
    # The engine raises bare exceptions, and a panic of its Rust code is none at all.
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001
        raise StoreDamaged(str(error).splitlines()[0]) from None


def _opened(folder: Path, dimensions: int) -> Any:  # Any: qdrant_edge ships no types
    if (folder / "edge_config.json").exists():
        return qdrant.EdgeShard.load(str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    qdrant.EdgeShard.create(str(folder), _config(dimensions)).close()
    _shrink_log(folder)
    return qdrant.EdgeShard.load(str(folder))


def _shrink_log(folder: Path) -> None:
    """
    Have the log of the shard in *folder*, which is empty, kept in small files.

    They are read and mapped at every start: three of 32 MB cost 45 ms and 50 MB. The
    engine keeps this option in its file and offers it nowhere else. Only of a shard
    without points may the log be deleted.
    """
    import shutil  # noqa: PLC0415 - 2 ms that only a new index takes

    file = folder / "edge_config.json"
    options = json.loads(file.read_bytes())
    options["wal_options"] = _LOG
    file.write_text(json.dumps(options), encoding="utf-8")
    shutil.rmtree(folder / "wal")


def _config(dimensions: int) -> Any:  # Any: qdrant_edge ships no types
    return qdrant.EdgeConfig(
        vectors={
            DENSE: qdrant.EdgeVectorParams(
                size=dimensions,
                distance=qdrant.Distance.Cosine,
                multivector_config=qdrant.MultiVectorConfig(
                    qdrant.MultiVectorComparator.MaxSim
                ),
                datatype=qdrant.VectorStorageDatatype.Float16,
                memory=_COLD,
            )
        },
        sparse_vectors={
            SPARSE: qdrant.EdgeSparseVectorParams(
                modifier=qdrant.Modifier.Idf, memory=_COLD
            )
        },
        # No graph: an exact scan is as fast up to 150,000 chunks, and finds everything.
        hnsw_config=qdrant.HnswIndexConfig(
            m=0, ef_construct=100, full_scan_threshold=10_000, memory=_COLD
        ),
        optimizers=qdrant.EdgeOptimizersConfig(
            default_segment_number=1, indexing_threshold=_ORDERED_FROM
        ),
        payload_memory=_COLD,
        id_tracker_memory=_COLD,
    )


def _point(point: Point) -> Any:  # Any: qdrant_edge ships no types
    terms = qdrant.SparseVector(list(point.sparse), list(point.sparse.values()))
    return qdrant.Point(id=point.id, vector={SPARSE: terms}, payload=payload(point))


def _filter(scope: Scope) -> Any:  # Any: qdrant_edge ships no types
    if scope.ids is not None:
        return qdrant.Filter(must=[qdrant.HasIdCondition(set(scope.ids))])
    conditions: list[Any] = []
    if scope.tier:
        match = qdrant.MatchValue(scope.tier.value)
        conditions.append(qdrant.FieldCondition("tier", match=match))
    if scope.since or scope.until:
        days = qdrant.RangeDateTime(
            gte=midnight(scope.since) if scope.since else None,
            lte=midnight(scope.until) if scope.until else None,
        )
        conditions.append(qdrant.FieldCondition("date", range=days))
    return qdrant.Filter(must=conditions) if conditions else None
