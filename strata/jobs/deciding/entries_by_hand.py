"""What a hand did to our entries in daily notes, as records of the owner's decisions."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.history.evidence import (
    VERSION,
    entry_id,
    evidence_of,
    first_message,
    is_entry,
    records_in,
)
from strata.history.ledger import read_ledger, statement_id
from strata.history.names import (
    CAPTURED,
    DELETED,
    OF_STATEMENTS,
    RESTORED,
    REWORDED,
    UNDONE,
)
from strata.history.records import undone_runs
from strata.jobs.deciding.by_hand import Spoken, heirs_of, is_alike
from strata.jobs.deciding.told import SESSION
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.trails import Source, Trails
from strata.judges.law import PLACEHOLDER
from strata.notes.daily import items
from strata.notes.entries import split_tag
from strata.notes.headings import Session, sessions_in
from strata.notes.marks import folded
from strata.notes.sayings import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory

    # Any: it is what JSON holds.
    Record = dict[str, Any]


_BY_HANDS = (REWORDED, DELETED, RESTORED)


class _Item(NamedTuple):
    """An item of a list in the note *path*; *session* is that of its block, if any."""

    day: str
    path: str
    session: Session | None
    said: str


def entry_records(memory: Memory, run: str = "") -> list[Record]:
    """
    Return what the journal shall say of entries that a hand changed, moved or took out.

    What an entry says now rests on the words on which it rested before. One that is gone
    from a block that still stands is declined; a block that is gone says nothing. One that
    was put back, as it was written, counts as it did.
    """
    return list(_Reading(memory, run).records())


class _Reading:
    def __init__(self, memory: Memory, run: str) -> None:
        self._memory, self._run = memory, run
        records = list(memory.journal.records(CAPTURED, *_BY_HANDS, UNDONE))
        undone = undone_runs(records)
        self._captured: dict[str, list[Record]] = defaultdict(list)
        self._heeded: set[object] = set()
        # By the ids of the entries that hands have changed or taken out.
        self._out: dict[object, Record] = {}
        for record in records:
            if record.get("run") not in undone:
                self._take(record)

    def _take(self, record: Record) -> None:
        # A verb knows the words and the place of what it changed.
        name = record.get("entry_id") or (record.get("path"), record.get("id"))
        if record["event"] == RESTORED:
            self._heeded.discard(name)
            self._out.pop(name, None)
            return
        self._heeded.add(name)
        if record["event"] == CAPTURED:
            self._captured[str(record.get("day"))].append(record)
        elif record.get("entry_id"):
            self._out[name] = record

    def records(self) -> Iterator[Record]:
        for day, path in self._memory.workspace.layout.daily_notes():
            text = self._memory.workspace.read(path)
            said = defaultdict[Session | None, list[_Item]](list)
            for told in _items_in(text, day, path):
                said[told.session].append(told)
            for session in dict.fromkeys(sessions_in(text)):
                record = self._written(day.isoformat(), session, said[session])
                others = [e for key in said if key != session for e in said[key]]
                if record:
                    yield from self._of(record, path, said[session], others)
            yield from self._told(day.isoformat(), path, said)
            yield from self._restored(day.isoformat(), path, said)

    def _told(
        self, day: str, path: str, said: Mapping[Session | None, Sequence[_Item]]
    ) -> Iterator[Record]:
        """Yield what became of what the owner told Strata itself, wherever it stood."""
        every = [item for items in said.values() for item in items]
        for record in self._captured.get(day, ()):
            names = {str(each.get("id")) for each in records_in(record.get("entries"))}
            if record.get("session") == SESSION and names & self._reached.keys():
                for found in self._of(record, path, every, ()):
                    yield found
                    for entry in found.get("after") or ():
                        # With a secret in it, it is nothing to be remembered.
                        if PLACEHOLDER not in entry:
                            yield self._told_anew(record, found, entry)

    def _restored(
        self, day: str, path: str, said: Mapping[Session | None, Sequence[_Item]]
    ) -> Iterator[Record]:
        """Yield what stands there again as it stood before a hand changed it."""
        every = [item for items in said.values() for item in items]
        for record in self._captured.get(day, ()) if self._out else ():
            for told in records_in(record.get("entries")):
                name = told.get("id")
                if name not in self._out:
                    continue
                if not any(is_entry(record, told, item.said) for item in every):
                    continue
                kept = {key: self._out[name][key] for key in ("id", "text", "entry_id")}
                yield {"event": RESTORED, **self._base, **kept, "path": path}
                if name in self._reached:
                    yield {**self._reached[name], **self._base, "event": "remembered"}

    def _told_anew(self, record: Record, reworded: Record, entry: str) -> Record:
        """Return the record of what the owner wants remembered, in the words of a hand."""
        told = self._reached[reworded["entry_id"]]
        _, text = split_tag(entry)
        (source, *_) = told["sources"]
        name = entry_id(SESSION, first_message(record["entries"][0]), entry)
        return {
            **told,
            **self._base,
            "event": "edited",
            "id": statement_id(text),
            "text": text,
            "sources": [{**source, "entry": entry, "entry_id": name}],
            "replaces": told["id"],
            "before": told["text"],
        }

    @cached_property
    def _reached(self) -> dict[str, Record]:
        """What the owner told, by the ids of the entries that surely got into a note."""
        settled = read_ledger(self._memory.journal).settled
        return {
            str(source.get("entry_id")): record
            for record in self._memory.journal.records("remembered", "edited")
            if record.get("run") in settled
            for source in records_in(record.get("sources"))
        }

    def _written(
        self, day: str, session: Session, here: Sequence[_Item]
    ) -> Record | None:
        """Return what was written to a block, None where all of that stands there."""
        key = session.label, session.messages
        records = [
            record
            for record in self._captured.get(day, ())
            if (record.get("label"), record.get("last")) == key
        ]
        missing = [len(_missing(record, here)) for record in records]
        if not records or not all(missing):
            return None
        # After a crash the last record may be of words that never reached the note.
        standing = [
            len(records_in(record.get("entries"))) - 2 * gone
            for record, gone in zip(records, missing, strict=True)
        ]
        best = max(range(len(records)), key=lambda place: (standing[place], place))
        return records[best]

    def _of(
        self,
        record: Record,
        path: str,
        here: Sequence[_Item],
        others: Sequence[_Item],
    ) -> Iterator[Record]:
        """Yield what became of the entries of *record* that are not *here* any more."""
        gone = []
        for told in _missing(record, here):
            if told.get("id") in self._heeded:
                continue
            if place := self._moved(record, told, others):
                yield self._anew(record, [told], place)
                continue
            text = split_tag(self._words_of(record, told, path))[1]
            # Nor was it the twin of what stands elsewhere in the note.
            twin = any(is_entry(record, told, item.said) for item in others)
            if not twin and (path, statement_id(text)) not in self._heeded:
                gone.append(Spoken(None, text, text, told))
        new = [item for item in here if not self._is_known(item)] if gone else []
        fresh = [Spoken(None, split_tag(item.said)[1], item.said) for item in new]
        heirs = heirs_of(gone, fresh)
        for old, its in zip(gone, heirs, strict=True):
            yield self._decided(old, its, path)
        for line, item in zip(fresh, new, strict=True):
            # Whose words something else is that stands there now, nobody knows.
            alike = [dict(old.record) for old in gone if is_alike(old, line)]
            if alike:
                yield self._anew(record, alike, item, edited=True)

    def _decided(self, old: Spoken, heirs: Sequence[Spoken], path: str) -> Record:
        same = any(folded(line.text) == folded(old.text) for line in heirs)
        known = old.text and not same
        after = [self._memory.masked(line.raw) for line in heirs]
        return {
            "event": REWORDED if heirs else DELETED,
            **self._base,
            # What is only written otherwise, or in words that nobody knows, ends nothing.
            "id": statement_id(old.text) if known else str(old.record["id"]),
            "text": old.text if known else "",
            **({"after": after} if after else {}),
            "entry_id": str(old.record["id"]),
            "path": path,
            "saved_at": saved_at(self._memory, path),
        }

    def _anew(
        self,
        record: Record,
        before: Sequence[Record],
        item: _Item,
        *,
        edited: bool = False,
    ) -> Record:
        """Return the capture by which *item* rests on what *before* rested on."""
        first = first_message(before[0])
        tag, _ = split_tag(item.said)
        entry: Record = {
            "id": entry_id(str(record.get("session")), first, item.said),
            "tag": tag.value if tag else None,
            "evidence": [each for told in before for each in evidence_of(told)],
        }
        if edited:
            entry["edited_at"] = saved_at(self._memory, item.path)
        if "judged" in before[0]:
            # A hand that words it anew means it as it was meant.
            entry["judged"] = before[0]["judged"]
        kept = ("session", "session_key")
        return {
            "event": CAPTURED,
            **self._base,
            **{key: record[key] for key in kept if key in record},
            "label": item.session.label if item.session else "",
            "day": item.day,
            "path": item.path,
            # It covers no message: the block of which it was does.
            "first": 0,
            "last": 0,
            "last_at": 0.0,
            "entries": [entry],
            **({} if edited else {"entry_id": str(before[0]["id"])}),
        }

    def _moved(
        self, record: Record, told: Record, others: Sequence[_Item]
    ) -> _Item | None:
        """Return where the entry *told* stands now, in this note or in another."""
        places = (*others, *self._everywhere)
        same = (item for item in places if is_entry(record, told, item.said))
        return next((item for item in same if not self._is_known(item)), None)

    def _is_known(self, item: _Item) -> bool:
        return any(
            is_entry(record, told, item.said)
            for record in self._captured.get(item.day, ())
            for told in records_in(record.get("entries"))
        )

    @cached_property
    def _everywhere(self) -> list[_Item]:
        return [
            item
            for day, path in self._memory.workspace.layout.daily_notes()
            for item in _items_in(self._memory.workspace.read(path), day, path)
        ]

    def _words_of(self, record: Record, told: Record, path: str) -> str:
        """Return the entry *told*, where tidy has judged it, else the words behind it."""
        name = str(told.get("id"))
        if name not in self._words:
            day = date.fromisoformat(str(record["day"]))
            source = Source(day, "", path, str(record.get("label")), name)
            trail = self._trails.follow(source, weekly=False)
            words = " ".join(each.text for each in trail.words[:1])
            self._words[name] = "" if self._is_forgotten(words, day) else words
        return self._words[name]

    def _is_forgotten(self, words: str, day: date) -> bool:
        """Say whether a conversation says what was forgotten, and nobody said anew."""
        said = Said(0, words, day, day.isoformat())
        return bool(self._forgotten and self._forgotten.forgets(said))

    @cached_property
    def _forgotten(self) -> Recogniser | None:
        known = recogniser(self._memory)
        return known.unheard(()) if known else None

    @cached_property
    def _words(self) -> dict[str, str]:
        return {
            str(source.get("entry_id")): str(source.get("entry", ""))
            for record in self._memory.journal.records(*OF_STATEMENTS)
            for source in records_in(record.get("sources"))
        }

    @cached_property
    def _trails(self) -> Trails:
        return Trails(self._memory)

    @property
    def _base(self) -> Record:
        at = self._memory.now.isoformat(timespec="seconds")
        run = {"run": self._run} if self._run else {}
        return {"version": VERSION, "at": at, **run}


def saved_at(memory: Memory, path: str) -> str:
    """Return when a hand can have changed a file last, as local time in ISO 8601."""
    try:
        saved = memory.workspace.locate(path).stat().st_mtime
    except OSError:
        return ""
    moment = min(datetime.fromtimestamp(saved, memory.timezone), memory.now)
    return moment.astimezone(memory.timezone).isoformat(timespec="seconds")


def _items_in(text: str, day: date, path: str) -> Iterator[_Item]:
    """Yield the items that a hand may have written; agents write below "Retain"."""
    for item in items(text):
        if not item.retained:
            yield _Item(day.isoformat(), path, item.block, item.said)


def _missing(record: Record, here: Sequence[_Item]) -> list[Record]:
    """Return the entries of *record* that are not *here*."""
    entries = records_in(record.get("entries"))
    if len(entries) == len(here) and all(
        is_entry(record, told, item.said)
        for told, item in zip(entries, here, strict=True)
    ):
        return []
    return [
        told
        for told in entries
        if not any(is_entry(record, told, item.said) for item in here)
    ]
