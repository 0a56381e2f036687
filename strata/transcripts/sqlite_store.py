"""OpenClaw's SQLite store of conversations: whom they belong to and what they hold."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.errors import TranscriptUnreadable, UnsupportedStore
from strata.messages import Notice
from strata.transcripts.archives import decompress, open_blob
from strata.transcripts.decoding import decode
from strata.transcripts.entries import BROKEN, Entry, parse_entry
from strata.transcripts.lines import LIMIT_BYTES
from strata.transcripts.sources import Marked, Stream, mark_path
from strata.transcripts.sqlite_file import Row, SqliteFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

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
_STATE_QUERIES = {
    "session_transcript_index_state": "select session_id, indexed_seq, leaf_event_id,"
    " active_event_count, needs_rebuild, updated_at from session_transcript_index_state",
    "transcript_rewrite_watermarks": "select session_id, generation"
    " from transcript_rewrite_watermarks",
    "session_transcript_cold_archives": "select session_id, generation, last_seq"
    " from session_transcript_cold_archives",
    "session_transcript_archives": "select session_id, generation"
    " from session_transcript_archives order by session_id, generation",
}
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
    What the store says about one conversation, times in milliseconds since the epoch.

    *state* differs whenever the conversation may have changed.
    """

    id: str
    key: str
    chat_type: str = ""
    hook: str = ""
    created_via: str = ""
    spawned_by: str = ""
    started_ms: int = 0
    updated_ms: int = 0
    state: list[object] = field(default_factory=list)
    deleted: bool = False


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
            raise UnsupportedStore(Notice("transcripts.no-store", path=self._path))
        self._check(version)
        return True

    def sessions(self) -> list[StoredSession]:
        """Every conversation, the deleted ones that are archived here included."""
        sessions = {row[0]: _session(row) for row in self._file.rows(_WINDOWS)}
        for session_id, key in self._deleted():
            sessions.setdefault(
                session_id, StoredSession(_text(session_id), _text(key), deleted=True)
            )
        for table in _STATE_QUERIES.keys() & self._tables:
            for session_id, *state in self._file.rows(_STATE_QUERIES[table]):
                if session_id in sessions:
                    sessions[session_id].state.append((table, *state))
        return list(sessions.values())

    def sources(self, session_id: str, folders: Iterable[Path]) -> list[Rows | Stream]:
        """Return where a conversation lies, newest first; cold files lie by *folders*."""
        found: list[Rows | Stream] = [
            Rows(self._file, session_id, self._indexed(session_id))
        ]
        found += self._cold(session_id, list(folders))
        found += self._archived(session_id)
        return found

    def _check(self, version: int) -> None:
        known = ", ".join(map(str, sorted(SUPPORTED_VERSIONS)))
        if version not in SUPPORTED_VERSIONS:
            newer = version > max(SUPPORTED_VERSIONS)
            advice = Notice(
                "transcripts.update-us" if newer else "transcripts.update-openclaw"
            )
            raise UnsupportedStore(
                Notice(
                    "transcripts.schema",
                    path=self._path,
                    version=version,
                    known=known,
                    advice=advice,
                )
            )
        for table in _NEEDED_TABLES:
            if table not in self._tables:
                raise UnsupportedStore(
                    Notice("transcripts.no-table", path=self._path, table=table)
                )

    def _deleted(self) -> list[Row]:
        if "session_transcript_archives" not in self._tables:
            return []
        return self._file.rows(
            "select distinct session_id, session_key from session_transcript_archives"
        )

    def _indexed(self, session_id: str) -> bool:
        # OpenClaw rebuilds its list of what counts in the background.
        if "session_transcript_index_state" in self._tables and self._file.rows(
            "select 1 from session_transcript_index_state"
            " where session_id = ? and needs_rebuild",
            (session_id,),
        ):
            return False
        return bool(
            self._file.rows(
                "select 1 from session_transcript_active_events where session_id = ?"
                " limit 1",
                (session_id,),
            )
        )

    def _cold(self, session_id: str, folders: list[Path]) -> Iterator[Stream]:
        if "session_transcript_cold_archives" not in self._tables:
            return
        for row, storage, name in self._file.rows(
            "select rowid, storage, archive_name from session_transcript_cold_archives"
            " where session_id = ?",
            (session_id,),
        ):
            if storage == b"sqlite":
                table = "session_transcript_cold_archives"
                opener = _BlobOpener(self._file, table, row, packed=True)
                yield Stream(opener, str(self._path))
            else:
                yield Stream.of_file(_cold_file(_text(name), folders))

    def _archived(self, session_id: str) -> Iterator[Stream]:
        if "session_transcript_archives" not in self._tables:
            return
        table = "session_transcript_archives"
        for row, encoding in self._file.rows(
            f"select rowid, encoding from {table} where session_id = ?"  # noqa: S608 - a constant
            " order by created_at desc",
            (session_id,),
        ):
            opener = _BlobOpener(self._file, table, row, packed=encoding == b"zstd")
            yield Stream(opener, str(self._path))


@dataclass(frozen=True, slots=True)
class Rows:
    """The entries of one conversation that lie in the store as rows."""

    _file: SqliteFile
    _session_id: str
    _indexed: bool

    def marked(self) -> Iterator[Marked]:
        """Yield each entry with whether it counts."""
        if not self._indexed:
            yield from mark_path(lambda: (entry for entry, _ in self._rows()))
            return
        for entry, active in self._rows():
            yield entry, active and not entry.side

    def _rows(self) -> Iterator[Marked]:
        try:
            for row in self._file.stream(_EVENTS, self._session_id):
                yield _entry(row), bool(row[4])
        except UnsupportedStore as error:
            # A damaged page may hold one conversation and leave the others whole.
            raise TranscriptUnreadable(str(error)) from None


@dataclass(frozen=True, slots=True)
class _BlobOpener:
    """Opens an archived transcript that lies in the store as one blob."""

    file: SqliteFile
    table: str
    row: int
    packed: bool

    @contextmanager
    def __call__(self) -> Iterator[BinaryIO]:
        with (
            self.file.blob(self.table, "archive_blob", self.row) as blob,
            open_blob(blob, packed=self.packed) as stream,
        ):
            yield stream


def _session(row: Row) -> StoredSession:
    session_id, key, chat_type, hook, created_via, spawned_by = map(_text, row[:6])
    return StoredSession(
        id=session_id,
        key=key,
        chat_type=chat_type,
        hook=hook,
        created_via=created_via,
        spawned_by=spawned_by,
        started_ms=row[6],
        updated_ms=row[7],
        state=[row[8:]],
    )


def _entry(row: Row) -> Entry:
    _, text, frame, size, _ = row
    try:
        if frame is not None:
            text = decompress(frame, min(size or LIMIT_BYTES, LIMIT_BYTES))
        event = decode(text or b"")
    except ValueError:
        return BROKEN
    return parse_entry(event) if isinstance(event, dict) else BROKEN


def _cold_file(name: str, folders: list[Path]) -> Path:
    places = [folder / "cold" / name for folder in folders if "/" not in name]
    for place in places:
        if place.is_file():
            return place
    raise TranscriptUnreadable(
        Notice("transcripts.no-archive", name=name, places=list(map(str, places)))
    )


# SQLite hands out text as bytes, or None.
def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
