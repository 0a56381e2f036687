"""Which store it is: on a server, the engine in this process, or the client's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from strata.search.stores.store import Remote, Store


def open_store(folder: Path, dimensions: int, remote: Remote | None = None) -> Store:
    """
    Open the store in *folder* or on *remote*, or make it, for vectors of *dimensions*.

    The caller holds the lock: a second opener of an Edge shard ruins the first one's
    files before it is refused. Raise `StoreDamaged` or `StoreUnreachable`.
    """
    if remote is not None:
        from strata.search.stores.qdrant import QdrantStore  # noqa: PLC0415 - 1.1 s

        return QdrantStore.on_server(remote, dimensions)
    try:
        from strata.search.stores.edge import EdgeStore  # noqa: PLC0415 - one of two is there
    except ImportError:
        from strata.search.stores.qdrant import QdrantStore  # noqa: PLC0415 - 1.1 s

        return QdrantStore.in_folder(folder, dimensions)
    return EdgeStore(folder, dimensions)
