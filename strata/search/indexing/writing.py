"""Changed files reach the index so that a crash at any point is mended by the next run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.messages import Notice
from strata.search.indexing import points
from strata.search.indexing.manifest import EMBEDDED, FOREIGN
from strata.search.indexing.scanning import FileState
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.indexing.manifest import Manifest
    from strata.search.indexing.points import Prepared
    from strata.search.indexing.session import Session
    from strata.search.stores.store import Matrix

_BATCH_BYTES = 2_000_000
_GONE = (-1, -1)


def prepared(
    workspace: Path, states: Iterable[FileState], say: Callable[[str], None]
) -> Iterator[list[Prepared]]:
    """Read and cut files, a few megabytes at a time; those that vanish are left out."""
    batch: list[Prepared] = []
    size = 0
    for state in states:
        content = _content(workspace, state, say)
        if content is None:
            continue
        batch.append(points.prepare(state, content))
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
        return None
    except OSError as error:
        say(Notice("index.left-unreadable", path=state.path, strerror=error.strerror))
        return None
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
    fresh = [file for file in files if manifest.hash_of(file.state.path) != file.hash]
    same = [file.state for file in files if file not in fresh]
    wanted = {piece.id: piece for file in fresh for piece in file.pieces}
    before, settled = _before(manifest, [file.state.path for file in fresh])
    manifest.touch(same)
    if not fresh:
        return 0, 0
    added = [piece for piece in wanted.values() if piece.id not in settled]
    gone = [number for number in before if number not in wanted]
    manifest.begin([f.state.path for f in fresh], [points.row(p) for p in added])
    store.delete(gone)
    if added:
        store.upsert([points.point(piece) for piece in added])
    store.settle(optimize=False)
    manifest.finish(gone, [(file.state, file.hash) for file in fresh])
    return len(fresh), len(added)


def _before(manifest: Manifest, paths: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the ids that the store may hold of *paths*, and those that it surely holds."""
    before: set[str] = set()
    settled: set[str] = set()
    for path in paths:
        ids = {row.id for row in manifest.rows_of(path)}
        before |= ids
        if manifest.hash_of(path) is not None:
            settled |= ids
    return before, settled


def remove_files(session: Session, paths: Sequence[str]) -> int:
    """Take the files *paths*, which are gone, out of the index."""
    if not paths:
        return 0
    gone = [row.id for path in paths for row in session.manifest.rows_of(path)]
    session.manifest.begin(paths, [])
    session.store.delete(gone)
    session.store.settle(optimize=False)
    session.manifest.finish(gone, [(FileState(path, *_GONE), None) for path in paths])
    return len(paths)


def write_vectors(session: Session, vectors: Mapping[str, Matrix], model: str) -> int:
    """
    Give the chunks that *vectors* names theirs, made by *model*; return how many.

    Those that are gone in the meantime are left out.
    """
    known = session.manifest.rows(list(vectors))
    present = {number: vectors[number] for number in known}
    if present:
        session.manifest.keep_meta(model=model)
        session.store.add_vectors(present)
        session.store.settle(optimize=False)
        session.manifest.mark(present, EMBEDDED)
    return len(present)


def mark_foreign(session: Session, ids: Sequence[str]) -> None:
    """Note that the model does not read the language of the chunks *ids*."""
    session.manifest.mark(ids, FOREIGN)
