"""What the journal knows of entries and lines: whose they are, what they rest on."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound
from strata.history.evidence import entry_id
from strata.history.names import CAPTURED, OF_STATEMENTS, WORDED
from strata.notes.marks import spoken
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.memory import Memory

Entry = tuple[date, str]


class Known:
    """The journal of *memory*, by day and by line."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.records = list(memory.journal.records(*OF_STATEMENTS, *WORDED))
        self._captured = list(memory.journal.records(CAPTURED))
        self._by_day: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
        for record in self._captured:
            for entry in record.get("entries") or ():
                session = str(record.get("session"))
                self._by_day[str(record.get("day"))].append((session, entry))
        self._sources: dict[str, list[Entry]] = {}
        for record in self.records:
            for name in ("line", "left"):
                if record.get(name):
                    self._sources[str(record[name])] = sources_of(record)

    def sessions(self, start: str) -> set[str]:
        """Return the ids of the conversations that begin with *start*."""
        ids = {str(record.get("session")) for record in self._captured}
        try:
            seen = Seen(self._memory.private.workspace, under="")
            known = self._memory.transcripts(seen.kinds).sessions()
            ids |= {session.id for session in known}
        except OpenClawNotFound:
            pass
        return {each for each in ids if each.startswith(start)}

    def labels(self, sessions: Iterable[str]) -> set[str]:
        """Return the labels under which the notes hold *sessions*."""
        wanted = set(sessions)
        known = {
            str(record.get("label")): str(record.get("session"))
            for record in self._captured
        }
        labels = {label for label, session in known.items() if session in wanted}
        # Where the journal is lost, a label is the start of its id.
        return labels | {each[:8] for each in wanted if each[:8] not in known}

    def sources(self, line: str) -> list[Entry]:
        """Return the entries on which a *line* of MEMORY.md, as it stands, rests."""
        return self._sources.get(line, [])

    def evidence(
        self, day: date, entries: Iterable[str]
    ) -> list[tuple[str, str, str, str]]:
        """Return id, session, message and moment of those *entries* of *day* it knows."""
        wanted = list(entries)
        found = []
        for session, entry in self._by_day.get(day.isoformat(), ()):
            cited = entry.get("evidence") or [{}]
            message = str(cited[0].get("message", ""))
            if entry.get("id") in {entry_id(session, message, e) for e in wanted}:
                moment = self._local(str(cited[0].get("said_at", "")))
                found.append((str(entry["id"]), session, message, moment))
        return found

    def _local(self, said_at: str) -> str:
        try:
            moment = datetime.fromisoformat(said_at)
        except ValueError:
            return ""
        return moment.astimezone(self._memory.timezone).isoformat()[:16]


def sources_of(record: dict[str, Any]) -> list[Entry]:
    """Return the entries that *record* names as sources, by their days."""
    found = []
    for each in record.get("sources") or ():
        try:
            day = date.fromisoformat(str(each["day"]))
            found.append((day, spoken(str(each["entry"]))))
        except (KeyError, TypeError, ValueError):
            continue
    return found
