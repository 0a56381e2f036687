"""The index opened under its lock, and made anew where it cannot be used."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from strata.errors import Busy, IndexUnavailable, WorkspaceUnavailable
from strata.messages import Notice
from strata.search.indexing import chunking, points
from strata.search.indexing.lock import exclusive
from strata.search.indexing.manifest import Manifest
from strata.search.language import keywords
from strata.search.stores.store import StoreDamaged
from strata.workspace.layout import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from strata.search.stores.store import Remote, Store
    from strata.workspace.snapshot import Snapshot

T = TypeVar("T")

MADE = (
    f"{chunking.VERSION}.{keywords.VERSION}.{chunking.WINDOWS_VERSION}.{points.VERSION}"
)
DIMENSIONS = 384
_RESTORING_SECONDS = 60.0


# What SQLite and the engine say where the disk, and not the index, is at fault.
_NO_DAMAGE = (
    "no space left",
    "disk is full",
    "quota",
    "file too large",
    "readonly",
    "read-only",
    "permission denied",
    "unable to open",
    "disk i/o error",
)


class Damaged(Exception):
    """The index turned out to be damaged, and was thrown away."""


@dataclass(frozen=True, slots=True)
class Session:
    """The two halves of an open index; *anew* where it had to be started from nothing."""

    manifest: Manifest
    store: Store
    anew: bool


@dataclass(slots=True, eq=False)
class Shelf:
    """
    Where an index lies, and the model that its vectors must come from.

    *model* is the fingerprint, empty where there is no model: then vectors of any model
    are left alone. The lock lies beside the store's folder and not in it, because opening
    an Edge shard a second time, even in vain, ruins it for the first one.
    """

    root: Path
    model: str
    dimensions: int
    say: Callable[[str], None]
    remote: Remote | None = None
    snapshot: Snapshot | None = None
    # The generation on the server that goes on answering, where this is to follow it.
    standing: str = ""
    # All vectors outlive the index; a graph of the points is built before it is theirs.
    vectors_file: Path = field(init=False)
    manifest_file: Path = field(init=False)
    store_folder: Path = field(init=False)
    graph_folder: Path = field(init=False)
    lock_file: Path = field(init=False)

    def __post_init__(self) -> None:
        self.vectors_file = self.root / "vectors.sqlite"
        self.manifest_file = self.root / "manifest.sqlite"
        self.store_folder = self.root / "points"
        self.graph_folder = self.root / "graph.new"
        self.lock_file = self.root / "index.lock"

    def stop_listening(self) -> None:
        """
        Hear no longer who waits for the index: the process that keeps it open ends.

        Its socket would stay otherwise, until the next process takes the lock.
        """

    def close(self) -> None:
        """Give the store back where it was kept open; the next operation opens it again."""

    @property
    def origin(self) -> tuple[Path, str, Remote | None]:
        """What tells an index from others: its place, its model, its server."""
        return self.root, self.model, self.remote

    @contextmanager
    def locked(self, patience_seconds: float) -> Iterator[None]:
        """Keep every other process out of the index."""
        if self.root == NOWHERE:
            raise WorkspaceUnavailable(Notice("index.no-memory-folder"))
        with exclusive(self.lock_file, patience_seconds=patience_seconds):
            yield

    def save_copy(self, patience_seconds: float) -> None:
        """Bring the encrypted copy up to date, where the index lives in memory."""
        if self.snapshot:
            with self.locked(patience_seconds), self._explained():
                self.snapshot.save()

    def _bring_back(self) -> None:
        """Fetch the index from its encrypted copy, as the first one after a restart."""
        if self.snapshot and self.root != NOWHERE and self.snapshot.is_wanted:
            with Shelf.locked(self, _RESTORING_SECONDS), self._explained():
                if self.snapshot.is_wanted:
                    self.snapshot.restore(self.say)

    @contextmanager
    def opened(self, patience_seconds: float) -> Iterator[Session]:
        """
        Open the index, which starts empty where it is damaged or made with other settings.

        Raise `Busy`, `WorkspaceUnavailable`, or `IndexUnavailable` for one of a newer
        version. Damage that shows only later raises `Damaged`; the next opening mends it.
        """
        self._bring_back()
        with Shelf.locked(self, patience_seconds), self._explained():
            session = self._usable(patience_seconds)
            try:
                with closing(session.manifest), closing(session.store):
                    yield session
            except (sqlite3.DatabaseError, StoreDamaged) as error:
                _raise_if_no_damage(error)
                self.say(Notice("index.anew-damaged"))
                self.wipe()
                raise Damaged(str(error)) from None

    def made_by(self) -> str:
        """Return the fingerprint of the model whose vectors the index has, if any."""
        # A newer version's is told of by whoever opens it.
        with suppress(IndexUnavailable):
            return self.peek(lambda found: found.meta("model"), "")
        return ""

    def peek(self, read: Callable[[Manifest], T], otherwise: T) -> T:
        """
        Return what *read* finds in the manifest, or *otherwise* where there is none.

        No lock is taken: what is true now may be out of date a moment later.
        """
        with suppress(WorkspaceUnavailable, Busy):
            self._bring_back()
        if not self.manifest_file.exists():
            return otherwise
        try:
            with closing(Manifest(self.manifest_file)) as manifest:
                return read(manifest)
        except sqlite3.DatabaseError:
            return otherwise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Translate what not even a fresh index could do: its folder is of no use."""
        try:
            yield
        except (sqlite3.DatabaseError, StoreDamaged, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            raise WorkspaceUnavailable(
                Notice("index.not-written", reason=reason, root=self.root)
            ) from None

    def wipe(self) -> None:
        """Throw the index away, but not the vectors; the caller holds the lock."""
        import shutil  # noqa: PLC0415 - 2 ms, and rare

        if self.snapshot:
            # Or it would be fetched again at once.
            self.snapshot.drop()
        for folder in (self.store_folder, self.graph_folder):
            shutil.rmtree(folder, ignore_errors=True)
        for suffix in ("", "-journal", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self.manifest_file.with_name(self.manifest_file.name + suffix).unlink()

    def _usable(self, patience_seconds: float) -> Session:
        try:
            session = self._open(patience_seconds)
            self._leave(session)
            reason = self._misfit(session)
        except (sqlite3.DatabaseError, StoreDamaged) as error:
            _raise_if_no_damage(error)
            reason = "it is damaged"
        else:
            if not reason:
                return session
            session.store.close()
            session.manifest.close()
        self.say(f"the search index is made anew ({reason})")
        self.wipe()
        return self._open(patience_seconds)

    def _open(self, patience_seconds: float) -> Session:
        anew = not self.manifest_file.exists()
        with ExitStack() as failing:
            manifest = failing.enter_context(closing(Manifest(self.manifest_file)))
            if not manifest.meta("made"):
                size = str(self.dimensions)
                made = {"made": MADE, "model": self.model, "dimensions": size}
                manifest.keep_meta(**made, place=self._place)
            store = self._open_store(manifest, patience_seconds)
            failing.pop_all()
            return Session(manifest, store, anew)

    def _open_store(self, manifest: Manifest, patience_seconds: float) -> Store:
        """
        Open the store that there is: a server, the engine in this process, the client's.

        A second opener of an Edge shard ruins the first one's files before it is refused.
        """
        dimensions = int(manifest.meta("dimensions"))
        if self.remote:
            from strata.search.stores.server import open_server  # noqa: PLC0415 - 1.1 s

            # Who asks waits no longer for a server than for another process.
            place = (self.remote, dimensions, manifest)
            return open_server(*place, self.standing, patience_seconds)
        try:
            from strata.search.stores.edge import EdgeStore  # noqa: PLC0415

            return EdgeStore(self.store_folder, dimensions)
        except ImportError:  # the engine has no wheel here
            from strata.search.stores.qdrant import QdrantStore  # noqa: PLC0415 - 1.1 s

            return QdrantStore.in_folder(self.store_folder, dimensions)

    @property
    def _place(self) -> str:
        if not self.remote:
            return ""
        kind = "own" if self.remote.own else "shared"
        return f"{self.remote.url} {self.remote.tenant} {kind}"

    def _leave(self, session: Session) -> None:
        """
        Have the server forget what it holds under the name that the index had there.

        The folder was moved, or copied: then the other index is made anew once, which
        costs less than points that nobody will ever remove.
        """
        url, _, before = session.manifest.meta("place").partition(" ")
        tenant = before.partition(" ")[0]
        if (
            self.remote is None
            or url != self.remote.url
            or tenant == self.remote.tenant
        ):
            return
        from strata.search.stores.server import ServerStore  # noqa: PLC0415 - 1.1 s

        if isinstance(session.store, ServerStore):
            session.store.clear_tenant(tenant)

    def _misfit(self, session: Session) -> str:
        """Say why the index cannot go on as it is, or nothing."""
        manifest = session.manifest
        model, size = manifest.meta("model"), int(manifest.meta("dimensions"))
        if manifest.meta("made") != MADE:
            return "notes are cut or read in a new way"
        if manifest.meta("place") != self._place:
            return "its points are to be kept in another place"
        if self.model and model and model != self.model:
            return "another embedding model is in use"
        if self.model and size != self.dimensions:
            return "the embedding model has another size"
        if not session.store.is_as_left():
            return "its server holds another state than it was left in"
        # An update that was cut off says itself what it left undone.
        whole = manifest.is_unfinished() or session.store.count() == manifest.count()
        return "" if whole else "it is incomplete"


def _raise_if_no_damage(error: Exception) -> None:
    """Raise where *error* says that the disk is full, read-only or in use."""
    text = str(error).lower()
    if "database is locked" in text:
        raise Busy(Notice("index.open-elsewhere")) from None
    for reason in _NO_DAMAGE:
        if reason in text:
            raise OSError(reason) from None
