"""The chunks that have no vector yet get one, and no text is ever embedded twice."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from strata.search.indexing import points, writing
from strata.search.indexing.embedding import BULK_CHUNKS, reads
from strata.search.indexing.scanning import FileState
from strata.search.indexing.windows import windows
from strata.search.stores.vectors import VectorCache
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from strata.embedding_models.folder import ModelFolder
    from strata.progress import Progress
    from strata.search.indexing.embedding import Encoder
    from strata.search.indexing.points import Piece
    from strata.search.indexing.session import Shelf
    from strata.search.stores.vectors import Vector

    # A chunk, and those of its windows that the model can read.
    Windowed = tuple[Piece, list[str]]

# So many chunks reach the index together; each of the steps between is kept at once.
_BATCH_CHUNKS = 512
_STEP_CHUNKS = 32


@dataclass(frozen=True, slots=True)
class Backfill:
    """
    Fills in the vectors of the index on *shelf* with *model*.

    *open_encoder* is called at most once, and only if a text has to be embedded; it is
    told whether there are many. The lock is not held while the model works.
    """

    shelf: Shelf
    workspace: Path
    model: ModelFolder
    open_encoder: Callable[[bool], Encoder]
    patience_seconds: float

    def run(self, progress: Progress | None = None, *, forget: bool = False) -> int:
        """
        Return how many chunks got vectors.

        *progress* hears how many of how many chunks are done. With *forget* the vectors
        of all other texts go, so it is for an index that has none yet.
        """
        windowed = self._windowed()
        self._skip([piece for piece, texts in windowed if not texts])
        wanted = [(piece, texts) for piece, texts in windowed if texts]
        embedder = _Embedder(self, bulk=len(wanted) > BULK_CHUNKS)
        written = 0
        for start in range(0, len(wanted), _BATCH_CHUNKS):
            batch = wanted[start : start + _BATCH_CHUNKS]
            known = embedder.known(texts for _, texts in batch)
            for step in range(0, len(batch), _STEP_CHUNKS):
                some = batch[step : step + _STEP_CHUNKS]
                embedder.complete(known, [texts for _, texts in some])
                if progress:
                    progress(start + step + len(some), len(wanted))
            written += self._write(batch, known)
        if forget:
            embedder.forget_others(texts for _, texts in wanted)
        return written

    def _windowed(self) -> list[Windowed]:
        with self.shelf.opened(self.patience_seconds) as session:
            rows = session.manifest.pending()
        return [
            (piece, self._readable(piece.chunk.text))
            for path, group in groupby(rows, key=attrgetter("path"))
            for piece in self._pieces(path, {row.id for row in group})
        ]

    def _readable(self, text: str) -> list[str]:
        return [each for each in windows(text) if reads(self.model.languages, each)]

    def _pieces(self, path: str, wanted: set[str]) -> Iterator[Piece]:
        try:
            content = stored.read(self.workspace / path)
        except OSError:
            return
        file = points.prepare(FileState(path, 0, 0), content)
        yield from (piece for piece in file.pieces if piece.id in wanted)

    def _skip(self, pieces: Sequence[Piece]) -> None:
        if pieces:
            with self.shelf.opened(self.patience_seconds) as session:
                writing.mark_foreign(session, [piece.id for piece in pieces])

    def _write(self, batch: Sequence[Windowed], known: dict[bytes, Vector]) -> int:
        matrices = {
            piece.id: [known[points.text_key(text)].tolist() for text in texts]
            for piece, texts in batch
        }
        with self.shelf.opened(self.patience_seconds) as session:
            return writing.write_vectors(session, matrices, self.model.fingerprint)


class _Embedder:
    """Finds vectors among those kept, and computes and keeps the others."""

    def __init__(self, backfill: Backfill, *, bulk: bool) -> None:
        self._bulk = bulk
        self._open_encoder = backfill.open_encoder
        self._encoder: Encoder | None = None
        self._cache = VectorCache(
            backfill.shelf.vectors_file, backfill.model.fingerprint
        )

    def known(self, windowed: Iterable[Sequence[str]]) -> dict[bytes, Vector]:
        """Return the vectors that were computed before."""
        return self._cache.find([points.text_key(t) for ts in windowed for t in ts])

    def forget_others(self, windowed: Iterable[Sequence[str]]) -> None:
        """Drop the vectors of texts that are nowhere any more."""
        self._cache.forget_others(points.text_key(t) for ts in windowed for t in ts)

    def complete(
        self, known: dict[bytes, Vector], windowed: Iterable[Sequence[str]]
    ) -> None:
        """Add to *known* the vectors that it lacks."""
        texts = {points.text_key(text): text for texts in windowed for text in texts}
        missing = [key for key in texts if key not in known]
        if not missing:
            return
        if self._encoder is None:
            self._encoder = self._open_encoder(self._bulk)
        rows = self._encoder.encode([texts[key] for key in missing])
        computed = dict(zip(missing, rows, strict=True))
        self._cache.keep(computed)
        known.update(computed)
