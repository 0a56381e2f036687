"""Changed files reach the index so that a crash at any point is mended by the next run."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from strata.embedding_models.encoder import is_foreign, reads
from strata.embedding_models.folder import CHINESE
from strata.errors import DecryptionFailed
from strata.messages import Notice
from strata.search.indexing import points
from strata.search.indexing.chunking import windows
from strata.search.indexing.comparing import weighable
from strata.search.indexing.manifest import EMBEDDED, FOREIGN, GLOSSED, MIXED
from strata.search.indexing.scanning import FileState
from strata.search.indexing.session import Damaged
from strata.search.stores.store import batches
from strata.search.stores.vectors import VectorCache
from strata.tokens import token_count
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.embedding_models.encoder import Encoder
    from strata.embedding_models.folder import ModelFolder
    from strata.progress import Progress
    from strata.search.indexing.manifest import Manifest
    from strata.search.indexing.paraphrases import Paraphrases
    from strata.search.indexing.points import Prepared
    from strata.search.indexing.session import Session, Shelf
    from strata.search.stores.store import Matrix
    from strata.search.stores.vectors import Vector

_BATCH_BYTES = 2_000_000
_GONE = (-1, -1)
# So many chunks reach the index together; each of the steps between is kept at once.
_BATCH_CHUNKS = 512
# A conversation adds few; the others come when their chunk is embedded once more.
_SENTENCES_WHILE_ASKED = 3
STEP_CHUNKS = 32
# Times, names and quotations in another language do not make a text one of two languages.
_A_LITTLE = 0.25
# In the place of how an index was made, so that it is made anew: all its files are to be
# read again, and of its vectors none is lost.
_OTHER_GLOSSES = "other glosses"


def prepared(
    workspace: Path,
    states: Iterable[FileState],
    known: Paraphrases,
    say: Callable[[str], None],
) -> Iterator[list[Prepared]]:
    """Read and cut files, a few megabytes at a time; those that vanish are left out."""
    batch: list[Prepared] = []
    size = 0
    for state in states:
        content = _content(workspace, state, say)
        if content is None:
            continue
        batch.append(points.prepare(state, content, known))
        size += len(content)
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _content(
    workspace: Path, state: FileState, say: Callable[[str], None]
) -> bytes | None:
    try:
        return stored.read(workspace / state.path)
    except FileNotFoundError:
        pass
    except OSError as error:
        say(Notice("index.left-unreadable", path=state.path, strerror=error.strerror))
    except DecryptionFailed as error:
        say(f"{error}; it is left out")
    return None


def write_files(session: Session, files: Sequence[Prepared]) -> tuple[int, int]:
    """
    Put *files* into the index; return how many files and chunks were written.

    First the manifest notes what is to come, then the store changes, then the manifest
    calls it done: whatever is cut off in between is noted, and done again.
    """
    manifest, store = session.manifest, session.store
    hashes = {file.state.path: manifest.hash_of(file.state.path) for file in files}
    fresh = [file for file in files if hashes[file.state.path] != file.hash]
    manifest.touch([file.state for file in files if file not in fresh])
    if not fresh:
        return 0, 0
    wanted = {piece.id: piece for file in fresh for piece in file.pieces}
    paths = [file.state.path for file in fresh]
    # What the store may hold of them, and what it surely holds.
    before = {path: {row.id for row in manifest.rows_of(path)} for path in paths}
    settled = set().union(*(before[path] for path in paths if hashes[path]))
    added = [piece for piece in wanted.values() if piece.id not in settled]
    gone = [each for each in set().union(*before.values()) if each not in wanted]
    manifest.begin(paths, [points.row(piece) for piece in added])
    store.delete(gone)
    if added:
        store.upsert([points.point(piece) for piece in added])
    # A batch at a time: what is in order takes no memory, however much is to come.
    store.settle(optimize=True)
    manifest.finish(gone, [(file.state, file.hash) for file in fresh])
    return len(fresh), len(added)


def remove_files(session: Session, paths: Sequence[str]) -> int:
    """Take the files *paths*, which are gone, out of the index."""
    if paths:
        gone = [row.id for path in paths for row in session.manifest.rows_of(path)]
        session.manifest.begin(paths, [])
        session.store.delete(gone)
        session.store.settle(optimize=True)
        states = [(FileState(path, *_GONE), None) for path in paths]
        session.manifest.finish(gone, states)
    return len(paths)


def write_vectors(
    session: Session,
    vectors: Mapping[str, Matrix],
    states: Mapping[str, int],
    model: str,
    *,
    optimize: bool,
) -> int:
    """
    Give the chunks that *vectors* names theirs, made by *model*; return how many.

    *states* tells of what they were made, *optimize* has the store put in order. Chunks
    that are gone in the meantime are left out.
    """
    known = session.manifest.rows(list(vectors))
    present = {number: vectors[number] for number in known}
    if present:
        session.manifest.keep_meta(model=model)
        session.store.add_vectors(present)
        session.store.settle(optimize=optimize)
        session.manifest.mark({number: states[number] for number in present})
    return len(present)


def fill_vectors(  # noqa: PLR0913, PLR0917 - what it works on, and how
    shelf: Shelf,
    workspace: Path,
    model: ModelFolder,
    encoder: Callable[[], Encoder],
    patience_seconds: float,
    progress: Progress | None = None,
    *,
    paraphrased: Paraphrases,
    forget: bool = False,
    most: int | None = None,
) -> int:
    """
    Give the chunks of the index on *shelf* that lack vectors theirs; return how many.

    *encoder* opens the *model*, and is called only if a text was never embedded before.
    The lock is not held while the model works. *progress* hears how many of how many chunks
    are done. With *forget* the vectors of all other texts go, so it is for an index that
    has none yet. No more chunks than *most* get theirs. What is *paraphrased* is part of a
    chunk's id, and not of its vectors.
    """
    with shelf.opened(patience_seconds) as session:
        if session.anew:
            # All of it is to be taken in first.
            raise Damaged("it was made anew")
        if not _has_glosses(session.manifest, model.glosses) and most is None:
            session.manifest.keep_meta(made=_OTHER_GLOSSES)
            raise Damaged("Chinese is read in another way")
        rows = session.manifest.pending(most)
    both = not model.languages or CHINESE in model.languages
    wanted: dict[str, list[str]] = {}
    stated: dict[str, list[str]] = {}
    states: dict[str, int] = {}
    for path, group in groupby(rows, key=attrgetter("path")):
        ids = {row.id for row in group}
        for number, texts in readable_windows(workspace, path, ids, model, paraphrased):
            wanted[number] = [model.passage(text) for text in texts]
            stated[number] = [s for text in texts for s in weighable(model, text)]
            states[number] = _state(texts) if both else EMBEDDED
    if foreign := [number for number, texts in wanted.items() if not texts]:
        with shelf.opened(patience_seconds) as session:
            session.manifest.mark(dict.fromkeys(foreign, FOREIGN))
    readable = [(number, texts) for number, texts in wanted.items() if texts]
    # Vectors are kept by what the model is given: other glosses, other vectors.
    cache = VectorCache(shelf.vectors_file, model.fingerprint)
    written = done = 0
    for batch in batches(readable, _BATCH_CHUNKS):
        every = [(*texts, *stated[number]) for number, texts in batch]
        known = cache.find([points.text_key(t) for texts in every for t in texts])
        later = set() if most is None else _later(known, batch, stated)
        for step in batches(every, STEP_CHUNKS):
            texts = [t for texts in step for t in texts if t not in later]
            complete(known, texts, cache, encoder)
            done += len(step)
            if progress:
                progress(done, len(readable))
        matrices = {
            number: [known[points.text_key(text)].tolist() for text in texts]
            for number, texts in batch
        }
        with shelf.opened(patience_seconds) as session:
            # A question does not wait for that.
            written += write_vectors(
                session, matrices, states, model.fingerprint, optimize=most is None
            )
    if forget:
        kept = (t for number, ts in readable for t in (*ts, *stated[number]))
        cache.forget_others(map(points.text_key, kept))
    return written


def _later(
    known: Mapping[bytes, Vector],
    batch: Sequence[tuple[str, list[str]]],
    stated: Mapping[str, list[str]],
) -> set[str]:
    """Return the sentences that a question does not wait for: all new ones but a few."""
    sentences = (text for number, _ in batch for text in stated[number])
    new = [text for text in sentences if points.text_key(text) not in known]
    return set(new[_SENTENCES_WHILE_ASKED:]).difference(*(texts for _, texts in batch))


def _has_glosses(manifest: Manifest, glosses: str) -> bool:
    """Tell whether all Chinese has its vectors by *glosses*, or will have them so."""
    before = manifest.meta("glosses")
    if before == glosses:
        return True
    if before or manifest.has(FOREIGN):
        return False
    manifest.keep_meta(glosses=glosses)
    return True


def readable_windows(
    workspace: Path, path: str, ids: set[str], model: ModelFolder, known: Paraphrases
) -> Iterator[tuple[str, list[str]]]:
    """Give those windows of the chunks *ids* of *path* that the *model* can read."""
    try:
        content = stored.read(workspace / path)
    except OSError:
        return
    for piece in points.prepare(FileState(path, 0, 0), content, known).pieces:
        if piece.id in ids:
            texts = windows(piece.chunk.text)
            yield piece.id, [text for text in texts if reads(model.languages, text)]


def _state(texts: Sequence[str]) -> int:
    """Say of what the vectors of *texts* are made, but for a little of the other."""
    lines = [line for text in texts for line in text.split("\n") if line[:1] != "#"]
    chinese = sum(token_count(line) for line in lines if is_foreign(line))
    share = chinese / (sum(map(token_count, lines)) or 1)
    if share <= _A_LITTLE:
        return EMBEDDED
    return MIXED if share < 1 - _A_LITTLE else GLOSSED


def complete(
    known: dict[bytes, Vector],
    texts: Iterable[str],
    cache: VectorCache,
    encoder: Callable[[], Encoder],
) -> None:
    """Add to *known* the vectors of *texts* that it lacks, and keep them in *cache*."""
    keyed = {points.text_key(text): text for text in texts}
    if missing := [key for key in keyed if key not in known]:
        rows = encoder().encode([keyed[key] for key in missing])
        computed = dict(zip(missing, rows, strict=True))
        cache.keep(computed)
        known.update(computed)
