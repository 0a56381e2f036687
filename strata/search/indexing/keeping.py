"""The index kept open between questions, until another process wants it."""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from strata.errors import StrataError
from strata.search.indexing.lock import Bell
from strata.search.indexing.session import Damaged, Session, Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.search.indexing.manifest import Manifest

T = TypeVar("T")

# Whoever waits looks every 10 ms; until then we must not take the lock again.
_REST_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class _Kept:
    """
    An open session, and what closes it.

    *lock* is the number of the lock's file. One without a *bell* could not be asked for,
    and is closed at once.
    """

    session: Session
    closing: ExitStack
    lock: int
    bell: Bell | None


# Any: the type of a lock is a function until Python 3.13.
@dataclass(slots=True, eq=False)
class KeptShelf(Shelf):
    """
    A shelf that stays open, with its lock, after the first operation.

    It is closed when another process waits for the lock, after an error, and where the
    folder was deleted. Its operations take turns, in whatever thread they are called.
    """

    _turn: Any = field(default_factory=threading.RLock)
    _kept: _Kept | None = None
    _wanted: bool = False
    _rest_until: float = 0.0

    @classmethod
    def like(cls, shelf: Shelf) -> KeptShelf:
        """Return *shelf* as one that stays open."""
        places = (shelf.remote, shelf.snapshot)
        return cls(shelf.root, shelf.model, shelf.dimensions, shelf.say, *places)

    @contextmanager
    def locked(self, patience_seconds: float) -> Iterator[None]:
        with self._turn:
            self._close()
            with Shelf.locked(self, patience_seconds):
                yield

    @contextmanager
    def opened(self, patience_seconds: float) -> Iterator[Session]:
        with self._turn:
            session = self._open_session(patience_seconds)
            try:
                yield session
            except BaseException:
                self._close(*sys.exc_info())
                raise
            if self._kept and not self._kept.bell:
                self._close()

    def close(self) -> None:
        with self._turn:
            self._close()

    def stop_listening(self) -> None:
        with self._turn:
            if self._kept and self._kept.bell:
                self._kept.bell.remove()

    def peek(self, read: Callable[[Manifest], T], otherwise: T) -> T:
        with self._turn:
            if self._kept is None:
                return Shelf.peek(self, read, otherwise)
            try:
                return read(self._kept.session.manifest)
            except sqlite3.DatabaseError:
                return otherwise

    def _open_session(self, patience_seconds: float) -> Session:
        if self._wanted or (self._kept and self._is_orphaned(self._kept)):
            self._give_way()
        if self._kept is None:
            time.sleep(max(self._rest_until - time.monotonic(), 0))
            self._kept = self._open_and_listen(patience_seconds)
        return self._kept.session

    def _open_and_listen(self, patience_seconds: float) -> _Kept:
        with ExitStack() as closing:
            session = closing.enter_context(Shelf.opened(self, patience_seconds))
            bell = None
            with suppress(OSError):
                bell = Bell(self.lock_file, self._hear)
                closing.callback(bell.remove)
            number = self.lock_file.stat().st_ino
            return _Kept(session, closing.pop_all(), number, bell)

    def _is_orphaned(self, kept: _Kept) -> bool:
        """Tell whether somebody deleted the folder; another process makes a new one."""
        try:
            return self.lock_file.stat().st_ino != kept.lock
        except OSError:
            return True

    def _hear(self) -> None:
        """Somebody waits; what goes wrong here, the next opening meets again."""
        self._wanted = True
        with self._turn, suppress(Damaged, StrataError):
            if self._wanted:
                self._give_way()

    def _give_way(self) -> None:
        self._wanted = False
        self._rest_until = time.monotonic() + _REST_SECONDS
        self._close()

    def _close(self, *error: Any) -> None:  # Any: what `sys.exc_info` gives
        kept, self._kept = self._kept, None
        if kept:
            kept.closing.__exit__(*(error or (None, None, None)))
