"""The windows of very many chunks get their graph while others use the index."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.errors import Busy
from strata.search.indexing.keeping import KeptShelf
from strata.search.indexing.lock import exclusive
from strata.search.indexing.manifest import WITH_VECTORS
from strata.search.stores.edge import EdgeStore
from strata.search.stores.store import StoreDamaged, batches
from strata.search.stores.window_graph import WindowGraph

if TYPE_CHECKING:
    from strata.search.indexing.session import Session, Shelf

_AT_ONCE = 1024


def build_graph(shelf: Shelf, patience_seconds: float) -> None:
    """
    Give the index on *shelf* a new graph of its windows, where that is worth it.

    It takes a second or two for each 1,000 chunks, and the lock for moments only. It
    would hold up whoever asks a process that keeps its index open, which leaves it to
    others.
    """
    if isinstance(shelf, KeptShelf):
        return
    with shelf.opened(patience_seconds) as session:
        if not _is_wanted(session):
            return
        model = session.manifest.meta("model")
    # Another process is at it, or the disk is full: then the scan goes on.
    with (
        suppress(Busy, StoreDamaged, OSError),
        exclusive(shelf.root / "graph.lock", patience_seconds=0),
    ):
        graph = WindowGraph.create(shelf.graph_folder, shelf.dimensions)
        _Building(shelf, model, graph, patience_seconds).run()


def _is_wanted(session: Session) -> bool:
    embedded = session.manifest.count(*WITH_VECTORS)
    return isinstance(session.store, EdgeStore) and session.store.wants_graph(embedded)


def _edge(session: Session) -> EdgeStore:
    if isinstance(session.store, EdgeStore):
        return session.store
    raise TypeError("only Qdrant's engine in this process has graphs")


@dataclass(slots=True)
class _Building:
    """
    A *graph* that gets the windows of the index on *shelf*, and is handed to its store.

    *sizes* says of how many windows each chunk is that it has. It is changed while the
    index is closed, so that what goes wrong with it is no damage to the index.
    """

    shelf: Shelf
    model: str
    graph: WindowGraph
    patience_seconds: float
    sizes: dict[str, int] = field(default_factory=dict)

    def run(self) -> None:
        """Copy, build, and follow what others change until there is nothing to follow."""
        self._follow()
        self.graph.order()
        while not self._is_over():
            self._follow()

    def _follow(self) -> None:
        with self.shelf.opened(self.patience_seconds) as session:
            there = session.manifest.embedded()
        gone = {each: self.sizes.pop(each) for each in self.sizes.keys() - there}
        self.graph.delete(gone)
        for ids in batches(sorted(there - self.sizes.keys()), _AT_ONCE):
            with self.shelf.opened(self.patience_seconds) as session:
                vectors = _edge(session).vectors_of(ids)
            self.graph.add(vectors)
            self.sizes |= {each: len(vectors.get(each, ())) for each in ids}
        self.graph.flush()

    def _is_over(self) -> bool:
        """Hand the graph over if the index is what was copied, and tell whether it is."""
        with self.shelf.opened(self.patience_seconds) as session:
            thrown_away = not WindowGraph.is_in(self.graph.folder)
            if thrown_away or session.manifest.meta("model") != self.model:
                return True
            if session.manifest.embedded() != self.sizes.keys():
                return False
            self.graph.close()
            _edge(session).adopt_graph(self.graph.folder)
            return True
