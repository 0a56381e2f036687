"""One embedding model follows another while the index goes on answering."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from strata.embedding_models.encoder import load_encoder
from strata.search.indexing import points
from strata.search.indexing.keeping import KeptShelf
from strata.search.indexing.session import Damaged
from strata.search.indexing.writing import STEP_CHUNKS, complete, readable_windows
from strata.search.stores.store import batches
from strata.search.stores.vectors import VectorCache

if TYPE_CHECKING:
    from pathlib import Path

    from strata.embedding_models.encoder import Encoder
    from strata.embedding_models.folder import ModelFolder
    from strata.progress import Progress
    from strata.search.indexing.paraphrases import Paraphrases
    from strata.search.indexing.session import Shelf


def embed_ahead(  # noqa: PLR0913, PLR0917 - all that it works with
    shelf: Shelf,
    workspace: Path,
    model: ModelFolder,
    known: Paraphrases,
    patience_seconds: float,
    progress: Progress | None = None,
) -> bool:
    """
    Compute by *model*, which is not that of the index on *shelf*, what it will need.

    *known* are the other words of entries, by which their chunks have their ids.

    Only the cache of vectors gets them: the index goes on answering, and what is cut off
    is not done twice. *progress* hears how many of how many chunks are done. Nothing is
    done, and false returned, in a process that answers with the index.
    """
    if isinstance(shelf, KeptShelf):
        return False

    @cache
    def encoder() -> Encoder:
        return load_encoder(model.path)

    with shelf.opened(patience_seconds) as session:
        if session.anew:
            raise Damaged("it was made anew")
        rows = session.manifest.all_rows()
    vectors = VectorCache(shelf.vectors_file, model.fingerprint)
    done = 0
    for batch in batches(rows, STEP_CHUNKS):
        texts = [
            model.passage(text)
            for path, group in groupby(batch, key=attrgetter("path"))
            for _, found in readable_windows(
                workspace, path, {row.id for row in group}, model, known
            )
            for text in found
        ]
        there = vectors.find([points.text_key(text) for text in texts])
        complete(there, texts, vectors, encoder)
        done += len(batch)
        if progress:
            progress(done, len(rows))
    return True
