"""What the index holds, chunk by chunk, and which files it was made from."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.errors import IndexUnavailable
from strata.hits import Tier
from strata.messages import Notice
from strata.search.indexing.scanning import FileState
from strata.search.stores.store import batches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.search.stores.store import Scope

SCHEMA = 1

# The states of a chunk's dense vectors: made of its words, of Chinese or its glosses, or of
# some of both.
PENDING, EMBEDDED, FOREIGN, GLOSSED, MIXED = 0, 1, 2, 3, 4
WITH_VECTORS = (EMBEDDED, GLOSSED, MIXED)
# Where it is kept how far the journal was read for terms.
PARAPHRASED = "paraphrased"

_AT_ONCE = 500
# Rows in memory, about half a kilobyte each.
_REMEMBERED = 4000
# A question reads a hundred rows, and calling an enumeration takes a third of each.
_TIERS = {tier.value: tier for tier in Tier}
_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, modified_ns INTEGER, size INTEGER, hash BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chunks (
    id TEXT PRIMARY KEY, path TEXT NOT NULL, start_line INTEGER, end_line INTEGER,
    tier TEXT, day TEXT, checksum INTEGER, vector INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS chunks_by_path ON chunks (path);
CREATE INDEX IF NOT EXISTS chunks_by_vector ON chunks (vector, path);
CREATE INDEX IF NOT EXISTS chunks_by_day ON chunks (day, tier);
"""


class Row(NamedTuple):  # a question reads a hundred
    """A chunk as the manifest knows it: its place, a checksum of its text, its state."""

    id: str
    path: str
    start_line: int
    end_line: int
    tier: Tier
    day: date | None
    checksum: int
    vector: int


class Manifest:
    """
    The SQLite file beside the store; damage shows as `sqlite3.DatabaseError`.

    A file whose *hash* is null is being written: whatever the store holds of it is
    replaced by the next update. It becomes clean after the store is on the disk.
    """

    def __init__(self, file: Path) -> None:
        # Threads take turns where the index is kept open.
        self._connection = sqlite3.connect(file, timeout=10, check_same_thread=False)
        # What was read stays true until it is written here: nobody else has the lock.
        self._found: dict[tuple[object, ...], tuple[Any, ...] | None] = {}
        self._rows: dict[str, Row] = {}
        try:
            self._prepare(file)
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def meta(self, key: str) -> str:
        """Return the text kept as *key*, empty if there is none."""
        row = self._one("SELECT value FROM meta WHERE key = ?", key)
        return str(row[0]) if row else ""

    def keep_meta(self, **values: str) -> None:
        """Keep each of *values*."""
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    def files(self) -> dict[str, FileState | None]:
        """Return each file as it was when it was indexed, none where it is not clean."""
        return {
            row[0]: FileState._make(row) if row[1] is not None else None
            for row in self._all(
                "SELECT path, iif(hash IS NULL, NULL, modified_ns), size FROM files"
            )
        }

    def is_unfinished(self) -> bool:
        """Tell whether any file is not clean."""
        return self._one("SELECT 1 FROM files WHERE hash IS NULL") is not None

    def hash_of(self, path: str) -> bytes | None:
        """Return the hash of what was indexed of *path*, none if that is not clean."""
        row = self._one("SELECT hash FROM files WHERE path = ?", path)
        return row[0] if row else None

    def touch(self, states: Iterable[FileState]) -> None:
        """Note that files have another time and the same content."""
        self._write(
            "UPDATE files SET modified_ns = ?, size = ? WHERE path = ?",
            [(state.modified_ns, state.size, state.path) for state in states],
        )

    def begin(self, paths: Iterable[str], rows: Iterable[Row]) -> None:
        """
        Note that *paths* are being written, and all that the store may hold of them.

        A chunk that is written again has no vector any more.
        """
        with self._writing() as connection:
            connection.executemany(
                "INSERT INTO files VALUES (?, 0, 0, NULL) "
                "ON CONFLICT DO UPDATE SET hash = NULL",
                [(path,) for path in paths],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [_values(row) for row in rows],
            )

    def finish(
        self, gone: Iterable[str], done: Iterable[tuple[FileState, bytes | None]]
    ) -> None:
        """Drop the chunks *gone*; the files *done* are clean, or deleted without a hash."""
        done = list(done)
        with self._writing() as connection:
            connection.executemany(
                "DELETE FROM chunks WHERE id = ?", [(number,) for number in gone]
            )
            connection.executemany(
                "DELETE FROM files WHERE path = ?", [(state.path,) for state, _ in done]
            )
            connection.executemany(
                "INSERT INTO files VALUES (?, ?, ?, ?)",
                [
                    (state.path, state.modified_ns, state.size, content)
                    for state, content in done
                    if content is not None
                ],
            )

    def rows_of(self, path: str) -> list[Row]:
        """Return the chunks of *path*."""
        return self._chunks("path = ?", path)

    def all_rows(self) -> list[Row]:
        """Return all chunks, file by file."""
        return self._chunks("TRUE ORDER BY path, start_line")

    def rows(self, ids: Sequence[str]) -> dict[str, Row]:
        """Return the chunks with these ids; those it does not know are left out."""
        found = {number: self._rows[number] for number in ids if number in self._rows}
        others = [number for number in dict.fromkeys(ids) if number not in found]
        for some in batches(others, _AT_ONCE):
            marks = ",".join("?" * len(some))
            read = {row.id: row for row in self._chunks(f"id IN ({marks})", *some)}
            found.update(read)
            if len(self._rows) > _REMEMBERED:
                self._rows.clear()
            self._rows.update(read)
        return found

    def ids_within(self, scope: Scope, limit: int) -> list[str]:
        """Return the ids of the chunks in *scope*, no more than *limit*."""
        wanted = {
            "day >= ?": scope.since and scope.since.isoformat(),
            "day <= ?": scope.until and scope.until.isoformat(),
            "tier = ?": scope.tier and scope.tier.value,
        }
        given = {name: value for name, value in wanted.items() if value}
        query = f"SELECT id FROM chunks WHERE {' AND '.join(given)} LIMIT ?"  # noqa: S608 - fixed words
        return [row[0] for row in self._all(query, *given.values(), limit)]

    def days(self) -> list[tuple[date, Tier]]:
        """Return every day that a note is named for, with the note's tier."""
        query = "SELECT DISTINCT day, tier FROM chunks WHERE day IS NOT NULL"
        return [(date.fromisoformat(day), Tier(tier)) for day, tier in self._all(query)]

    def rows_of_day(self, day: date, tier: Tier) -> list[Row]:
        """Return the chunks of the notes of *tier* that are named for *day*."""
        return self._chunks("day = ? AND tier = ?", day.isoformat(), tier.value)

    def pending(self, most: int | None = None) -> list[Row]:
        """
        Return the chunks that have no vector yet, file by file.

        Where they are not all wanted, the *most* are what holds on any day and the newest.
        """
        newest_first = (
            "ORDER BY day IS NOT NULL, day DESC, path, start_line DESC LIMIT ?"
        )
        return self._chunks(
            f"vector = ? {newest_first}", PENDING, -1 if most is None else most
        )

    def embedded(self) -> frozenset[str]:
        """Return the ids of the chunks that have vectors."""
        where = f"WHERE vector IN {WITH_VECTORS}"
        found = self._all(f"SELECT id FROM chunks {where}")  # noqa: S608 - numbers
        return frozenset(row[0] for row in found)

    def mark(self, states: Mapping[str, int]) -> None:
        """Note the *states* of the dense vectors of chunks."""
        self._write(
            "UPDATE chunks SET vector = ? WHERE id = ?",
            [(vector, number) for number, vector in states.items()],
        )

    def count(self, *vectors: int) -> int:
        """Count the chunks, or those whose dense vectors are in one of these states."""
        marks = ",".join("?" * len(vectors))
        where = f" WHERE vector IN ({marks})" if vectors else ""
        row = self._one(f"SELECT count(*) FROM chunks{where}", *vectors)  # noqa: S608 - marks
        return int(row[0]) if row else 0

    def has(self, *vectors: int) -> bool:
        """Tell whether any chunk's dense vectors are in one of these states."""
        marks = ",".join("?" * len(vectors))
        query = f"SELECT 1 FROM chunks WHERE vector IN ({marks}) LIMIT 1"  # noqa: S608 - marks
        return self._one(query, *vectors) is not None

    def _prepare(self, file: Path) -> None:
        found = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if found > SCHEMA:
            raise IndexUnavailable(
                Notice("index.newer", parent=file.parent, found=found, schema=SCHEMA)
            )
        if found == 0:
            script = f"BEGIN; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;"
            self._connection.executescript(script)
        elif found < SCHEMA:
            raise sqlite3.DatabaseError(f"index format {found} is out of date")

    # Any: SQLite's columns have no static types.
    def _one(self, query: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of *query*, without looking twice."""
        key = (query, *values)
        if key not in self._found:
            self._found[key] = self._connection.execute(query, values).fetchone()
        return self._found[key]

    def _chunks(self, where: str, *values: object) -> list[Row]:
        query = f"SELECT * FROM chunks WHERE {where}"  # noqa: S608 - fixed words, marks
        return [_row(found) for found in self._all(query, *values)]

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._connection as connection:
                yield connection
        finally:
            self._found.clear()
            self._rows.clear()

    def _write(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        with self._writing() as connection:
            connection.executemany(statement, list(rows))


def _values(row: Row) -> tuple[object, ...]:
    day = row.day.isoformat() if row.day else None
    return (*row[:4], row.tier.value, day, row.checksum, row.vector)


def _row(values: tuple[Any, ...]) -> Row:  # Any: SQLite's columns have no static types
    place, tier, day, rest = values[:4], values[4], values[5], values[6:]
    placed = date.fromisoformat(day) if day else None
    return Row._make((*place, _TIERS[tier], placed, *rest))
