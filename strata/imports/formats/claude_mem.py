"""
What the plugin claude-mem keeps in `~/.claude-mem/claude-mem.db`, an SQLite file.

The schema is that of its migrations 4 to 35, the latest in 2026; tables and columns that
are not there, or that a later one adds, make no difference. Its prompts are the person's
own words; observations, summaries and directives are what it made of the work, or was
given to show at each start.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from strata.errors import Busy, SourceUnreadable, UnsupportedStore
from strata.imports.databases import apart
from strata.imports.moments import in_order, moment
from strata.imports.talks import Derived, Skipped, Talk, Utterance
from strata.transcripts.sqlite_file import SqliteFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.imports.bundles import Bundle
    from strata.imports.talks import Read

# Any: columns of SQLite hold whatever was stored.
Row = dict[str, Any]

_MAGIC = b"SQLite format 3\0"
_TABLE = b"sdk_sessions"
_SUFFIXES = ("*.db", "*.sqlite", "*.sqlite3")
_MOST_FILES = 20
# The id of a session of the program that is helped, by its name today and those before.
_SESSION = ("content_session_id", "claude_session_id", "sdk_session_id")
# What claude-mem's own model was told is in this project.
_OBSERVER = "observer-sessions"
_TASK = re.compile(r"\s*<task-notification\b.*</task-notification>\s*", re.DOTALL)
_SUMMARY = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_MOMENT = ("created_at_epoch", "created_at", "started_at_epoch", "started_at")
_ERRORS = (Busy, UnsupportedStore, SourceUnreadable)


class ClaudeMem:
    """The database of claude-mem."""

    name = "claude-mem"

    def recognises(self, source: Bundle) -> bool:
        """Say whether a file of SQLite has the tables of claude-mem."""
        return any(_is_known(source, name) for name in _files(source))

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield the prompts of each session, then all else line by line."""
        for name in _files(source):
            try:
                store = _Store.of(source, name)
                if store.is_known:
                    yield from _talks(store)
                    yield from _derived(store)
                else:
                    yield Skipped(name, "unknown-shape")
            except _ERRORS:
                yield Skipped(name, "store-unread")


@dataclass(frozen=True, slots=True)
class _Store:
    """A database, with the names of the columns that its tables have."""

    file: SqliteFile
    columns: dict[str, list[str]]

    @classmethod
    def of(cls, source: Bundle, name: str) -> _Store:
        file = SqliteFile(apart(source, name))
        named = file.rows(
            "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c"
            " where m.type = 'table' order by m.name, c.cid"
        )
        columns: dict[str, list[str]] = {}
        for table, column in named:
            columns.setdefault(_plain(table), []).append(_plain(column))
        return cls(file, columns)

    @property
    def is_known(self) -> bool:
        told = (
            self.columns.get("user_prompts", ()),
            self.columns.get("observations", ()),
        )
        return "sdk_sessions" in self.columns and any("id" in each for each in told)

    def rows(self, table: str) -> Iterator[Row]:
        """Yield all rows of *table*, if it is there, in the order of their ids."""
        names = self.columns.get(table, [])
        if "id" in names:
            chosen = f"select id as row, * from {table}"  # noqa: S608 - a name of ours
            query = f"{chosen} where ?1 = ?1 and id > ?2 order by id"
            for row in self.file.stream(query, ""):
                yield dict(zip(names, map(_plain, row[1:]), strict=True))

    def prompts(self, session: str) -> list[Row]:
        """Return the rows of what was asked in *session*, in order."""
        names = self.columns.get("user_prompts", [])
        column = _known(_SESSION, names)
        if not column:
            return []
        found = self.file.rows(
            f"select * from user_prompts where {column} = ? order by id",  # noqa: S608 - one of ours
            (session,),
        )
        return [dict(zip(names, map(_plain, row), strict=True)) for row in found]

    def strays(self) -> list[str]:
        """Return the ids of sessions with prompts of which nothing else is known."""
        prompts = _known(_SESSION, self.columns.get("user_prompts", []))
        sessions = _known(_SESSION, self.columns["sdk_sessions"])
        if not (prompts and sessions):
            return []
        found = self.file.rows(
            f"select {prompts} from user_prompts where {prompts} not in"  # noqa: S608 - ours
            f" (select {sessions} from sdk_sessions where {sessions} is not null)"
            " group by 1 order by min(id)"
        )
        return [_plain(session) for (session,) in found]


def _talks(store: _Store) -> Iterator[Read]:
    for session in store.rows("sdk_sessions"):
        own = _text(session, *_SESSION)
        yield _talk(own or f"session-{session['id']}", session, store.prompts(own))
    for own in store.strays():
        yield _talk(own, {}, store.prompts(own))


def _talk(own: str, session: Row, prompts: list[Row]) -> Read:
    project = _text(session, "project")
    if project == _OBSERVER:
        return Skipped(own, "tools-own")
    # Before there was a table of them, the first prompt was all that was kept.
    first = {**session, "prompt_text": session.get("user_prompt")}
    told = (
        (_time(each), text)
        for each in prompts or [first]
        if (text := _TASK.sub("", _text(each, "prompt_text")).strip())
    )
    said = tuple(
        Utterance("user", text, at) for at, text in in_order(told, _moment_of(session))
    )
    title = _text(session, "custom_title")
    return Talk(own, title, said, project) if said else Skipped(own, "empty")


def _derived(store: _Store) -> Iterator[Derived]:
    for row in store.rows("observations"):
        yield from _lines(row, _observed(row), "memory")
    for row in store.rows("session_summaries"):
        yield from _lines(row, [_text(row, each) for each in _SUMMARY], "summary")
    for row in store.rows("directives"):
        if row.get("status", "active") == "active":
            yield from _lines(row, [_text(row, "content")], "instructions")


def _observed(row: Row) -> list[str]:
    """Return the facts of an observation, or where it has none all that it says."""
    facts: Any = None
    with suppress(orjson.JSONDecodeError):
        facts = orjson.loads(_text(row, "facts") or "null")
    if isinstance(facts, list) and facts:
        return [each for each in facts if isinstance(each, str)]
    said = _text(row, "title"), _text(row, "narrative", "text", "subtitle")
    return [": ".join(filter(None, said))]


def _lines(row: Row, texts: list[str], kind: str) -> Iterator[Derived]:
    # Each machine counts its rows from 1; the ids of sessions are unlike everywhere.
    session = _text(row, "memory_session_id", "sdk_session_id", "source") or kind
    for number, text in enumerate(texts):
        if text.strip():
            own = f"{session}/{kind}-{row['id']}-{number}"
            yield Derived(own, text.strip(), _moment_of(row), kind)


def _is_known(source: Bundle, name: str) -> bool:
    # A schema stands at the head of the file, even of one that is damaged below.
    if _TABLE in source.head(name):
        return True
    with suppress(*_ERRORS):
        return _Store.of(source, name).is_known
    return False


def _files(source: Bundle) -> list[str]:
    """Return the names of files of SQLite, the one that has its usual name first."""
    names = [name for each in _SUFFIXES for name in source.names(each)]
    names.sort(key=lambda name: (not name.endswith("claude-mem.db"), name))
    found = []
    for name in names[:_MOST_FILES]:
        with suppress(SourceUnreadable):
            if source.head(name).startswith(_MAGIC):
                found.append(name)
    return found


def _moment_of(row: Row) -> datetime | None:
    return moment(_time(row))


def _time(row: Row) -> object:
    return next((row[each] for each in _MOMENT if row.get(each)), None)


def _known(names: tuple[str, ...], columns: list[str]) -> str:
    return next((each for each in names if each in columns), "")


def _text(row: Row, *names: str) -> str:
    found = (row.get(each) for each in names)
    return next((each for each in found if isinstance(each, str) and each.strip()), "")


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


FORMAT = ClaudeMem()
