"""trace: from a line of memory back to the words that justify it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from strata.errors import NotFound, UsageError
from strata.history.names import OF_STATEMENTS
from strata.jobs.tracing.trails import Place, Source, Trails, said
from strata.messages import Notice
from strata.notes.headings import day_of
from strata.notes.markdown import heading, lines_of, unbulleted
from strata.notes.marks import folded, source_days
from strata.search.answering.citations import get
from strata.workspace.layout import LONG_TERM, day_of_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.jobs.tracing.trails import Trail
    from strata.memory import Memory

_CITED = re.compile(r".+\.md(?::\d+|#L\d+).*")
_ID = re.compile(r"[0-9a-f]{4,12}")


@dataclass(slots=True)
class Trace:
    """A statement, where it stands, what became of it, and the trails of its sources."""

    text: str
    place: Place | None
    history: list[dict[str, Any]] = field(default_factory=list)
    trails: list[Trail] = field(default_factory=list)

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
        raise UsageError(
            Notice("trace.what"),
        )
    records = list(memory.journal.records(*OF_STATEMENTS))
    if _CITED.fullmatch(wanted):
        return _of_place(memory, _cited(memory, wanted), records)
    found = _by_id(records, wanted) if _ID.fullmatch(wanted) else None
    if found:
        return _of_record(memory, found, records)
    place = _by_text(memory, wanted)
    if place:
        return _of_place(memory, place, records)
    told = _by_words(records, wanted)
    if told:
        return _of_record(memory, told, records)
    raise NotFound(
        Notice("trace.no-line", wanted=wanted),
    )


def _cited(memory: Memory, citation: str) -> Place:
    passage = get(memory.workspace.root, citation, 1)
    if not said(passage.text) or heading(passage.text):
        raise NotFound(
            Notice("trace.no-statement", citation=citation),
        )
    return Place(passage.path, passage.start_line, passage.text)


def _of_place(memory: Memory, place: Place, records: list[dict[str, Any]]) -> Trace:
    trails = Trails(memory)
    day = day_of_name(place.path.rpartition("/")[2])
    if place.path != LONG_TERM and day:
        weekly = place.path.startswith("memory/weekly/")
        day = _section_day(memory, place) or day if weekly else day
        source = Source(day, unbulleted(said(place.text)), "" if weekly else place.path)
        return Trace(
            said(place.text),
            place,
            _history(records, {place.text}, said(place.text)),
            [trails.follow(source, weekly=weekly)],
        )
    record = _writing(records, place.text)
    sources = list(_sources(record)) if record else []
    sources = sources or [
        Source(each, said(place.text)) for each in source_days(place.text)
    ]
    text = str(record["text"]) if record and record.get("text") else said(place.text)
    return Trace(
        text,
        place,
        _history(records, {place.text}, text),
        [trails.follow(source) for source in sources],
    )


def _of_record(
    memory: Memory, record: dict[str, Any], records: list[dict[str, Any]]
) -> Trace:
    same = [each for each in records if each.get("id") == record["id"]]
    lines = {str(each["line"]) for each in same if each.get("line")}
    place = next(
        (
            Place(LONG_TERM, number, line)
            for number, line in _lines(memory, LONG_TERM)
            if line in lines
        ),
        None,
    )
    if place:
        return _of_place(memory, place, records)
    trails = Trails(memory)
    latest = next((each for each in reversed(same) if each.get("sources")), record)
    return Trace(
        str(record.get("text", "")),
        None,
        _history(records, lines, str(record.get("text", ""))),
        [trails.follow(source) for source in _sources(latest)],
    )


def _by_id(records: list[dict[str, Any]], start: str) -> dict[str, Any] | None:
    found = {
        str(record["id"]): record
        for record in records
        if str(record.get("id", "")).startswith(start)
    }
    if len(found) > 1:
        raise UsageError(
            Notice("trace.several", start=start, count=len(found)),
        )
    return next(iter(found.values()), None)


def _by_text(memory: Memory, wanted: str) -> Place | None:
    """Return the line that says *wanted*: of MEMORY.md, else a weekly one, else a daily."""
    key = folded(said(wanted))
    weekly = memory.workspace.locate("memory/weekly")
    weeks = sorted(weekly.glob("*.md"), reverse=True) if weekly.is_dir() else []
    notes = sorted(memory.workspace.layout.daily_notes(), reverse=True)
    paths = [LONG_TERM, *(f"memory/weekly/{week.name}" for week in weeks)]
    for path in (*paths, *(path for _, path in notes)):
        for number, line in _lines(memory, path):
            if key in folded(said(line)) and not (
                heading(line) or line.startswith(">")
            ):
                return Place(path, number, line)
    return None


def _by_words(records: list[dict[str, Any]], wanted: str) -> dict[str, Any] | None:
    key = folded(said(wanted))
    for record in records[::-1]:
        if record.get("id") and key in folded(str(record.get("text", ""))):
            return record
    return None


def _writing(records: list[dict[str, Any]], line: str) -> dict[str, Any] | None:
    """Return the latest record that wrote *line* into MEMORY.md."""
    for record in records[::-1]:
        if record.get("line") == line:
            return record
    return None


def _history(
    records: list[dict[str, Any]], lines: set[str], text: str
) -> list[dict[str, Any]]:
    """Return what happened to a statement, the oldest first."""
    ids = {record.get("id") for record in records if record.get("line") in lines}
    ids |= {
        record.get("id")
        for record in records
        if folded(str(record.get("text", ""))) == folded(text)
    }
    return [record for record in records if record.get("id") in ids - {None}]


def _sources(record: dict[str, Any] | None) -> Iterator[Source]:
    for each in (record or {}).get("sources") or ():
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
    for _, line in reversed(list(_lines(memory, place.path))[: place.line]):
        if found := day_of(line):
            return found
    return None


def _lines(memory: Memory, path: str) -> Iterable[tuple[int, str]]:
    return enumerate(lines_of(memory.workspace.read(path)), 1)
