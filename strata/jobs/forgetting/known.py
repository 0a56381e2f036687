"""What the journal and the transcripts know: whose a line is, what it rests on."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.history.evidence import evidence_of, is_entry
from strata.history.names import CAPTURED, OF_STATEMENTS, WORDED
from strata.notes.marks import spoken
from strata.notes.sayings import contains, words_of
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.jobs.forgetting.target import Chosen, Target
    from strata.memory import Memory
    from strata.models import Session
    from strata.transcripts.openclaw import Transcripts

Entry = tuple[date, str]


class Known:
    """The journal of *memory*, by day and by line."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.records = list(memory.journal.records(*OF_STATEMENTS, *WORDED))
        self._captured = list(memory.journal.records(CAPTURED))
        self._by_day: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for record in self._captured:
            self._by_day[str(record.get("day"))].append(record)
        self._sources = {
            str(record[name]): sources_of(record)
            for record in self.records
            for name in ("line", "left")
            if record.get(name)
        }

    def sessions(self, start: str) -> set[str]:
        """Return the ids of the conversations that begin with *start*."""
        ids = {str(record.get("session")) for record in self._captured}
        with suppress(OpenClawNotFound):
            ids |= {session.id for session in _transcripts(self._memory).sessions()}
        return {each for each in ids if each.startswith(start)}

    def labels(self, sessions: Iterable[str]) -> set[str]:
        """Return the labels under which the notes hold *sessions*."""
        known = {str(r.get("label")): str(r.get("session")) for r in self._captured}
        labels = {label for label, session in known.items() if session in sessions}
        # Where the journal is lost, a label is the start of its id.
        return labels | {each[:8] for each in sessions if each[:8] not in known}

    def sources(self, line: str) -> list[Entry]:
        """Return the entries on which a *line* of MEMORY.md, as it stands, rests."""
        return self._sources.get(line, [])

    def evidence(
        self, day: date, entries: Iterable[str]
    ) -> Iterator[tuple[str, str, str, str]]:
        """Yield id, session, message and moment of those *entries* of *day* it knows."""
        wanted = list(entries)
        for record in self._by_day.get(day.isoformat(), ()):
            for told in record.get("entries") or ():
                if any(is_entry(record, told, entry) for entry in wanted):
                    cited = (evidence_of(told) or [{}])[0]
                    moment = self._local(str(cited.get("said_at", "")))
                    message = str(cited.get("message", ""))
                    yield str(told["id"]), str(record.get("session")), message, moment

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


@dataclass(frozen=True, slots=True)
class Remaining:
    """A conversation that OpenClaw keeps, and in how many messages it says it."""

    session: str
    key: str
    messages: int


def remaining(
    memory: Memory, target: Target, every: Sequence[Chosen]
) -> list[Remaining]:
    """Return the conversations in which *target*, or what *every* rests on, was said."""
    evidence = {pair for each in every for pair in each.evidence}
    whole = {session for each in every for session in each.sessions}
    try:
        transcripts = _transcripts(memory)
        sessions = transcripts.sessions()
    except (OpenClawNotFound, UnsupportedStore):
        return []
    found = []
    for session in sessions:
        messages = {message for name, message in evidence if name == session.id}
        with suppress(TranscriptUnreadable):
            messages |= set(_saying(transcripts, session, target, whole))
        if messages:
            found.append(Remaining(session.id, session.key, len(messages)))
    return found


def _saying(
    transcripts: Transcripts, session: Session, target: Target, whole: set[str]
) -> Iterator[str]:
    goes = session.id in whole
    if target.session and not goes:
        return
    since, until = target.since, target.until
    if (
        since
        and until
        and not (session.started_at < until and since <= session.updated_at)
    ):
        return
    for message in transcripts.read(session):
        if since and until:
            goes = since <= message.time < until
        if goes or (target.words and contains(words_of(message.text), target.words)):
            yield message.id


def _transcripts(memory: Memory) -> Transcripts:
    return memory.transcripts(Seen(memory.private.workspace, under="").kinds)
