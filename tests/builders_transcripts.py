"""Transcripts of every shape that OpenClaw leaves on disk: files, archives, databases."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import weakref
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import zstandard

from strata.transcripts.jsonl import read_placed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from strata.transcripts.entries import Entry

SHARED = Path(__file__).parents[2] / "shared"
START = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
MAIN = "agent:main:main"
GREETED = "hello there", "how can I help?"

SCHEMA = """
create table schema_meta (meta_key text primary key, schema_version integer) strict;
create table session_nodes (
  session_key text not null primary key, current_session_id text not null,
  entry_json text not null, updated_at integer not null, created_via text,
  spawned_by text) strict;
create table session_windows (
  session_id text not null primary key, session_key text not null,
  session_scope text not null default 'conversation', created_at integer not null,
  updated_at integer not null, transcript_updated_at integer, started_at integer,
  hook_external_content_source text, chat_type text, spawned_by text) strict;
create table transcript_events (
  session_id text not null, seq integer not null, event_json text,
  created_at integer not null, event_zstd blob, event_utf8_bytes integer,
  navigation_json text, primary key (session_id, seq)) strict;
create table session_transcript_active_events (
  session_id text not null, active_position integer not null, event_seq integer not null,
  message_position integer, primary key (session_id, active_position)) strict;
create unique index active_seq on session_transcript_active_events
  (session_id, event_seq);
create table session_transcript_index_state (
  session_id text not null primary key, indexed_seq integer not null, leaf_event_id text,
  needs_rebuild integer not null default 0,
  active_event_count integer not null default 0, updated_at integer not null) strict;
create table transcript_rewrite_watermarks (
  session_id text not null primary key, generation text not null,
  updated_at integer not null) strict;
create table session_transcript_archives (
  session_id text not null, generation text not null, session_key text not null,
  reason text not null, encoding text not null, archive_blob blob not null,
  archive_sha256 text not null, archive_name text not null unique,
  created_at integer not null, primary key (session_id, generation)) strict;
create table session_transcript_cold_archives (
  session_id text not null primary key, generation text not null,
  archive_name text not null unique, last_seq integer not null,
  archived_at integer not null, storage text not null, archive_blob blob) strict;
pragma user_version = 23;
"""


@dataclass
class Script:
    """
    The lines of one transcript, each a minute after the one before.
    """

    id: str = "61871d67-1111-4222-8333-444444444444"
    at: datetime = START
    last: str | None = None
    lines: list[str] = field(default_factory=list)

    def header(self) -> Script:
        """
        The line that every file begins with.
        """
        head = {"type": "session", "version": 3, "id": self.id, "timestamp": self.now()}
        return self.raw(json.dumps(head))

    def user(self, text: object, **message: object) -> Script:
        """
        A prompt; *message* adds to it or replaces.
        """
        return self.said({"role": "user", "content": text, **message})

    def agent(
        self, text: str = "", *calls: dict[str, Any], **message: object
    ) -> Script:
        """
        A reply with text, tool calls, or both.
        """
        parts = [{"type": "text", "text": text}] if text else []
        content = [*parts, *calls]
        return self.said({"role": "assistant", "content": content, **message})

    def result(
        self, name: str = "exec", call_id: str = "c1", **message: object
    ) -> Script:
        """
        What a tool gave back.
        """
        content = [{"type": "text", "text": "tool output"}]
        told = {"role": "toolResult", "toolName": name, "toolCallId": call_id}
        return self.said({**told, "content": content, "isError": False, **message})

    def said(self, message: dict[str, Any], **entry: object) -> Script:
        """
        An entry of type message.
        """
        return self.entry("message", message=message, **entry)

    def entry(self, kind: str, **fields: object) -> Script:
        """
        An entry that follows the last one, unless *fields* say otherwise.
        """
        self.at += timedelta(minutes=1)
        entry_id = hashlib.sha256(
            f"{self.id}{self.at}{len(self.lines)}".encode()
        ).hexdigest()[:8]
        place = {"id": entry_id, "parentId": self.last, "timestamp": self.now()}
        whole: dict[str, object] = {"type": kind, **place, **fields}
        self.last = str(whole["id"]) if "id" in whole else self.last
        return self.raw(json.dumps(whole, ensure_ascii=False))

    def raw(self, line: str) -> Script:
        """
        A line as it is.
        """
        self.lines.append(line)
        return self

    def rewind(self, to: str | None) -> Script:
        """
        What comes next follows the entry *to*.
        """
        self.last = to
        return self

    def now(self) -> str:
        """
        The time of the last line, as OpenClaw writes it.
        """
        return self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def content(self) -> bytes:
        """
        The file.
        """
        return "".join(line + "\n" for line in self.lines).encode()

    def cold(self) -> bytes:
        """
        The file as OpenClaw's cold storage keeps it.
        """
        records: list[dict[str, Any]] = [{"kind": "header", "version": 1}]
        for seq, line in enumerate(self.lines):
            row = {"seq": seq, "event_json": line, "created_at": 0}
            records.append({"kind": "event", "row": row})
        records.append({"kind": "index", "row": {"indexed_seq": len(self.lines)}})
        return "".join(json.dumps(record) + "\n" for record in records).encode()


def call(name: str, call_id: str = "c1", **arguments: object) -> dict[str, Any]:
    """
    A tool call in a reply.
    """
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}


def sessions_folder(state: Path) -> Path:
    """
    Where the files of agent main lie, made if need be.
    """
    folder = state / "agents" / "main" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_file(state: Path, script: Script, ending: str = "") -> Path:
    """
    Put a transcript where OpenClaw would; *ending* follows ``.jsonl``.
    """
    path = sessions_folder(state) / f"{script.id}.jsonl{ending}"
    path.write_bytes(
        pack(script.content()) if ending.endswith(".zst") else script.content()
    )
    return path


def write_index(state: Path, **entries: dict[str, Any]) -> None:
    """
    Write ``sessions.json``; in the keys, double underscores stand for colons.
    """
    index = {key.replace("__", ":"): entry for key, entry in entries.items()}
    (sessions_folder(state) / "sessions.json").write_text(json.dumps(index))


def pack(plain: bytes) -> bytes:
    """
    Compress as OpenClaw does: one zstd frame that tells its size.
    """
    return zstandard.ZstdCompressor().compress(plain)


class Store:
    """
    An ``openclaw-agent.sqlite`` of agent main below *state*.
    """

    def __init__(self, state: Path) -> None:
        self.path = state / "agents" / "main" / "agent" / "openclaw-agent.sqlite"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(self.path)
        # Python 3.13 warns of a connection that goes away unclosed.
        weakref.finalize(self, self.db.close)
        self.db.executescript("pragma synchronous = off;" + SCHEMA)

    def add(
        self,
        script: Script,
        key: str = MAIN,
        *,
        packed: bool = False,
        dead: frozenset[int] = frozenset(),
        created_via: str = "run",
        **window: object,
    ) -> None:
        """
        Store a conversation; rows in *dead* are not on the active branch.
        """
        moment = int(START.timestamp() * 1000)
        columns = {
            "session_id": script.id,
            "session_key": key,
            "created_at": moment,
            "updated_at": int(script.at.timestamp() * 1000),
            **window,
        }
        self._insert("session_windows", **columns)
        self.db.execute(
            "insert or ignore into session_nodes values (?, ?, '{}', ?, ?, null)",
            (key, script.id, moment, created_via),
        )
        self.extend(script, 0, packed=packed, dead=dead)

    def extend(
        self,
        script: Script,
        start: int,
        *,
        packed: bool = False,
        dead: frozenset[int] = frozenset(),
    ) -> None:
        """
        Store the lines of *script* from *start* on.
        """
        for seq, line in enumerate(script.lines[start:], start):
            self._event(script.id, seq, line, packed=packed)
            if seq not in dead:
                self._insert(
                    "session_transcript_active_events",
                    session_id=script.id,
                    active_position=seq,
                    event_seq=seq,
                )
        self.db.execute(
            "insert or replace into session_transcript_index_state"
            " values (?, ?, ?, 0, ?, ?)",
            (script.id, len(script.lines) - 1, script.last, len(script.lines), start),
        )
        self.db.commit()

    def archive(self, script: Script, key: str, *, packed: bool) -> None:
        """
        Store a deleted conversation.
        """
        plain = script.content()
        self._insert(
            "session_transcript_archives",
            session_id=script.id,
            generation="g1",
            session_key=key,
            reason="deleted",
            encoding="zstd" if packed else "identity",
            archive_blob=pack(plain) if packed else plain,
            archive_sha256="0" * 64,
            archive_name=f"{script.id}.jsonl.deleted.x.zst",
            created_at=1,
        )
        self.db.commit()

    def freeze(self, script: Script, *, file: bool) -> bytes:
        """
        Move the rows of a conversation to cold storage; return the archive.
        """
        archive = pack(script.cold())
        self.db.execute("delete from transcript_events")
        self.db.execute("delete from session_transcript_active_events")
        self._insert(
            "session_transcript_cold_archives",
            session_id=script.id,
            generation="g1",
            archive_name="a" * 64 + ".jsonl.zst",
            last_seq=len(script.lines) - 1,
            archived_at=1,
            storage="file" if file else "sqlite",
            archive_blob=None if file else archive,
        )
        self.db.commit()
        return archive

    def _event(self, session_id: str, seq: int, line: str, *, packed: bool) -> None:
        plain = line.encode()
        self._insert(
            "transcript_events",
            session_id=session_id,
            seq=seq,
            created_at=seq,
            event_json=None if packed else line,
            event_zstd=pack(plain) if packed else None,
            event_utf8_bytes=len(plain) if packed else None,
        )

    def _insert(self, table: str, **columns: object) -> None:
        names, marks = ", ".join(columns), ", ".join("?" * len(columns))
        self.db.execute(
            f"insert into {table} ({names}) values ({marks})",  # noqa: S608 - our own names
            tuple(columns.values()),
        )


def read_entries(stream: BinaryIO) -> Iterator[Entry]:
    """Yield the entries of a transcript, without their places."""
    return (entry for _, entry in read_placed(stream, 0))
