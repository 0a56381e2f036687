"""OpenClaw's SQLite store of conversations: whom they belong to and what they hold."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.errors import TranscriptUnreadable, UnsupportedStore
from strata.messages import Notice
from strata.transcripts.archives import decompress, open_blob
from strata.transcripts.entries import BROKEN, Entry, entry_in
from strata.transcripts.jsonl import LIMIT_BYTES
from strata.transcripts.places import Listed
from strata.transcripts.sources import Marked, Stream, mark_path
from strata.transcripts.sqlite_file import Row, SqliteFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from strata.transcripts.sources import Source

# Each change of OpenClaw's schema is looked at before it is added here.
SUPPORTED_VERSIONS = frozenset({23})
_NEEDED_TABLES = (
    "transcript_events",
    "session_nodes",
    "session_windows",
    "session_transcript_active_events",
)
# Whatever changes when a conversation grows, is rewound, rewritten or archived. The
# archives' blobs come before most of their columns, and SQLite would read them to get
# past them: ask for no column behind a blob.
_STATE_COLUMNS = {
    "session_transcript_index_state": "session_id, indexed_seq, leaf_event_id,"
    " active_event_count, needs_rebuild, updated_at",
    "transcript_rewrite_watermarks": "session_id, generation",
    "session_transcript_cold_archives": "session_id, generation, last_seq",
    "session_transcript_archives": "session_id, generation",
}
_COLD, _ARCHIVES = "session_transcript_cold_archives", "session_transcript_archives"
_OF_SESSION = "where session_id = ?"
# About as many bytes as an entry has at least.
_ROW_BYTES = 200
# As ``sessions.json`` calls some of the columns that follow.
_FIELDS = ("chatType", "hookExternalContentSource", "createdVia", "spawnedBy")
_WINDOWS = """
    select w.session_id, w.session_key, coalesce(w.chat_type, w.session_scope),
           w.hook_external_content_source, n.created_via,
           coalesce(n.spawned_by, w.spawned_by),
           min(w.created_at, coalesce(w.started_at, w.created_at)),
           max(w.updated_at, coalesce(w.transcript_updated_at, w.updated_at)),
           w.transcript_updated_at,
           (select max(seq) from transcript_events e where e.session_id = w.session_id)
      from session_windows w left join session_nodes n using (session_key)"""
_EVENTS = f"""
    select e.seq, iif(length(e.event_json) > {LIMIT_BYTES}, null, e.event_json),
           e.event_zstd, e.event_utf8_bytes, a.event_seq is not null
      from transcript_events e left join session_transcript_active_events a
        on a.session_id = e.session_id and a.event_seq = e.seq
     where e.session_id = ? and e.seq > ? order by e.seq"""  # noqa: S608 - a constant


@dataclass(slots=True)
class StoredSession:
    """
    What the store says about one conversation.

    *state* differs whenever the conversation may have changed.
    """

    listed: Listed
    updated_ms: int = 0
    state: list[object] = field(default_factory=list)


class SqliteStore:
    """The conversations in one agent's ``openclaw-agent.sqlite``."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path)
        self._path = path
        self._tables = frozenset(
            _text(name) for (name,) in self._file.rows("select name from sqlite_master")
        )

    def holds_transcripts(self) -> bool:
        """
        Whether conversations are kept here.

        OpenClaw 2026.6.5 to 2026.7.1 has the file, but keeps them as JSON lines. Raise
        `UnsupportedStore` for a file of another program or of an unknown schema version.
        """
        version = self._file.rows("pragma user_version")[0][0]
        if "transcript_events" not in self._tables:
            if "schema_meta" in self._tables and version < min(SUPPORTED_VERSIONS):
                return False
            raise UnsupportedStore.of("transcripts.no-store", path=self._path)
        self._check(version)
        return True

    def sessions(self) -> list[StoredSession]:
        """Every conversation, the deleted ones that are archived here included."""
        sessions = {row[0]: _session(row) for row in self._file.rows(_WINDOWS)}
        deleted = self._optional(_ARCHIVES, "distinct session_id, session_key")
        for session_id, key in deleted:
            listed = Listed(_text(session_id), _text(key), {}, current=False)
            sessions.setdefault(session_id, StoredSession(listed))
        for table, columns in _STATE_COLUMNS.items():
            for session_id, *state in self._optional(table, columns):
                if session_id in sessions:
                    sessions[session_id].state.append((table, *state))
        return list(sessions.values())

    def sources(self, session_id: str, folders: Iterable[Path]) -> list[Source]:
        """Return where a conversation lies, newest first; cold files lie by *folders*."""
        return [
            Rows(self._file, session_id, self._indexed(session_id), self._tables),
            *self._cold(session_id, list(folders)),
            *self._archived(session_id),
        ]

    def _check(self, version: int) -> None:
        known = ", ".join(map(str, sorted(SUPPORTED_VERSIONS)))
        if version not in SUPPORTED_VERSIONS:
            newer = version > max(SUPPORTED_VERSIONS)
            advice = Notice(
                "transcripts.update-us" if newer else "transcripts.update-openclaw"
            )
            raise UnsupportedStore.of(
                "transcripts.schema",
                path=self._path,
                version=version,
                known=known,
                advice=advice,
            )
        for table in _NEEDED_TABLES:
            if table not in self._tables:
                raise UnsupportedStore.of(
                    "transcripts.no-table", path=self._path, table=table
                )

    def _optional(
        self, table: str, columns: str, rest: str = "", *parameters: str
    ) -> list[Row]:
        """Return rows of a table that the store may not have."""
        if table not in self._tables:
            return []
        return self._file.rows(f"select {columns} from {table} {rest}", parameters)  # noqa: S608 - constants

    def _indexed(self, session_id: str) -> bool:
        # OpenClaw rebuilds its list of what counts in the background.
        state, rebuilding = "session_transcript_index_state", "and needs_rebuild"
        if self._optional(state, "1", f"{_OF_SESSION} {rebuilding}", session_id):
            return False
        active = "session_transcript_active_events"
        return bool(self._optional(active, "1", f"{_OF_SESSION} limit 1", session_id))

    def _cold(self, session_id: str, folders: list[Path]) -> Iterator[Stream]:
        columns = "rowid, storage, archive_name"
        found = self._optional(_COLD, columns, _OF_SESSION, session_id)
        for row, storage, name in found:
            if storage == b"sqlite":
                yield self._blob(_COLD, row, packed=True)
            else:
                yield Stream.of_file(_cold_file(_text(name), folders))

    def _archived(self, session_id: str) -> Iterator[Stream]:
        newest_first = f"{_OF_SESSION} order by created_at desc"
        found = self._optional(_ARCHIVES, "rowid, encoding", newest_first, session_id)
        for row, encoding in found:
            yield self._blob(_ARCHIVES, row, packed=encoding == b"zstd")

    def _blob(self, table: str, row: int, *, packed: bool) -> Stream:
        """Return an archived transcript that lies in the store as one blob."""

        @contextmanager
        def opened() -> Iterator[BinaryIO]:
            with (
                self._file.blob(table, "archive_blob", row) as blob,
                open_blob(blob, packed=packed) as stream,
            ):
                yield stream

        return Stream(opened, str(self._path))


@dataclass(frozen=True, slots=True)
class Rows:
    """The entries of one conversation that lie in the store as rows."""

    _file: SqliteFile
    _session_id: str
    _indexed: bool
    _tables: frozenset[str] = frozenset()

    def is_long(self, least_bytes: int) -> bool:
        """Say whether the entries have so many bytes, about."""
        query = "select max(seq) from transcript_events where session_id = ?"
        (last,) = self._file.rows(query, (self._session_id,))[0]
        return self._indexed and (last or 0) * _ROW_BYTES >= least_bytes

    def check(self, place: int) -> str:
        """Return what changes when anything before *place* does, "" where none knows."""
        if not self._indexed:
            return ""
        active = "select count(*) from session_transcript_active_events"
        query = f"{active} {_OF_SESSION} and event_seq < ?"
        told = self._file.rows(query, (self._session_id, place))
        rewritten = "transcript_rewrite_watermarks"
        if rewritten in self._tables:
            query = f"select generation from {rewritten} {_OF_SESSION}"  # noqa: S608 - constants
            told += self._file.rows(query, (self._session_id,))
        return repr(told)

    def placed(self, place: int) -> Iterator[tuple[int, Entry]]:
        """Yield what counts from row *place* on, and what is malformed, with its row."""
        for row in self._stream(place - 1):
            entry = _entry(row)
            if (row[4] and not entry.side) or entry.malformed:
                yield row[0], entry

    def marked(self) -> Iterator[Marked]:
        """Yield each entry with whether it counts."""
        if not self._indexed:
            yield from mark_path(lambda: (entry for entry, _ in self._rows()))
            return
        for entry, active in self._rows():
            yield entry, active and not entry.side

    def _rows(self) -> Iterator[Marked]:
        return ((_entry(row), bool(row[4])) for row in self._stream(-1))

    def _stream(self, last: int) -> Iterator[Row]:
        try:
            yield from self._file.stream(_EVENTS, self._session_id, last)
        except UnsupportedStore as error:
            # A damaged page may hold one conversation and leave the others whole.
            raise TranscriptUnreadable(str(error)) from None


def _session(row: Row) -> StoredSession:
    session_id, key, *told = map(_text, row[:6])
    entry = {**dict(zip(_FIELDS, told, strict=True)), "sessionStartedAt": row[6]}
    listed = Listed(session_id, key, entry, current=True)
    return StoredSession(listed, row[7], [row[8:]])


def _entry(row: Row) -> Entry:
    _, text, frame, size, _ = row
    try:
        if frame is not None:
            text = decompress(frame, min(size or LIMIT_BYTES, LIMIT_BYTES))
    except ValueError:
        return BROKEN
    return entry_in(text or b"")


def _cold_file(name: str, folders: list[Path]) -> Path:
    places = [folder / "cold" / name for folder in folders if "/" not in name]
    for place in places:
        if place.is_file():
            return place
    raise TranscriptUnreadable.of(
        "transcripts.no-archive", name=name, places=list(map(str, places))
    )


# SQLite hands out text as bytes, or None.
def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
