"""The index made anew; on a server beside the one that answers until then."""

from __future__ import annotations

import copy
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from strata.errors import Busy
from strata.search.indexing.keeping import KeptShelf
from strata.search.indexing.lock import exclusive
from strata.search.indexing.reports import UpdateReport
from strata.search.indexing.session import Shelf
from strata.search.indexing.watching import Watch

if TYPE_CHECKING:
    from pathlib import Path

    from strata.embedding_models.folder import ModelFolder
    from strata.progress import Progress
    from strata.search.indexing.manifest import Manifest

_PATIENCE_SECONDS = 60.0
_NO_PATIENCE = 0.0


class Answering(Protocol):
    """What is made anew: the index, which is made of this module's work itself."""

    workspace: Path
    shelf: Shelf
    watch: Watch
    model: ModelFolder | None
    coming: ModelFolder | None

    def update(self) -> UpdateReport:
        """Take in what changed on the disk."""
        ...

    def embed(self, *, progress: Progress | None, forget: bool) -> int:
        """Compute the vectors that are missing."""
        ...

    def use_coming(self) -> None:
        """Go on with the model that was chosen, where another one is in use yet."""
        ...


def begin(
    index: Answering, *, rebuild: bool, embed: bool, progress: Progress | None
) -> UpdateReport:
    """
    Get *index* ready for an update; with *rebuild*, for one that makes all anew.

    What a rebuild on a server has left that was cut off is removed.
    """
    shelf = index.shelf
    if shelf.remote and (rebuild or _is_to_move(shelf)):
        return replace_index(index, embed=embed, progress=progress)
    if rebuild:
        index.use_coming()
        with shelf.locked(_PATIENCE_SECONDS):
            shelf.wipe()
    elif shelf.remote and _folder(shelf).exists():
        # Busy: it was not cut off, but is at work.
        with (
            suppress(Busy),
            exclusive(_lock(shelf), patience_seconds=_NO_PATIENCE),
        ):
            _forsake(shelf)
    return UpdateReport()


def _is_to_move(shelf: Shelf) -> bool:
    """Tell whether the index stands whole where new ones are made no more."""
    if isinstance(shelf, KeptShelf):
        # It answers, and leaves that to others.
        return False
    from strata.search.stores.server import ServerStore  # noqa: PLC0415 - 1.1 s

    with shelf.opened(_PATIENCE_SECONDS) as session:
        if session.anew or not isinstance(session.store, ServerStore):
            return False
        return session.store.is_elsewhere(int(session.manifest.meta("dimensions")))


def replace_index(
    index: Answering, *, embed: bool, progress: Progress | None = None
) -> UpdateReport:
    """
    Make *index*, which is on a server, anew beside itself, by the model that is to come.

    The manifest says which generation of the points is asked, and both change in one
    step: a question finds the old index or the new one. What is cut off leaves the old.
    """
    shelf = index.shelf
    with exclusive(_lock(shelf), patience_seconds=_PATIENCE_SECONDS):
        _forsake(shelf)
        following = _successor(index)
        report = following.update()
        if embed and following.model:
            many = following.embed(progress=progress, forget=True)
            report += UpdateReport(embedded=many)
        _adopt(shelf)
        index.use_coming()
        _forsake(shelf)
    shelf.save_copy(_PATIENCE_SECONDS)
    return report


def _successor(index: Answering) -> Answering:
    """Return an index of the same files with a manifest and a generation of its own."""
    following = copy.copy(index)
    following.watch = Watch(index.workspace)
    shelf = index.shelf
    made = (shelf.model, shelf.dimensions)
    if index.coming:
        following.model, following.coming = index.coming, None
        following.__dict__.pop("encoder", None)
        made = (index.coming.fingerprint, index.coming.dimensions)
    standing = shelf.peek(_generation, "")
    following.shelf = Shelf(
        _folder(shelf), *made, shelf.say, shelf.remote, standing=standing
    )
    # No text is embedded twice, whichever index asks.
    following.shelf.vectors_file = shelf.vectors_file
    return following


def _adopt(shelf: Shelf) -> None:
    """Let the new manifest take the place of the old one."""
    new = _folder(shelf) / shelf.manifest_file.name
    with shelf.locked(_PATIENCE_SECONDS):
        # What was left half written is rolled back now, or it would be in the new one.
        shelf.peek(_generation, "")
        new.replace(shelf.manifest_file)


def _forsake(shelf: Shelf) -> None:
    """Have the server keep the generation that answers, and no other."""
    folder = _folder(shelf)
    if not folder.exists():
        return
    if shelf.manifest_file.exists():
        with shelf.opened(_PATIENCE_SECONDS) as session:
            session.manifest.keep_meta(alone="")
        shelf.close()
        with shelf.opened(_PATIENCE_SECONDS):
            pass
    shutil.rmtree(folder)


def _generation(manifest: Manifest) -> str:
    return manifest.meta("generation")


def _folder(shelf: Shelf) -> Path:
    return shelf.root / "next"


def _lock(shelf: Shelf) -> Path:
    return shelf.root / "rebuild.lock"
