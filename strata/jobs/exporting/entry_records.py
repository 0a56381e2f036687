"""Entries as data: each with the words that it rests on, and what memory made of it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from strata.history.evidence import evidence_of, records_in
from strata.history.names import CAPTURED, OF_STATEMENTS, UNDONE
from strata.history.projection import History
from strata.history.records import undone_runs
from strata.jobs.forgetting.scrubbing import FIXED
from strata.jobs.mentions import gather
from strata.jobs.projects.knowing import Known
from strata.notes.long_term import bare_lines, placed_lines
from strata.notes.markdown import heading, is_item, unbulleted
from strata.notes.marks import source_days, unmarked
from strata.search.indexing.scanning import tier_of
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from strata.memory import Memory
    from strata.models import Mention

    Record = dict[str, Any]  # Any: it is JSON

# Raise it when a record is written otherwise; docs/entries.schema.json says how.
VERSION = 2
# These hold no words of anybody's.
NO_TEXTS = FIXED | {
    *("kind", "scope", "tag", "days", "time", "note", "line", "conversation", "by"),
    *("entries", "statement", "model", "prompt"),
}
_OF_VERDICT = (
    *("event", "at", "text", "section", "importance", "confidence"),
    *("dimension", "reason", "by"),
)
_OF_EVIDENCE = ("message", "said_at", "origin", "sha256")


def entry_records(
    memory: Memory, paths: Collection[str], since: date | None = None
) -> Iterator[Record]:
    """
    Yield every entry of the notes *paths*, then each line of MEMORY.md, as JSON.

    With *since* only what stands in the notes of that day and later ones.
    """
    told = _Told(memory)
    for mention in gather(memory):
        # A note that is a link may lead to what is somebody else's.
        if mention.path in paths and (since is None or mention.day >= since):
            yield _entry(memory, mention, told)
    if LONG_TERM in paths and since is None:
        yield from _lines(memory, told)


class _Told:
    """What the journal tells of entries and of statements; what was undone is no more."""

    def __init__(self, memory: Memory) -> None:
        history = History(memory.journal, worded=False)
        self._known = Known(memory)
        undone = undone_runs(history.records(UNDONE))
        self._captured: dict[str, tuple[Record, Record]] = {}
        self._of_entry: dict[object, list[Record]] = defaultdict(list)
        self._of_statement: dict[str, list[Record]] = defaultdict(list)
        self._statements: dict[str, str] = {}
        for record in memory.journal.records(CAPTURED):
            for entry in records_in(record.get("entries")):
                self._captured[str(entry.get("id"))] = record, entry
        for record in history.records(*OF_STATEMENTS):
            if record.get("run") not in undone:
                self._take(record)

    def captured(self, entry: str) -> tuple[Record, Record]:
        """Return the record of the capture of *entry*, an id, and what it says of it."""
        return self._captured.get(entry, ({}, {}))

    def of_entry(self, mention: Mention) -> list[Record]:
        """Return the verdicts on statements that rest on *mention*, the oldest first."""
        return self._of_entry[_key(mention)]

    def of_line(self, line: str) -> tuple[str, list[Record]]:
        """Return the id of the statement that *line* makes, and the verdicts on it."""
        statement = self._statements.get(line, "")
        return statement, self._of_statement[statement] if statement else []

    def project(self, mention: Mention) -> str | None:
        """Return the name of the project that *mention* is about, None for none."""
        line = f"- {mention.entry}"
        found = self._known.of_line(tier_of(mention.path), mention.day, line)
        return self._known.name_of(found) if found else None

    def _take(self, record: Record) -> None:
        statement = str(record.get("id") or "")
        if record.get("line"):
            self._statements[str(record["line"])] = statement
        self._of_statement[statement].append(record)
        for source in records_in(record.get("sources")):
            entry = source.get("entry_id")
            self._of_entry[entry or (source.get("day"), source.get("entry"))].append(
                record
            )


def _key(mention: Mention) -> object:
    return mention.entry_id or (mention.day.isoformat(), mention.entry)


def _entry(memory: Memory, mention: Mention, told: _Told) -> Record:
    capture, entry = told.captured(mention.entry_id)
    return {
        "kind": "entry",
        "version": VERSION,
        "scope": memory.scope,
        "id": mention.entry_id,
        "text": mention.text,
        "tag": mention.tag.value if mention.tag else None,
        "day": mention.day.isoformat(),
        "time": mention.time,
        "note": mention.path,
        "line": mention.number,
        "conversation": str(capture.get("session", "")),
        "origin": mention.origin.value if mention.origin else None,
        "project": told.project(mention),
        "evidence": [_only(each, _OF_EVIDENCE) for each in evidence_of(entry)],
        "worded_by": _only(entry, ("model", "prompt")) or None,
        "verdicts": [_verdict(each) for each in told.of_entry(mention)],
    }


def _lines(memory: Memory, told: _Told) -> Iterator[Record]:
    page = memory.workspace.read(LONG_TERM)
    numbers = enumerate(bare_lines(page), 1)
    for (number, line), (section, _) in zip(numbers, placed_lines(page), strict=True):
        text = unmarked(unbulleted(line))
        if not text or not is_item(line) or heading(line):
            continue
        statement, verdicts = told.of_line(line)
        sources = records_in(verdicts[-1].get("sources")) if verdicts else []
        yield {
            "kind": "line",
            "version": VERSION,
            "scope": memory.scope,
            "statement": statement,
            "text": text,
            "section": section.value if section else None,
            "note": LONG_TERM,
            "line": number,
            "days": [day.isoformat() for day in source_days(line)],
            "entries": [
                str(each["entry_id"]) for each in sources if each.get("entry_id")
            ],
            "verdicts": [_verdict(each) for each in verdicts],
        }


def _verdict(record: Record) -> Record:
    return {"statement": str(record.get("id") or ""), **_only(record, _OF_VERDICT)}


def _only(record: Record, names: tuple[str, ...]) -> Record:
    return {name: record[name] for name in names if record.get(name) is not None}
