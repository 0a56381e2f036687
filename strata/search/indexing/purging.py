"""The index without a trace of texts that are gone, in any of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import StoreUnreachable
from strata.search.stores.vectors import VectorCache

if TYPE_CHECKING:
    from strata.search.indexing.index import Index
    from strata.search.indexing.reports import UpdateReport

_PATIENCE_SECONDS = 60.0


def purge(index: Index) -> UpdateReport:
    """
    Make *index* anew, and keep no vector but those of texts that are there.

    A deleted point stays in the engine's segments and its log until they are merged, and
    a deleted row in SQLite's free pages. Raise as `Index.update` does.
    """
    shelf = index.shelf
    if not shelf.model:
        shelf.vectors_file.unlink(missing_ok=True)
    try:
        report = index.update(rebuild=True, embed=True)
    except StoreUnreachable:
        # Here nothing waits for a server, and there all goes when it is back.
        with shelf.locked(_PATIENCE_SECONDS):
            shelf.wipe()
        raise
    if shelf.model and shelf.vectors_file.exists():
        VectorCache(shelf.vectors_file, shelf.model).compact()
        shelf.save_copy(_PATIENCE_SECONDS)
    return report
