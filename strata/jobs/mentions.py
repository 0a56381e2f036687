"""The evidence: every entry of every note, with whose words it rests on."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.history.decisions import decisions
from strata.history.evidence import (
    evidence_of,
    is_entry,
    records_in,
    subjects_of,
)
from strata.history.ledger import statement_id
from strata.history.names import CAPTURED
from strata.history.summaries import read_summaries
from strata.models import Estimate, Mention, Origin
from strata.notes.daily import items
from strata.notes.entries import one_line, split_tag
from strata.notes.headings import day_of
from strata.notes.markdown import heading, lines_of
from strata.notes.marks import unmarked
from strata.notes.retain import (
    DONE,
    SUMMARY,
    read_retained,
    said_by_retained,
    tag_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from strata.memory import Memory
    from strata.notes.daily import Item

_FIRST = "00:00:00"
_STRANGERS = {Origin.UNTRUSTED, Origin.SYSTEM}


def gather(memory: Memory) -> list[Mention]:
    """
    Return what the notes say, in the order in which it was said.

    Weekly summaries speak only for days whose note is gone.
    """
    known = _Captures(memory)
    mentions: list[tuple[tuple[date, str, int], Mention]] = []
    files, layout = memory.workspace, memory.workspace.layout
    daily = {path: day for day, path in layout.daily_notes()}
    for path, text in files.texts(daily):
        mentions += _placed(_of_note(text, daily[path], path, known))
    days = {*daily.values()}
    for path, text in files.texts(layout.weekly_notes()):
        found = _of_week(text, path, known)
        mentions += _placed(each for each in found if each.day not in days)
    return [mention for _, mention in sorted(mentions, key=lambda pair: pair[0])]


class _Captures:
    """What the journal knows of captured entries: whose words, when, of which session."""

    def __init__(self, memory: Memory) -> None:
        self._masked = memory.masked
        self._timezone = memory.timezone
        self._journal = memory.journal
        self._records: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for record in memory.journal.records(CAPTURED):
            self._records[str(record.get("day"))].append(record)
        self._summaries = read_summaries(memory.journal)

    def find(self, day: date, label: str, entry: str) -> tuple[Mapping[str, Any], str]:
        """Return the record of *entry* and its label; any label where it is empty."""
        for record in self._records.get(day.isoformat(), ()):
            if label and record.get("label") != label:
                continue
            for each in records_in(record.get("entries")):
                if is_entry(record, each, entry):
                    return each, str(record.get("label"))
        return {}, label

    def mention(  # noqa: PLR0913 - where and when it stands
        self, entry: str, *, day: date, label: str, time: str, path: str, number: int
    ) -> Mention:
        """Return *entry* with what the journal knows of it."""
        # A line of a week may stand for several entries.
        is_entry_of_talk = bool(label)
        record, label = self._found(day, label, entry)
        evidence = evidence_of(record)
        if not record or "edited_at" in record:
            # A conversation was masked when it was read; a hand may write anything.
            entry = self._masked(entry)
        tag, text = split_tag(entry)
        return Mention(
            text=text,
            tag=tag,
            day=day,
            time=self._time(evidence) or time,
            path=path,
            label=label,
            entry=entry,
            entry_id=str(record.get("id", "")),
            origin=_origin(evidence),
            estimate=_estimate(record.get("judged")),
            edited_at=str(record.get("edited_at", "")),
            number=number,
            of=subjects_of(record) if is_entry_of_talk else (),
        )

    def retained(self, item: Item, *, day: date, path: str) -> Iterator[Mention]:
        """Give what an agent retained as *item*, where the owner said so or accepts it."""
        record, label = self.find(day, "", item.said)
        if not (record or self._accepted):
            return
        # What was said had no secret in it; a hand or an agent may write anything.
        entry = item.said if record else self._masked(item.said)
        told = read_retained(item._replace(said=entry))
        if isinstance(told, str) or told.kind == SUMMARY:
            return
        text = said_by_retained(told)
        if not record and statement_id(text) not in self._accepted:
            return
        evidence = evidence_of(record)
        said = _origin(evidence) if record else Origin.OWNER
        yield Mention(
            text=text,
            tag=tag_of(told),
            day=day,
            time=self._time(evidence) or _FIRST,
            path=path,
            label=label,
            entry=entry,
            entry_id=str(record.get("id", "")),
            # Whoever bears it out, it tells what the agent did.
            origin=Origin.AGENT if told.kind == DONE else said,
            number=item.number,
            retained=told,
        )

    @cached_property
    def _accepted(self) -> frozenset[str]:
        return decisions(self._journal).accepted

    def _found(
        self, day: date, label: str, entry: str
    ) -> tuple[Mapping[str, Any], str]:
        """Find *entry*, or the first of those for which it stands in a week."""
        record, found = self.find(day, label, entry)
        sources = [] if record or label else self._summaries.sources_of(day, entry)
        known = [self.find(said, label, source) for said, source in sources]
        # Words that were merged are as little the owner's as any of them.
        ranked = sorted(known, key=lambda pair: _is_owners(pair[0]))
        return ranked[0] if ranked else (record, found)

    def _time(self, evidence: list[dict[str, Any]]) -> str:
        try:
            said = datetime.fromisoformat(str(evidence[0]["said_at"]))
        except (IndexError, KeyError, ValueError):
            return ""
        return said.astimezone(self._timezone).strftime("%H:%M:%S")


def _of_note(text: str, day: date, path: str, known: _Captures) -> Iterator[Mention]:
    for item in items(text):
        if item.retained:
            yield from known.retained(item, day=day, path=path)
            continue
        block, said = item.block, item.said
        label, time = (block.label, f"{block.time}:00") if block else ("", _FIRST)
        # Ours are looked up as they stand; what others wrote might pose as more.
        entry = said if block else one_line(said)
        yield known.mention(
            entry, day=day, label=label, time=time, path=path, number=item.number
        )


def _of_week(text: str, path: str, known: _Captures) -> Iterator[Mention]:
    day: date | None = None
    for number, line in enumerate(lines_of(text), 1):
        if heading(line):
            day = day_of(line)
        elif day and line.strip():
            entry = unmarked(line)
            yield known.mention(
                entry, day=day, label="", time=_FIRST, path=path, number=number
            )


def _placed(
    mentions: Iterable[Mention],
) -> list[tuple[tuple[date, str, int], Mention]]:
    return [((m.day, m.time, place), m) for place, m in enumerate(mentions)]


def _origin(evidence: list[dict[str, Any]]) -> Origin | None:
    """
    Return whose words come first: those after them only say what they refer to.

    What rests on a stranger's words at all is the stranger's.
    """
    try:
        origins = [Origin(each["origin"]) for each in evidence]
    except (KeyError, ValueError):
        return None
    strangers = (each for each in origins if each in _STRANGERS)
    return next(strangers, origins[0] if origins else None)


def _estimate(told: object) -> Estimate | None:
    """Return what a judge made of an entry in its conversation, where the journal knows."""
    try:
        return Estimate(**told) if isinstance(told, dict) else None
    except TypeError:
        # Another version of the judge told more, or less.
        return None


def _is_owners(record: Mapping[str, Any]) -> bool:
    return _origin(evidence_of(record)) is Origin.OWNER
