"""
Rows of an SQLite file that belongs to somebody else, without a trace of us beside it.

Whoever opens a database in WAL mode, if only to read, leaves a ``-wal`` and a ``-shm``
file next to it. So as long as nothing waits in a journal the file is read as immutable,
and read again if somebody changed it meanwhile; else it is read like any client reads it,
which is safe while the gateway writes.
"""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.errors import Busy, UnsupportedStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# SQLite columns hold whatever was stored.
Row = tuple[Any, ...]
Stamp = tuple[int, int, int]

_BUSY_SECONDS = 5.0
_PAGE_ROWS = 200
_QUIET_TRIES = 4
_PRIMARY_CODE = 0xFF
_BUSY_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNWRITABLE_CODES = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


class SqliteFile:
    """
    Read-only access to the SQLite file at *path*.

    Text comes as bytes. Raise `Busy` if a lock outlasts five seconds, `UnsupportedStore`
    if the file is damaged, no database, or not readable.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[Row]:
        """All rows of one query, as they stood at one moment."""
        for stamp in self._stamps():
            with self._explained(stamp), closing(self._connect(stamp)) as connection:
                rows = connection.execute(query, parameters).fetchall()
                if self._unchanged(stamp):
                    return rows
        raise AssertionError("the stamps never end")

    def stream(self, query: str, key: str, last: int = -1) -> Iterator[Row]:
        """
        Yield the rows of *query*, whose first column is a rising whole number.

        The query takes *key* and the number to start after, *last*.
        """
        for stamp in self._stamps():
            with self._explained(stamp), closing(self._connect(stamp)) as connection:
                cursor = connection.execute(query, (key, last))
                while (page := cursor.fetchmany(_PAGE_ROWS)) and self._unchanged(stamp):
                    yield from page
                    last = page[-1][0]
                if not page:
                    return

    @contextmanager
    def blob(self, table: str, column: str, row: int) -> Iterator[sqlite3.Blob]:
        """Open one stored archive for reading; it is never changed once it is there."""
        with (
            self._explained(None),
            closing(self._connect(self._stamp())) as connection,
            closing(connection.blobopen(table, column, row, readonly=True)) as blob,
        ):
            yield blob

    def _stamps(self) -> Iterator[Stamp | None]:
        for attempt in itertools.count():
            yield self._stamp() if attempt < _QUIET_TRIES else None

    def _stamp(self) -> Stamp | None:
        """Return what the file looks like, or None while something waits in a journal."""
        if any(_size(Path(f"{self.path}{end}")) for end in ("-wal", "-journal")):
            return None
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _unchanged(self, stamp: Stamp | None) -> bool:
        return stamp is None or stamp == self._stamp()

    def _connect(self, stamp: Stamp | None) -> sqlite3.Connection:
        options = "?mode=ro" if stamp is None else "?mode=ro&immutable=1"
        connection = sqlite3.connect(
            self.path.absolute().as_uri() + options,
            uri=True,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,  # the garbage collector may close a generator
        )
        connection.text_factory = bytes
        return connection

    @contextmanager
    def _explained(self, stamp: Stamp | None) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            # What was read while somebody changed the file is no error: it is read again.
            if self._unchanged(stamp):
                raise self._explanation(error) from None

    def _explanation(self, error: sqlite3.Error) -> Busy | UnsupportedStore:
        code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
        if code in _BUSY_CODES:
            return Busy(f"{self.path} is locked by another process; try again later")
        if code in _DAMAGED_CODES:
            return UnsupportedStore(
                f"{self.path} cannot be read ({error}); run `openclaw doctor`, or restore "
                "the file from a backup"
            )
        if code in _UNWRITABLE_CODES:
            return UnsupportedStore(
                f"{self.path} cannot be opened ({error}); check that you may read the file "
                "and, while OpenClaw runs or after it crashed, write to its folder"
            )
        return UnsupportedStore(f"{self.path} cannot be read ({error})")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
