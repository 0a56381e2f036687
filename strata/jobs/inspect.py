"""inspect: all that is known of one entry, from where it stands to how often it is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from strata.errors import NotFound
from strata.history.evidence import entry_id
from strata.history.names import CAPTURED
from strata.jobs.trace import Trace, trace
from strata.messages import Notice
from strata.notes.markdown import unbulleted
from strata.notes.marks import spoken
from strata.notes.sayings import may_say, sayings, words_of
from strata.workspace.layout import LONG_TERM
from strata.workspace.recalls import Recalls, recall_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

_SHORTEST_ID = 4
_HEX = set("0123456789abcdef")


@dataclass(slots=True)
class Inspection:
    """
    One entry: its *traced* words and verdicts, and every place that says the same.

    *known* are the fields that its latest record has for it, *asked_on_days* on how many
    days a question found it.
    """

    traced: Trace
    known: dict[str, Any] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)
    asked_on_days: int = 0

    @property
    def id(self) -> str:
        """The id of the statement or of its entry, or ""."""
        named = (trail.source.entry_id for trail in self.traced.trails)
        return str(self.known.get("id") or next(filter(None, named), ""))


_FIELDS = ("id", "section", "importance", "confidence", "origin", "version", "verdicts")


def inspect(memory: Memory, what: str) -> Inspection:
    """
    Tell all that is known of *what*: ``PATH:LINE``, an id, or the text of a line.

    Raise `NotFound` where memory has no such entry.
    """
    place = entry_place(memory, what)
    traced = trace(memory, place or what)
    known: dict[str, Any] = {}
    for record in traced.history:
        known |= {name: record[name] for name in _FIELDS if name in record}
    keys = {recall_key(line) for line in (traced.text, f"- {traced.text}")}
    recalls = Recalls(memory.workspace.layout.recalls_file)
    asked = recalls.days(before=memory.now.date() + timedelta(days=1))
    return Inspection(
        traced,
        known,
        list(_standing(memory, traced.text)),
        max((asked.get(key, 0) for key in keys), default=0),
    )


def entry_place(memory: Memory, start: str) -> str:
    """Return ``PATH:LINE`` of the entry of a note whose id starts with *start*, or ""."""
    if len(start) < _SHORTEST_ID or not set(start) <= _HEX:
        return ""
    for record in memory.journal.records(CAPTURED):
        for entry in record.get("entries") or ():
            if str(entry.get("id", "")).startswith(start):
                return _line_of(memory, record, entry)
    return ""


def _line_of(memory: Memory, record: dict[str, Any], entry: dict[str, Any]) -> str:
    cited = entry.get("evidence") or [{}]
    session, message = str(record.get("session")), str(cited[0].get("message", ""))
    layout = memory.workspace.layout
    day = date.fromisoformat(str(record["day"]))
    for path in (layout.daily(day), layout.archived(day)):
        for said in sayings(path, memory.workspace.read(path)):
            name = entry_id(session, message, unbulleted(said.raw))
            if name == entry["id"]:
                return f"{path}:{said.number}"
    raise NotFound(Notice("inspect.not-in-note", id=entry["id"], day=day))


def _standing(memory: Memory, text: str) -> Iterator[str]:
    """Yield each place in memory that says just that."""
    words = words_of(spoken(text))
    layout = memory.workspace.layout
    paths = [LONG_TERM, *layout.weekly_notes(), *(p for _, p in layout.daily_notes())]
    for path, note in memory.workspace.texts(paths):
        for said in sayings(path, note) if may_say(note, words) else ():
            if not said.frame and words_of(said.text) == words:
                yield f"{path}:{said.number}"
