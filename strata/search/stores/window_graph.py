"""A graph of single windows, which tells where among very many chunks to look."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import qdrant_edge as qdrant

from strata.search.stores.store import StoreDamaged, batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.stores.store import Matrix

COLD = qdrant.Memory.Cold
# An operation must be no larger than a file of the log.
AT_ONCE = 64
_WINDOW = "window"
# So many windows hold the best chunk apiece: the best 200 of real texts come from 55 to
# 140 chunks.
_WINDOWS_A_CHUNK = 4
_BREADTH = 256
# The number of a window takes the last two digits of its chunk's id.
_MOST_WINDOWS = 256
_SETTINGS = "edge_config.json"


class Shard:
    """An Edge shard whose methods raise nothing but `StoreDamaged`."""

    def __init__(self, opened: Callable[[], Any]) -> None:
        self._shard = _guarded(opened)()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Any: qdrant_edge ships no types.
        return _guarded(getattr(self._shard, name))


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        # The engine raises bare exceptions, and a panic of its Rust code is none at all.
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001
            raise StoreDamaged(str(error).splitlines()[0]) from None

    return call


class WindowGraph:
    """
    An Edge shard in *folder* with a point for each window of each chunk.

    A chunk is as near as its nearest window, so the nearest windows tell the nearest
    chunks, and a graph of windows compares two of them by one product where a graph of
    chunks needs dozens. Vectors are kept as bytes: near enough to choose by, and what is
    chosen is compared again. There is no log: what is not flushed is written again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._shard = Shard(lambda: qdrant.EdgeShard.load(str(folder)))

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Tell whether there is a whole graph in *folder*."""
        return (folder / _SETTINGS).exists()

    @staticmethod
    def remove(folder: Path) -> None:
        """Delete what is in *folder*, so that never a part of it is taken for a graph."""
        import shutil  # noqa: PLC0415 - 2 ms, and rare

        (folder / _SETTINGS).unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)

    @classmethod
    def create(cls, folder: Path, dimensions: int) -> WindowGraph:
        """Make an empty one in *folder*, for vectors of *dimensions*."""
        cls.remove(folder)
        folder.mkdir(parents=True)
        Shard(lambda: qdrant.EdgeShard.create(str(folder), _config(dimensions))).close()
        return cls(folder)

    def add(self, vectors: Mapping[str, Matrix]) -> None:
        """Add the windows of the chunks with these ids."""
        for some in batches(list(vectors), AT_ONCE):
            points = [
                qdrant.Point(id=name, vector={_WINDOW: row}, payload={})
                for number in some
                for name, row in zip(_names(number), vectors[number], strict=False)
            ]
            self._shard.update(qdrant.UpdateOperation.upsert_points(points))

    def delete(self, windows: Mapping[str, int]) -> None:
        """Remove so many windows of the chunks with these ids, if they are there."""
        # Any: the engine takes a list of several types.
        names: list[Any] = [
            name
            for number, count in windows.items()
            for name in islice(_names(number), count)
        ]
        if names:
            self._shard.update(qdrant.UpdateOperation.delete_points(names))

    def nearest(self, vector: Sequence[float], limit: int) -> list[str]:
        """Return the ids of the *limit* nearest chunks, all but a few of them right."""
        wanted = _WINDOWS_A_CHUNK * limit
        while True:
            request = qdrant.QueryRequest(
                query=qdrant.Query.Nearest(list(vector), using=_WINDOW),
                limit=wanted,
                with_payload=False,
                params=qdrant.SearchParams(hnsw_ef=_BREADTH),
            )
            windows = self._shard.query(request)
            ids = dict.fromkeys(f"{str(window.id)[:-2]}00" for window in windows)
            chunks = list(islice(ids, limit))
            if len(chunks) == limit or len(windows) < wanted:
                return chunks
            wanted *= 2

    def counts(self) -> tuple[int, int]:
        """Return how many windows stand in the graph, and how many beside it."""
        info = self._shard.info()
        ordered = info.indexed_vectors_count
        return ordered, max(info.points_count - ordered, 0)

    def order(self) -> None:
        """Build the graph, which takes a second for each 1,000 chunks."""
        self._shard.flush()
        self._shard.optimize()
        self._shard.flush()

    def flush(self) -> None:
        """Put everything on the disk."""
        self._shard.flush()

    def close(self) -> None:
        """Let go of the files."""
        self._shard.close()


def _names(number: str) -> Iterator[str]:
    return (f"{number[:-2]}{place:02x}" for place in range(_MOST_WINDOWS))


def _config(dimensions: int) -> Any:  # Any: qdrant_edge ships no types
    return qdrant.EdgeConfig(
        vectors={
            _WINDOW: qdrant.EdgeVectorParams(
                size=dimensions,
                distance=qdrant.Distance.Cosine,
                datatype=qdrant.VectorStorageDatatype.Turbo8,
                memory=COLD,
            )
        },
        hnsw_config=qdrant.HnswIndexConfig(
            m=16,
            ef_construct=100,
            full_scan_threshold=10,
            max_indexing_threads=2,
            memory=COLD,
        ),
        # One segment, whatever its size: each would be searched by itself.
        optimizers=qdrant.EdgeOptimizersConfig(
            default_segment_number=1, indexing_threshold=1
        ),
        payload_memory=COLD,
        id_tracker_memory=COLD,
        wal_enabled=False,
    )
