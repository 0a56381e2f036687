"""From what the owner wants forgotten to all that says it, rests on it, or carries it."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.errors import NotFound, OpenClawNotFound, UsageError
from strata.history.evidence import (
    entry_id,
    evidence_of,
    first_message,
    is_entry,
    records_in,
)
from strata.history.ledger import statement_id
from strata.history.names import CAPTURED, DESCRIBED, OF_STATEMENTS, WORDED
from strata.jobs.forgetting.called_otherwise import called_otherwise
from strata.jobs.forgetting.scrubbing import quote_id
from strata.jobs.forgetting.target import Chosen, is_same
from strata.jobs.trails import Trails
from strata.messages import Notice
from strata.notes.entries import topicless, topics_in
from strata.notes.markdown import heading, unbulleted
from strata.notes.marks import source_days, spoken, with_source
from strata.notes.retain import parse_retained, shown_retained
from strata.notes.sayings import sayings, words_of
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from strata.jobs.forgetting.documents import Document
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.notes.sayings import Said
    from strata.progress import Progress

Entry = tuple[date, str]
# So many ids are named where the start of one fits several.
_NAMED = 5


def choose(
    memory: Memory, target: Target, documents: Sequence[Document], progress: Progress
) -> Chosen:
    """Return all that *target* means, in *documents* and in the journal."""
    return _Choosing(memory, target, documents).choose(progress)


class _Choosing:
    def __init__(
        self, memory: Memory, target: Target, documents: Sequence[Document]
    ) -> None:
        self._memory = memory
        self._zone = memory.timezone
        self._target = target
        self._documents = documents
        self._chosen = Chosen()
        self._labels: set[str] = set()
        self._records = list(memory.journal.records(*OF_STATEMENTS, *WORDED))
        self._captured = list(memory.journal.records(CAPTURED))
        self._by_day: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for record in self._captured:
            self._by_day[str(record.get("day"))].append(record)
        # The entries on which the lines of MEMORY.md and of weeks rest.
        self._sources = {
            str(record[name]): _sources_of(record)
            for record in self._records
            for name in ("line", "left")
            if record.get(name)
        }
        # Whether the target is known wherever it stands, and not by time or place.
        self._by_words = target.kind in {"text", "entity"}
        # The entries of the daily notes, as they say it and as they stand.
        self._gone: dict[date, dict[str, str]] = defaultdict(dict)
        self._left: dict[date, dict[str, str]] = defaultdict(dict)

    def choose(self, progress: Progress) -> Chosen:
        if self._target.session:
            self._chosen.sessions = self._sessions(self._target.session)
            self._labels = self._labels_of(self._chosen.sessions)
        for done, document in enumerate(self._documents, 1):
            for said in self._meant(list(sayings(document.path, document.text))):
                self._chosen.moments |= {said.moment} - {""}
                if self._by_words:
                    texts = self._lone_topics(said.raw) or [said.text]
                    self._chosen.everywhere |= dict.fromkeys(texts)
                elif said.day:
                    self._take_line(said.day, said.text, unbulleted(said.raw))
            progress(done, len(self._documents))
        named = called_otherwise(self._memory, self._target)
        for each in named.sure:
            self._take_line(each.day, spoken(each.entry), each.entry)
        self._chosen.unsure += named.unsure
        self._take_sources()
        self._part_entries()
        self._take_retained()
        self._take_resting("weekly")
        self._take_resting("long-term")
        self._take_evidence()
        self._take_described()
        self._take_records()
        self._rename()
        return self._chosen

    def _sessions(self, start: str) -> set[str]:
        """Return the conversation whose id begins with *start*; it must be one."""
        ids = {str(record.get("session")) for record in self._captured}
        with suppress(OpenClawNotFound):
            sessions = self._memory.transcripts().sessions()
            ids |= {session.id for session in sessions}
        found = {each for each in ids if each.startswith(start)}
        if not found:
            raise NotFound(Notice("sync.no-conversation", id=start))
        if len(found) > 1 and start not in found:
            named = sorted(found)[:_NAMED]
            raise UsageError(
                Notice("forget.several", count=len(found), start=start, sessions=named)
            )
        return {start} if start in found else found

    def _labels_of(self, sessions: set[str]) -> set[str]:
        """Return the labels under which the notes hold *sessions*."""
        known = {str(r.get("label")): str(r.get("session")) for r in self._captured}
        # Where the journal is lost, a label is the start of its id.
        lost = {each[:8] for each in sessions} - known.keys()
        return lost | {label for label in known if known[label] in sessions}

    def _meant(self, every: Sequence[Said]) -> Iterable[Said]:
        """Return the lines that the target means by itself."""
        if self._target.session:
            return self._blocks(every)
        means = self._is_said if self._by_words else self._is_when
        return filter(means, every)

    def _is_said(self, said: Said) -> bool:
        texts = (said.text, said.raw, *topics_in(said.text))
        return not said.frame and any(map(self._target.is_said_by, texts))

    def _lone_topics(self, line: str) -> list[str]:
        """Return what *line* leans on and says it, where nothing else there does."""
        says = self._target.is_said_by
        found = [each for each in topics_in(spoken(line)) if says(each)]
        return [] if not found or says(topicless(line)) else found

    def _blocks(self, every: Iterable[Said]) -> Iterator[Said]:
        """Yield the blocks of the chosen conversations, not what others put behind them."""
        inside, last = False, 0
        for said in every:
            if heading(said.raw):
                inside, last = said.label in self._labels, 0
            elif last and said.number > last + 1:
                # Behind a gap, only what the journal knows as an entry is theirs.
                found = {session for _, session, *_ in self._recorded(said)}
                inside = inside and not found.isdisjoint(self._chosen.sessions)
            if inside:
                yield said
                last = 0 if said.frame else said.number
            elif self._is_retained(said):
                yield said

    def _is_retained(self, said: Said) -> bool:
        """Say whether *said* stands outside of all blocks and rests on what is meant."""
        known = {session for _, session, *_ in self._recorded(said)}
        return not known.isdisjoint(self._chosen.sessions)

    def _is_when(self, said: Said) -> bool:
        """Say whether *said* is of the time; a day without a time has to be in it whole."""
        since, until = self._target.since, self._target.until
        if said.day is None or since is None or until is None:
            return False
        moment = said.moment
        if said.day in {since.date(), until.date()} and not said.frame:
            *_, known = next(self._recorded(said), ("",))
            moment = known or moment
        whole = len(moment) == len("2026-11-20")
        first = datetime.fromisoformat(moment).replace(tzinfo=self._zone)
        last = first.replace(hour=23, minute=59) if whole else first
        return since <= first and last < until

    def _recorded(self, said: Said) -> Iterator[tuple[str, str, str, str]]:
        return self._evidence(said.day, [unbulleted(said.raw)])

    def _evidence(
        self, day: date | None, entries: Collection[str]
    ) -> Iterator[tuple[str, str, str, str]]:
        """Yield id, session, message and moment of the *entries* of *day* it knows."""
        for record, told in self._captures(day, entries):
            cited = (evidence_of(told) or [{}])[0]
            moment = self._local(str(cited.get("said_at", "")))
            session, message = record.get("session"), first_message(told)
            yield str(told["id"]), str(session), message, moment

    def _captures(
        self, day: date | None, entries: Collection[str]
    ) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield what the journal tells of the *entries* of *day*, in which record."""
        for record in self._by_day[day.isoformat() if day else ""]:
            for told in record.get("entries") or ():
                if any(is_entry(record, told, entry) for entry in entries):
                    yield record, told

    def _local(self, said_at: str) -> str:
        try:
            moment = datetime.fromisoformat(said_at)
        except ValueError:
            return ""
        return moment.astimezone(self._zone).isoformat()[:16]

    def _take_sources(self) -> None:
        """Let a line of MEMORY.md that says it take along the entries it rests on."""
        going = {words_of(text) for text in self._chosen.everywhere}
        for said in self._lines("long-term"):
            if words_of(said.text) in going:
                self._chosen.scoped |= dict.fromkeys(self._sources.get(said.raw, []))

    def _part_entries(self) -> None:
        everywhere = {words_of(text) for text in self._chosen.everywhere}
        scoped = {(day, words_of(text)) for day, text in self._chosen.scoped}
        for said in self._lines("note"):
            if said.day and not said.frame:
                words = words_of(said.text)
                gone = words in everywhere or (said.day, words) in scoped
                part = self._gone if gone else self._left
                part[said.day][said.text] = unbulleted(said.raw)

    def _take_line(self, day: date, text: str, entry: str) -> None:
        self._chosen.scoped[day, text] = None
        retained = parse_retained(entry)
        if not isinstance(retained, str):
            # A page of the bank has it in this form.
            self._chosen.scoped[day, shown_retained(retained)] = None

    def _take_retained(self) -> None:
        """Let what an agent retained go where only what goes of that day says it."""
        from strata.bank.retained_words import rests_on  # noqa: PLC0415 - patterns

        for day, gone in self._gone.items():
            told = {e: parse_retained(e) for e in self._left[day].values()}
            left = [t for t, e in self._left[day].items() if isinstance(told[e], str)]
            for text, entry in [*self._left[day].items()]:
                retained = told[entry]
                if isinstance(retained, str):
                    continue
                if rests_on(retained, gone, left, day):
                    self._take_line(day, text, entry)
                    gone[text] = self._left[day].pop(text)

    def _take_resting(self, kind: str) -> None:
        """Let a line of a week or of MEMORY.md go that nothing which stays would bring."""
        for said in self._lines(kind):
            entries = self._sources.get(said.raw, []) or self._resembling(said)
            gone = [text for day, text in entries if self._goes(day, text)]
            left = [text for day, text in entries if not self._goes(day, text)]
            stays = _says_one(said.text, left) or (
                left and not _says_one(said.text, gone)
            )
            if gone and not stays and said.day:
                self._chosen.scoped[said.day, said.text] = None
            elif gone and not stays:
                self._chosen.everywhere[said.text] = None

    def _lines(self, kind: str) -> Iterator[Said]:
        """Yield what stands in the *kind* of notes; versions and copies are of it too."""
        for document in self._documents:
            if document.kind == kind:
                yield from sayings(document.path, document.text)

    def _resembling(self, said: Said) -> list[Entry]:
        """Return what a line may rest on, where the journal does not know."""
        days = [said.day] if said.day else source_days(said.raw)
        return [
            (day, text)
            for day in ([] if said.frame else days)
            for text in [*self._gone.get(day, {}), *self._left.get(day, {})]
            if _says_one(said.text, [text])
        ]

    def _goes(self, day: date, text: str) -> bool:
        words = words_of(text)
        if any(words == words_of(each) for each in self._gone.get(day, {})):
            return True
        return (day, text) in self._chosen.scoped or text in self._chosen.everywhere

    def _take_evidence(self) -> None:
        chosen = self._chosen
        for day, entries in self._gone.items():
            known = self._evidence(day, entries.values())
            for name, session, message, _ in known:
                chosen.ids.add(name)
                chosen.evidence.add((session, message))
            chosen.ids |= {statement_id(with_source(text, [day])) for text in entries}

    def _take_described(self) -> None:
        """Take what a model said of a page in other words, wherever a copy has it."""
        left = {words_of(text) for texts in self._left.values() for text in texts}
        for record in self._records:
            if record["event"] != DESCRIBED:
                continue
            for line in records_in(record.get("lines")):
                text = str(line.get("text") or "")
                goes = any(self._goes(*entry) for entry in _sources_of(line))
                # What is said word for word in a note that stays, stays there.
                if text and goes and words_of(text) not in left:
                    self._chosen.everywhere[text] = None

    def _take_records(self) -> None:
        """Take the journal's own wordings, and every id that stands for one."""
        chosen = self._chosen
        for record in self._records:
            if self._is_meant(record):
                names = ("text", "line", "left") if self._by_words else ("line", "left")
                texts = [spoken(str(record.get(name) or "")) for name in names]
                chosen.everywhere |= dict.fromkeys(filter(None, texts))
                chosen.ids.add(str(record.get("id")))
        chosen.ids |= {statement_id(with_source(t, [day])) for day, t in chosen.scoped}
        for text in chosen.statements:
            chosen.ids |= {statement_id(text), f"recall:{recall_key(text)}"}

    def _rename(self) -> None:
        """Give what stays without its topic the ids of what it says then."""
        for kind in ("note", "weekly", "long-term"):
            for said in self._lines(kind):
                if not said.frame and self._lone_topics(said.raw):
                    self._rename_line(said)
        for record in self._records:
            text = str(record.get("text") or "")
            if self._lone_topics(text):
                self._renamed(text, topicless(text))

    def _rename_line(self, said: Said) -> None:
        entry = unbulleted(said.raw)
        bare = topicless(entry)
        self._renamed(entry, bare)
        self._renamed(spoken(entry), spoken(bare))
        if said.day:
            both = (with_source(text, [said.day]) for text in (entry, bare))
            self._renamed(*both)
        for record, told in self._captures(said.day, [entry]):
            kept = self._without_topic(record, told)
            session, first = str(record.get("session")), first_message(kept)
            self._chosen.renamed[str(told["id"])] = entry_id(session, first, bare)

    def _renamed(self, text: str, bare: str) -> None:
        self._chosen.renamed[statement_id(text)] = statement_id(bare)
        self._chosen.ids.add(f"recall:{recall_key(text)}")

    def _without_topic(
        self, record: dict[str, Any], told: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the entry *told* without the evidence that says it, or may do so."""
        words = self._trails.words(record, told)
        says = self._target.is_said_by
        gone = [
            cited
            for at, (cited, each) in enumerate(
                zip(evidence_of(told), words, strict=True)
            )
            if (says(each.text) if each.state == "ok" else at)
        ]
        self._chosen.ids |= {quote_id(told["id"], cited) for cited in gone}
        return told | {"evidence": [e for e in evidence_of(told) if e not in gone]}

    @cached_property
    def _trails(self) -> Trails:
        return Trails(self._memory)

    def _is_meant(self, record: dict[str, Any]) -> bool:
        text = spoken(str(record.get("text") or ""))
        if self._lone_topics(text):
            return False
        if text in self._chosen.everywhere or (text and self._target.is_said_by(text)):
            return True
        entries = _sources_of(record)
        return bool(entries) and all(self._goes(*entry) for entry in entries)


def _says_one(text: str, entries: Iterable[str]) -> bool:
    words = words_of(text)
    return any(words == words_of(each) or is_same(text, each) for each in entries)


def _sources_of(record: dict[str, Any]) -> list[Entry]:
    """Return the entries that *record* names as sources, by their days."""
    found = []
    for each in record.get("sources") or ():
        try:
            day = date.fromisoformat(str(each["day"]))
            found.append((day, spoken(str(each["entry"]))))
        except (KeyError, TypeError, ValueError):
            continue
    return found
