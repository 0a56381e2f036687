"""Qdrant's own engine, in this process: the store of choice."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import qdrant_edge as qdrant

from strata.search.stores.store import (
    DENSE,
    SPARSE,
    Found,
    Point,
    StoreDamaged,
    batches,
    midnight,
    payload,
)
from strata.search.stores.window_graph import AT_ONCE, COLD, Shard, WindowGraph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from strata.search.stores.store import Matrix, Ranked, Scope

# Kilobytes of vectors from which a segment is put in order, about 2,500 chunks. It is held
# twice in memory meanwhile, some 20 KB a chunk, so none grows larger by being joined with
# others than so many kilobytes, and few are joined: two dozen open as fast as one.
_ORDERED_FROM, _LARGEST_JOINED, _SEGMENTS = 4000, 16_000, 32
_LOG = {"segment_capacity": 1_048_576, "segment_queue_len": 0, "retain_closed": 1}
_NOBODY = "00000000-0000-0000-0000-000000000000"
_GRAPH = "graph"
# From so many chunks on a graph is faster than the scan, which takes 300 ns a chunk; so
# many windows beside the graph, or a tenth, are scanned before it is worth a new one.
_GRAPH_FROM_CHUNKS = 8000
_SCANNED_WINDOWS = 12_000


class EdgeStore:
    """
    An Edge shard in *folder*, open until `close`.

    It has no payload indexes: two of them cost 12 ms at every start, and filtering 10,000
    chunks without them 7 ms. A scope of few chunks comes with their ids instead. Where
    there are very many, a graph of their windows chooses which are worth comparing.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        self._graph_folder = folder / _GRAPH
        self.dimensions = dimensions
        self._shard = Shard(lambda: _opened(folder, dimensions))

    def upsert(self, points: Sequence[Point]) -> None:
        for some in batches(points, AT_ONCE):
            rows = [_point(point) for point in some]
            self._shard.update(qdrant.UpdateOperation.upsert_points(rows))

    def add_vectors(self, vectors: Mapping[str, Matrix]) -> None:
        for some in batches(list(vectors), AT_ONCE):
            rows = [
                qdrant.PointVectors(id=number, vector={DENSE: vectors[number]})
                for number in some
            ]
            self._shard.update(qdrant.UpdateOperation.update_vectors(rows))
        if self._graph:
            self._graph.add(vectors)

    def delete(self, ids: Sequence[str]) -> None:
        if ids and self._graph:
            # First, while it is known how many windows they have.
            vectors = self.vectors_of(ids)
            self._graph.delete({each: len(vectors[each]) for each in vectors})
        if ids:
            self._shard.update(qdrant.UpdateOperation.delete_points(list(ids)))

    def clear(self) -> None:
        self._drop_graph()
        self._shard.update(
            qdrant.UpdateOperation.delete_points_by_filter(qdrant.Filter())
        )

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
            dense=self._nearest_chunks(dense, where, limit) if dense else [],
        )

    def _nearest_chunks(
        self, vector: Sequence[float], where: Any, limit: int
    ) -> Ranked:  # Any: qdrant_edge ships no types
        if where is None and self._graph:
            chosen = self._graph.nearest(vector, limit)
            where = qdrant.Filter(must=[qdrant.HasIdCondition(set(chosen))])
        return self._nearest([list(vector)], DENSE, where, limit)

    def terms_of(self, ids: Sequence[str]) -> set[int]:
        found = self._points(ids, SPARSE)
        return {term for point in found for term in point.vector[SPARSE].indices}

    def count(self) -> int:
        counted: int = self._shard.info().points_count
        return counted

    def settle(self, *, optimize: bool) -> None:
        self._shard.flush()
        if graph := self.__dict__.get("_graph"):
            graph.flush()
        if optimize:
            self._shard.optimize()
            self._shard.flush()
            # The log is read again at every start, and only cut by a flush that follows
            # an operation after the last flush.
            self._shard.update(qdrant.UpdateOperation.delete_points([_NOBODY]))
            self._shard.flush()

    def is_as_left(self) -> bool:
        """Return true: the folder is nobody else's."""
        return True

    def close(self) -> None:
        self._close_graph()
        self._shard.close()

    def vectors_of(self, ids: Sequence[str]) -> dict[str, Matrix]:
        """Return the vectors of the windows of those points that have any."""
        found = self._points(ids, DENSE)
        return {str(each.id): each.vector[DENSE] for each in found if each.vector}

    def wants_graph(self, embedded: int) -> bool:
        """Tell whether, with so many chunks *embedded*, a new graph is worth its while."""
        if self._graph is None:
            return embedded >= _GRAPH_FROM_CHUNKS
        ordered, beside = self._graph.counts()
        return beside > max(_SCANNED_WINDOWS, ordered // 10)

    def adopt_graph(self, folder: Path) -> None:
        """Search through the graph in *folder*, which is closed and moves, from now on."""
        self._drop_graph()
        folder.rename(self._graph_folder)

    @cached_property
    def _graph(self) -> WindowGraph | None:
        if not WindowGraph.is_in(self._graph_folder):
            return None
        try:
            return WindowGraph(self._graph_folder)
        except StoreDamaged:
            # It is made anew from the points by and by, and the scan does without.
            WindowGraph.remove(self._graph_folder)
            return None

    def _drop_graph(self) -> None:
        self._close_graph()
        WindowGraph.remove(self._graph_folder)

    def _close_graph(self) -> None:
        graph = self.__dict__.pop("_graph", None)
        if graph:
            graph.close()

    def _points(self, ids: Sequence[str], name: str) -> Any:  # Any: as below
        wanted = {"with_payload": False, "with_vector": [name]}
        return self._shard.retrieve(list(ids), **wanted)

    def _nearest(self, vector: Any, name: str, where: Any, limit: int) -> Ranked:
        # Any: qdrant_edge ships no types.
        request = qdrant.QueryRequest(
            query=qdrant.Query.Nearest(vector, using=name),
            filter=where,
            limit=limit,
            with_payload=False,
        )
        found = self._shard.query(request)
        return [(str(point.id), point.score) for point in found]


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
                memory=COLD,
            )
        },
        sparse_vectors={
            SPARSE: qdrant.EdgeSparseVectorParams(
                modifier=qdrant.Modifier.Idf, memory=COLD
            )
        },
        # No graph: an exact scan is as fast up to 150,000 chunks, and finds everything.
        hnsw_config=qdrant.HnswIndexConfig(
            m=0, ef_construct=100, full_scan_threshold=10_000, memory=COLD
        ),
        optimizers=qdrant.EdgeOptimizersConfig(
            default_segment_number=_SEGMENTS,
            max_segment_size=_LARGEST_JOINED,
            indexing_threshold=_ORDERED_FROM,
        ),
        payload_memory=COLD,
        id_tracker_memory=COLD,
    )


def _point(point: Point) -> Any:  # Any: qdrant_edge ships no types
    terms = qdrant.SparseVector(list(point.sparse), list(point.sparse.values()))
    return qdrant.Point(
        id=point.id, vector={SPARSE: terms}, payload=payload(point.chunk)
    )


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
