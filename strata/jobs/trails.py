"""The trail of a statement: its week, its day, the conversation, and the words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Literal

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.history.evidence import digest_of, evidence_of, is_entry
from strata.history.names import CAPTURED
from strata.history.summaries import read_summaries
from strata.notes.daily import heading_above
from strata.notes.headings import day_of, session_of
from strata.notes.markdown import heading, is_item, lines_of, unbulleted
from strata.notes.marks import folded, source_days, unmarked
from strata.notes.weekly import days_in, weekly_path
from strata.workspace.journal import name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from strata.history.summaries import Summaries
    from strata.memory import Memory
    from strata.models import Message, Session
    from strata.transcripts.openclaw import Transcripts


State = Literal["ok", "changed", "missing", "gone", "unreadable"]

_LONGEST_QUOTE = 600
_MOST_SENTENCES = 80
_QUOTATION_MARK = re.compile(r"[\"“「『<]")


@dataclass(frozen=True, slots=True)
class Words:
    """
    What somebody said in message *message*, as the transcript has it now.

    *state* is ``ok`` where the words have the SHA-256 that the journal holds, ``changed``
    where they have not, ``missing`` where the conversation no longer has that message,
    ``gone`` where there is no such conversation, ``unreadable`` where it cannot be read.
    """

    message: str
    said_at: datetime | None
    origin: str
    text: str
    sha256: str
    state: State


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from: an *entry* of the note of *day*, as far as known."""

    day: date
    entry: str
    path: str = ""
    label: str = ""
    entry_id: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a memory file; *line* 0 where it is not there any more."""

    path: str
    line: int = 0
    text: str = ""


@dataclass(slots=True)
class Trail:
    """
    What is left of one source, from its week down to the words.

    *weekly* is None where its day has no summary yet, or where the trail starts below.
    *spoken* is the moment at which the owner said it to Strata itself; *by_hand* is set
    where somebody wrote it into the note, so that there is no conversation behind it.
    *model* and *prompt* are who worded the entry; both are empty where none did.
    """

    source: Source
    weekly: Place | None = None
    daily: Place | None = None
    session: str = ""
    session_key: str = ""
    block: str = ""
    spoken: str = ""
    by_hand: bool = False
    model: str = ""
    prompt: str = ""
    words: list[Words] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


class Trails:
    """Follows sources through the notes, the journal and the transcripts."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        # Each conversation is read once.
        self._texts: dict[tuple[str, int, int], dict[str, str]] = {}
        self._captured: dict[date, list[dict[str, Any]]] = {}

    @cached_property
    def _summaries(self) -> Summaries:
        return read_summaries(self._memory.journal)

    @cached_property
    def _told(self) -> dict[tuple[str | None, str], dict[str, Any]]:
        return {
            (source.get("day"), folded(str(source.get("entry", "")))): record
            for record in self._memory.journal.records("remembered", "edited")
            for source in record.get("sources") or ()
        }

    def follow_all(self, sources: Sequence[Source]) -> list[Trail]:
        """Return the trail of each of *sources*; the journal is read once for all."""
        if days := {source.day for source in sources}:
            self._take_in(days)
        return [self.follow(source) for source in sources]

    def follow(self, source: Source, *, weekly: bool = True) -> Trail:
        """Return the trail of *source*, with its *weekly* line or from the day on."""
        trail = Trail(source)
        if weekly:
            trail.weekly = self._weekly(source)
        trail.daily = self._daily(source)
        if trail.daily is None:
            trail.broken.append("note-gone")
        elif not trail.daily.line:
            trail.broken.append("entry-gone")
        self._conversation(trail)
        return trail

    def _weekly(self, source: Source) -> Place | None:
        path = weekly_path(source.day)
        if source.day not in days_in(self._memory.workspace.read(path)):
            return None
        # A model may have put it in other words, alone or together with others.
        worded = self._summaries.of(source.day).get(source.entry, source.entry)
        day, places = None, []
        for place in lines_in(self._memory, path):
            if heading(place.text):
                day = day_of(place.text)
            # A line over several days stands at one of them.
            elif source.day in {day, *source_days(place.text)} and place.text.strip():
                places.append(place)
        found = _saying(places, worded) or _meaning(places, source.entry)
        return found or Place(path)

    def _daily(self, source: Source) -> Place | None:
        layout, locate = self._memory.workspace.layout, self._memory.workspace.locate
        paths = (layout.daily(source.day), layout.archived(source.day), source.path)
        # What was said late has a note of its own until it joins the archived one.
        notes = [
            each for each in dict.fromkeys(paths) if each and locate(each).is_file()
        ]
        places = [place for path in notes for place in lines_in(self._memory, path)]
        found = _saying(places, source.entry)
        if not found and not source.path:
            # No journal has its wording.
            items = (place for place in places if is_item(place.text))
            found = _meaning(items, source.entry)
        return found or (Place(notes[0]) if notes else None)

    def _conversation(self, trail: Trail) -> None:
        told = self._told.get(
            (trail.source.day.isoformat(), folded(trail.source.entry))
        )
        if told:
            trail.spoken = str(told.get("at", ""))
            return
        found = self._record(trail)
        if found is None:
            ours = not trail.daily or session_of(f"## {trail.block}")
            trail.by_hand = bool(trail.daily and trail.daily.line and not ours)
            trail.broken += [] if trail.by_hand else ["unknown-words"]
            return
        record, entry = found
        trail.session = str(record["session"])
        trail.session_key = str(record.get("session_key", ""))
        trail.model = str(entry.get("model", ""))
        trail.prompt = str(entry.get("prompt", ""))
        trail.words = self.words(record, entry)
        trail.broken += sorted({each.state for each in trail.words} - {"ok"})

    def _record(self, trail: Trail) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Return the journal's record of the entry, the latest where there are several."""
        source = trail.source
        label, texts = source.label, {source.entry}
        if trail.daily and trail.daily.line:
            text = self._memory.workspace.read(trail.daily.path)
            trail.block, above = heading_above(text, trail.daily.line)
            label = above.label if above else label
            texts.add(unbulleted(trail.daily.text) or source.entry)
        if source.day not in self._captured:
            self._take_in({source.day})
        for record in reversed(self._captured[source.day]):
            if label and record.get("label") != label:
                continue
            for each in record.get("entries", ()):
                if source.entry_id:
                    found = each.get("id") == source.entry_id
                else:
                    found = any(is_entry(record, each, text) for text in texts)
                if found:
                    return record, each
        return None

    def _take_in(self, days: AbstractSet[date]) -> None:
        """Read what was captured on *days*; of years of talk that is next to nothing."""
        named = {day.isoformat(): day for day in days}
        self._captured |= {day: [] for day in days}
        for record in self._memory.journal.naming(set(named), CAPTURED):
            self._captured[named[name_of(record)]].append(record)

    def words(self, captured: dict[str, Any], entry: dict[str, Any]) -> list[Words]:
        """Return the words that *entry* of the journal's record *captured* rests on."""
        cited, texts = evidence_of(entry), dict[str, str]()
        missing: State = "gone"
        try:
            session = self._transcripts.session(str(captured["session"]))
            if session:
                first, last = int(captured["first"]), int(captured["last"])
                texts, missing = self._read(session, first, last), "missing"
                if not all(str(each["message"]) in texts for each in cited):
                    # After a rewind, the same message may stand at another place.
                    texts = self._read(session, 1, 10**9)
        except (OpenClawNotFound, UnsupportedStore, TranscriptUnreadable):
            texts, missing = {}, "unreadable"
        return [_checked(each, texts, missing) for each in cited]

    @cached_property
    def _transcripts(self) -> Transcripts:
        return self._memory.transcripts()

    def _read(self, session: Session, first: int, last: int) -> dict[str, str]:
        key = (session.id, first, last)
        if key not in self._texts:
            messages: Iterable[Message] = self._transcripts.read(
                session, wanted=lambda number: first <= number <= last
            )
            self._texts[key] = {message.id: message.text for message in messages}
        return self._texts[key]


def said(line: str) -> str:
    """Return what a line of any tier says, without bullet, source and comments."""
    return unmarked(unbulleted(line)).strip()


def lines_in(memory: Memory, path: str) -> Iterator[Place]:
    """Yield every line of the note *path*."""
    for number, line in enumerate(lines_of(memory.workspace.read(path)), 1):
        yield Place(path, number, line)


def _saying(places: Iterable[Place], entry: str) -> Place | None:
    wanted = folded(said(entry))
    return next((each for each in places if folded(said(each.text)) == wanted), None)


def _meaning(places: Iterable[Place], entry: str) -> Place | None:
    """Return the first of *places* that says *entry* in whatever words."""
    from strata.statements.relations import (  # noqa: PLC0415 - dictionaries
        Relation,
        relation,
    )

    entry = said(entry)
    same = (
        each for each in places if relation(said(each.text), entry) is Relation.SAME
    )
    return next(same, None)


def _checked(cited: dict[str, Any], texts: dict[str, str], missing: State) -> Words:
    message, sha256 = str(cited["message"]), str(cited.get("sha256", ""))
    said_at, origin = _moment(cited.get("said_at")), str(cited.get("origin", ""))
    if message not in texts:
        return Words(message, said_at, origin, "", sha256, missing)
    text = texts[message]
    for quote in _quotable(text):
        if digest_of(quote) == sha256:
            return Words(message, said_at, origin, quote, sha256, "ok")
    return Words(message, said_at, origin, text[:_LONGEST_QUOTE], sha256, "changed")


def _quotable(text: str) -> Iterator[str]:
    """Yield the stretches of *text* that evidence may quote: whole sentences in a row."""
    from strata.language.sentences import split_sentences  # noqa: PLC0415 - patterns

    yield text[:_LONGEST_QUOTE]
    for first, last in combinations_with_replacement(
        split_sentences(text)[:_MOST_SENTENCES], 2
    ):
        stretch = text[first.start : last.end]
        yield stretch[:_LONGEST_QUOTE]
        yield _QUOTATION_MARK.split(stretch, maxsplit=1)[0]


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return None
