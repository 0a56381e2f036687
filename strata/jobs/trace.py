"""trace: from a line of memory back to the words that justify it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from strata.errors import NotFound, UsageError
from strata.history.ledger import ID_LENGTH, statement_id
from strata.history.names import MORE_THAN_REJECTED, OF_STATEMENTS
from strata.history.succession import Succession, succession
from strata.jobs.query import take_in_shared
from strata.jobs.trails import Place, Source, Trails, lines_in, said
from strata.messages import Notice
from strata.notes.headings import day_of
from strata.notes.markdown import heading, unbulleted
from strata.notes.marks import folded, source_days
from strata.search.answering.citations import get
from strata.workspace.layout import LONG_TERM, day_of_name
from strata.workspace.shared_pages import is_copy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.jobs.trails import Trail
    from strata.memory import Memory

    Records = Sequence[dict[str, Any]]

_CITED = re.compile(r".+\.md(?::\d+|#L\d+).*")
_ID = re.compile(r"[0-9a-f]{4,12}")
_END = 8


@dataclass(slots=True)
class Trace:
    """
    A statement, where it stands, what became of it, and the trails of its sources.

    *succession* has what it took the place of, and what took its own. *is_shared* is set
    of a line that another agent shares, whose trail is that agent's.
    """

    text: str
    place: Place | None
    history: list[dict[str, Any]] = field(default_factory=list)
    trails: list[Trail] = field(default_factory=list)
    succession: Succession = field(default_factory=Succession)
    is_shared: bool = False

    @property
    def is_intact(self) -> bool:
        """Whether every trail leads to words that are what they were."""
        return bool(self.trails) and not any(trail.broken for trail in self.trails)


def trace(memory: Memory, what: str) -> Trace:
    """
    Follow *what* back: ``MEMORY.md:12``, a piece of a line, or an id of the journal.

    Raise `NotFound` where no line of memory and no record says it.
    """
    wanted = what.strip()
    if not wanted:
        raise UsageError(Notice("trace.what"))
    take_in_shared(memory)
    records = list(memory.journal.records(*MORE_THAN_REJECTED))
    found = _found(memory, wanted, records, Trails(memory))
    ids = {str(record["id"]) for record in found.history}
    found.succession = succession(memory.journal, ids)
    return found


def _found(memory: Memory, wanted: str, records: Records, trails: Trails) -> Trace:
    if _CITED.fullmatch(wanted):
        return _of_place(memory, _cited(memory, wanted), records, trails)
    found = _by_id(memory, wanted) if _ID.fullmatch(wanted) else None
    if found:
        return _of_record(memory, found, records, trails)
    place = _by_text(memory, wanted)
    if place:
        return _of_place(memory, place, records, trails)
    told = _by_words(memory, wanted)
    if told:
        return _of_record(memory, told, records, trails)
    raise NotFound(Notice("trace.no-line", wanted=wanted))


def _cited(memory: Memory, citation: str) -> Place:
    passage = get(memory.workspace.root, citation, 1)
    if not said(passage.text) or heading(passage.text):
        raise NotFound(Notice("trace.no-statement", citation=citation))
    return Place(passage.path, passage.start_line, passage.text)


def _of_place(memory: Memory, place: Place, records: Records, trails: Trails) -> Trace:
    text = said(place.text)
    day = day_of_name(place.path.rpartition("/")[2])
    if place.path != LONG_TERM and day:
        weekly = place.path.startswith("memory/weekly/")
        day = _section_day(memory, place) or day if weekly else day
        source = Source(day, unbulleted(text), "" if weekly else place.path)
        found = [trails.follow(source, weekly=weekly)]
    else:
        wrote = (each for each in reversed(records) if each.get("line") == place.text)
        record = next(wrote, {})
        days = [Source(each, text) for each in source_days(place.text)]
        found = trails.follow_all(list(_sources(record)) or days)
        text = str(record.get("text") or text)
    history = _history(memory, records, {place.text}, text)
    shared = not found and is_copy(place.path, memory.workspace.read(place.path))
    return Trace(text, place, history, found, is_shared=shared)


def _of_record(
    memory: Memory, record: dict[str, Any], records: Records, trails: Trails
) -> Trace:
    same = list(memory.journal.naming({str(record["id"])}, *OF_STATEMENTS))
    lines = {str(each["line"]) for each in same if each.get("line")}
    for place in lines_in(memory, LONG_TERM):
        if place.text in lines:
            return _of_place(memory, place, records, trails)
    text = str(record.get("text", ""))
    latest = next((each for each in reversed(same) if each.get("sources")), record)
    found = trails.follow_all(list(_sources(latest)))
    history = _history(memory, records, lines, text, str(record["id"]))
    return Trace(text, None, history, found)


def _by_id(memory: Memory, start: str) -> dict[str, Any] | None:
    journal = memory.journal
    named = (
        journal.naming({start}, *OF_STATEMENTS)
        if len(start) == ID_LENGTH
        else journal.records(
            *OF_STATEMENTS, suits=re.compile(rb'"id": ?"%s' % start.encode()).search
        )
    )
    names = ((str(record.get("id", "")), record) for record in named)
    found = {name: record for name, record in names if name.startswith(start)}
    if len(found) > 1:
        raise UsageError(Notice("trace.several", start=start, count=len(found)))
    return next(iter(found.values()), None)


def _by_text(memory: Memory, wanted: str) -> Place | None:
    """Return the line that says *wanted*: of MEMORY.md, else a weekly one, else a daily."""
    key = folded(said(wanted))
    weeks = (
        week.name for week in memory.workspace.locate("memory/weekly").glob("*.md")
    )
    notes = sorted(memory.workspace.layout.daily_notes(), reverse=True)
    paths = [LONG_TERM]
    paths += [f"memory/weekly/{week}" for week in sorted(weeks, reverse=True)]
    for path in (*paths, *(path for _, path in notes)):
        for place in lines_in(memory, path):
            framed = heading(place.text) or place.text.startswith(">")
            if key in folded(said(place.text)) and not framed:
                return place
    return None


def _by_words(memory: Memory, wanted: str) -> dict[str, Any] | None:
    key, found = folded(said(wanted)), None
    # Each line is read, also of what was rejected and nothing else.
    for record in memory.journal.records(*OF_STATEMENTS, suits=bool):
        if record.get("id") and key in folded(str(record.get("text", ""))):
            found = record
    return found


def _history(
    memory: Memory, records: Records, lines: set[str], text: str, name: str = ""
) -> list[dict[str, Any]]:
    """Return what happened to a statement, known by *name* or not, the oldest first."""
    key = folded(text)
    # What was rejected has the id of its words, unless they were masked since.
    ids = {name, statement_id(text)} - {""} | {
        str(record["id"])
        for record in records
        if record.get("id") and (record.get("line") in lines or _says(record, key))
    }
    return list(memory.journal.naming(ids, *OF_STATEMENTS))


def _says(record: dict[str, Any], key: str) -> bool:
    """Say whether *record* is about what is *key* when it is folded."""
    text = str(record.get("text", ""))
    # To fold a text takes longest, and few have the same end.
    end = "".join(text.rstrip()[-_END:].split()[-1:]).casefold()
    return key.endswith(end) and folded(text) == key


def _sources(record: dict[str, Any]) -> Iterator[Source]:
    for each in record.get("sources") or ():
        try:
            yield Source(
                date.fromisoformat(each["day"]),
                str(each["entry"]),
                str(each.get("path", "")),
                str(each.get("label", "")),
                str(each.get("entry_id") or ""),
            )
        except (KeyError, TypeError, ValueError):
            continue


def _section_day(memory: Memory, place: Place) -> date | None:
    above = list(lines_in(memory, place.path))[: place.line]
    return next((day for each in reversed(above) if (day := day_of(each.text))), None)
