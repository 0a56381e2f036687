"""Every vector that was ever computed, by its text, so that none is computed twice."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from strata.search.stores.store import batches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_AT_ONCE = 500
_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (model, text)
) WITHOUT ROWID
"""
_SELECT = "SELECT text, vector FROM vectors WHERE model = ? AND text IN"


class VectorCache:
    """
    The vectors of one model, in a SQLite file that several models share.

    Numbers are kept as float16: half the space, and cosines differ by less than 0.0005.
    The file is nothing but a cache: one that is damaged is made anew. Another process
    that writes it is waited for, as long as *patience_seconds*.
    """

    def __init__(self, file: Path, model: str, patience_seconds: float = 30) -> None:
        self._file = file
        self._model = model
        self._patience_seconds = patience_seconds

    def find(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        """Return the vectors of those texts that have one."""
        import numpy as np  # noqa: PLC0415 - most updates come without vectors

        found: dict[bytes, Vector] = {}
        with self._connected() as connection:
            for some in batches(keys, _AT_ONCE):
                query = f"{_SELECT} ({','.join('?' * len(some))})"
                for key, vector in connection.execute(query, (self._model, *some)):
                    found[key] = np.frombuffer(vector, "<f2").astype(np.float32)
        return found

    def keep(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep *vectors* by the keys of their texts."""
        rows = [
            (self._model, key, vector.astype("<f2").tobytes())
            for key, vector in vectors.items()
        ]
        with self._connected() as connection:
            query = "INSERT OR REPLACE INTO vectors VALUES (?,?,?)"
            connection.executemany(query, rows)

    def forget_others(self, keys: Iterable[bytes]) -> None:
        """Drop the vectors of this model whose texts are not among *keys*."""
        with self._connected() as connection:
            connection.execute("CREATE TEMP TABLE kept (text BLOB PRIMARY KEY)")
            connection.executemany(
                "INSERT OR IGNORE INTO kept VALUES (?)", [(key,) for key in keys]
            )
            connection.execute(
                "DELETE FROM vectors WHERE model = ? AND text NOT IN kept",
                (self._model,),
            )

    def compact(self) -> None:
        """Drop what other models made, and rewrite the file without what was deleted."""
        with self._connected() as connection:
            connection.execute("DELETE FROM vectors WHERE model != ?", (self._model,))
        with closing(self._opened()) as connection:
            connection.execute("VACUUM")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with closing(self._opened()) as connection, connection:
            yield connection

    def _opened(self) -> sqlite3.Connection:
        try:
            return _connection(self._file, self._patience_seconds)
        except sqlite3.OperationalError:
            # The disk is full or the folder read-only: no reason to throw vectors away.
            raise
        except sqlite3.DatabaseError:
            self._file.unlink()
            return _connection(self._file, self._patience_seconds)


def _connection(file: Path, patience_seconds: float) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=patience_seconds)
    try:
        connection.execute(_TABLE)
        connection.execute("SELECT count(*) FROM (SELECT 1 FROM vectors LIMIT 1)")
    except BaseException:
        connection.close()
        raise
    return connection
