"""What an agent wrote below "Retain" counts as far as that day's conversations say it."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.history.evidence import capture_record, is_entry, records_in
from strata.history.ledger import statement_id
from strata.history.names import CAPTURED, RETAINED
from strata.history.projection import History
from strata.jobs.capturing.exclusions import exclusions
from strata.jobs.capturing.scoping import Scoping
from strata.jobs.forgetting.recognition import recogniser
from strata.models import Block, Frame, Origin
from strata.notes.daily import items
from strata.notes.entries import parse_entry
from strata.notes.labels import SHORTEST
from strata.notes.retain import (
    DONE,
    SUMMARY,
    WORLD,
    read_retained,
    retained_in,
    said_by_retained,
    tag_of,
)
from strata.notes.stretches import Stretch
from strata.workspace.layout import LONG_TERM
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from strata.history.statements import Statement
    from strata.jobs.capturing.hearing import Hearing
    from strata.jobs.capturing.vouching import Place
    from strata.language.material import Line
    from strata.memory import Memory
    from strata.models import Fact, Retained, Session
    from strata.notes.daily import Item
    from strata.transcripts.openclaw import Transcripts

    # Any: it is what JSON holds.
    Record = dict[str, Any]

VERSION = 1
# What is said late may still bear out a line for so long; then it waits for the owner.
_FRESH = timedelta(days=1)
# Of the places where a line may have been said, so many are looked at, the likeliest first.
_PLACES = 24
_REASON = "an agent retained it, and your words of that day do not bear it out"
_SAID_SINCE = "you have said so yourself since"


class _Open(NamedTuple):
    """A line that nobody has judged yet: *said* is what it says, masked."""

    item: Item
    retained: Retained
    said: str

    @property
    def id(self) -> str:
        """The id of what it says."""
        return statement_id(self.said)


class _Talk(NamedTuple):
    """What was said in a conversation on a day, as it is heard."""

    session: Session
    hearing: Hearing
    lines: Sequence[Line]


def retained_records(memory: Memory) -> list[Record]:
    """
    Return what the journal shall say of lines below "Retain" that it does not know yet.

    What was said becomes evidence, as an entry of ours is; what was not waits for the
    owner. A summary is neither.
    """
    return list(_Judging(memory).records())


class _Judging:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        # Of each conversation, when its messages were said.
        self._times: dict[str, Sequence[float]] = {}

    def records(self) -> Iterator[Record]:
        workspace = self._memory.workspace
        daily = {path: day for day, path in workspace.layout.daily_notes()}
        for path, text in workspace.texts(daily):
            day = daily[path]
            found = list(self._open(text, day))
            talks = list(self._talks(day)) if found else []
            for each in found:
                told_only = _is_told_only(each, text, day)
                yield from self._judged(each, [] if told_only else talks, day, path)

    def _open(self, text: str, day: date) -> Iterator[_Open]:
        """Yield the lines of the note *text* that are to be judged, or judged again."""
        known, seen = recogniser(self._memory), set[str]()
        fresh = day >= self._memory.now.date() - _FRESH
        for item, read in retained_in(text):
            each = None if isinstance(read, str) else self._line(item, read)
            # To mask takes longest, and few lines hold a secret.
            if each is None or self._is_known(each, day, fresh=fresh):
                continue
            each = self._masked(item)
            if each is None or self._is_known(each, day, fresh=fresh):
                continue
            # What was forgotten must not come back by way of the journal.
            forgotten = known and known.forgets_text(each.said)
            if each.id not in seen and not forgotten:
                seen.add(each.id)
                yield each

    def _line(self, item: Item, read: Retained) -> _Open | None:
        """Return what *item* says, None where it is never evidence."""
        if read.kind == SUMMARY:
            return None
        return _Open(item, read, said_by_retained(read))

    def _masked(self, item: Item) -> _Open | None:
        said = self._memory.masked(item.said)
        read = read_retained(item._replace(said=said))
        return None if isinstance(read, str) else self._line(item, read)

    def _is_known(self, each: _Open, day: date, *, fresh: bool) -> bool:
        """Say whether *each* counts, was decided about, or is old and was judged."""
        decided = self._history.decisions
        return (
            each.id in decided.accepted
            or each.id in decided.declined
            or (each.id in self._statements and not fresh)
            or self._is_captured(each.item, day)
        )

    def _judged(
        self, each: _Open, talks: Iterable[_Talk], day: date, path: str
    ) -> Iterator[Record]:
        for talk in talks:
            if fact := self._borne_out(each, talk):
                yield self._captured_as(each.item, fact, talk.session, day, path)
                if self._waits(each):
                    reason = {"dimension": RETAINED, "reason": _SAID_SINCE}
                    yield {"event": "merged", **self._told(each), **reason}
                return
        # What was judged before, here or on another day, is in review already.
        if each.id not in self._statements:
            yield self._to_wait(each, day, path)

    def _borne_out(self, each: _Open, talk: _Talk) -> Fact | None:
        """Return *each* as a fact where *talk* says it, of what it has to be said by."""
        from strata.jobs.capturing.vouching import (  # noqa: PLC0415 - patterns
            borne_out,
            said_by_owner,
            told_to_owner,
        )

        does = each.retained.kind == DONE
        places = told_to_owner(talk.lines) if does else said_by_owner(talk.lines)
        for place in _likeliest(each.said, talk.lines, places):
            fact = borne_out(
                each.said, talk.lines, [place], timezone=self._memory.timezone
            )
            if fact and self._is_said(each.retained, fact, talk):
                return self._ours(each.retained, fact, talk)
        return None

    def _is_said(self, retained: Retained, fact: Fact, talk: _Talk) -> bool:
        """Say whether whoever has to have said so did, clause by clause."""
        from strata.bank.retained_words import is_said  # noqa: PLC0415 - patterns

        cited = {evidence.message_id for evidence in fact.evidence}
        by_owner = retained.kind != DONE
        said = [
            (line.text, line.message.time.astimezone(self._memory.timezone))
            for line in talk.lines
            if line.message.id in cited and line.by_owner is by_owner
        ]
        return is_said(retained, said)

    def _ours(self, retained: Retained, fact: Fact, talk: _Talk) -> Fact | None:
        """Return *fact* with the tag of *retained*, None where it is another's."""
        settled = talk.hearing.settled(fact)
        origins = [evidence.origin for evidence in settled.evidence]
        if retained.kind == DONE:
            ours = {Origin.OWNER, Origin.AGENT}.issuperset(origins)
        else:
            # Without a tag it is doubted, or another's.
            ours = settled.tag is not None and origins[0] is Origin.OWNER
        return replace(settled, tag=tag_of(retained)) if ours else None

    def _talks(self, day: date) -> Iterator[_Talk]:
        """Give what was said on *day* in the conversations that are of this memory."""
        for session in self._sessions:
            # Where it lies tells when it was written to last, and not when it began.
            if self._day_of(session.updated_at.timestamp()) < day:
                continue
            with suppress(TranscriptUnreadable):
                if talk := self._talk(session, day):
                    yield talk

    def _talk(self, session: Session, day: date) -> _Talk | None:
        from strata.jobs.capturing.extraction import Extraction  # noqa: PLC0415 - patterns
        from strata.language.material import (  # noqa: PLC0415 - patterns
            line_of,
            numbered,
        )

        if session.id not in self._times:
            self._times[session.id] = self._transcripts.outline(session).times
        times = self._times[session.id]
        said = [n for n, at in enumerate(times, 1) if self._day_of(at) == day]
        if not said:
            return None
        # What was forgotten, or what a plugin drops, bears nothing out.
        extraction = Extraction(self._memory, self._transcripts)
        read = extraction.read(session, [(said[0], said[-1])])
        heard = [line_of(each) for _, messages in read for each in messages]
        return _Talk(session, extraction.hearing, numbered(filter(None, heard)))

    def _day_of(self, seconds: float) -> date:
        return (
            datetime.fromtimestamp(seconds, UTC)
            .astimezone(self._memory.timezone)
            .date()
        )

    @cached_property
    def _sessions(self) -> list[Session]:
        """The conversations that are of this memory and may be kept."""
        memory, scoping = self._memory, Scoping(self._memory.private, self._seen.scopes)
        excluded = exclusions(memory.private.state_folder)
        with suppress(OpenClawNotFound, UnsupportedStore):
            return [
                session
                for session in self._transcripts.sessions()
                if scoping.scope_of(session)[0] == memory.scope
                and not excluded.cover(session)
                and not memory.never_stored.covers(session.key)
            ]
        return []

    @cached_property
    def _transcripts(self) -> Transcripts:
        return self._memory.private.transcripts(self._seen.kinds)

    @cached_property
    def _seen(self) -> Seen:
        return Seen(self._memory.private.workspace, under="")

    def _captured_as(
        self, item: Item, fact: Fact, session: Session, day: date, path: str
    ) -> Record:
        """Return the record by which *item* is evidence; it covers no message."""
        return capture_record(
            session,
            Block(day, "", self._label_of(session), 0),
            path=path,
            stretch=Stretch(day, 0, 0),
            last_at=0.0,
            entries=[(item.said, fact)],
        )

    def _to_wait(self, each: _Open, day: date, path: str) -> Record:
        entry = self._memory.masked(each.item.said)
        source = {"day": day.isoformat(), "path": path, "entry": entry}
        return {
            "event": "waiting",
            **self._told(each),
            "dimension": RETAINED,
            "reason": _REASON,
            "day": day.isoformat(),
            "sources": [source],
            "origin": Origin.AGENT.value,
        }

    def _told(self, each: _Open) -> Record:
        at = self._memory.now.isoformat(timespec="seconds")
        return {"version": VERSION, "at": at, "id": each.id, "text": each.said}

    def _waits(self, each: _Open) -> bool:
        """Say whether *each* waits because it was retained, and for nothing else."""
        found = self._statements.get(each.id)
        if found is None or found.kind != "waiting":
            return False
        return bool(found.record.get("dimension") == RETAINED)

    def _is_captured(self, item: Item, day: date) -> bool:
        return any(
            is_entry(record, told, item.said)
            for record in self._captured[day.isoformat()]
            for told in records_in(record.get("entries"))
        )

    def _label_of(self, session: Session) -> str:
        """Return what the notes call *session*: it is no second conversation."""
        return self._labels.get(session.id, session.id[:SHORTEST])

    @cached_property
    def _captured(self) -> dict[str, list[Record]]:
        """What was captured, by the day of the note."""
        found: dict[str, list[Record]] = defaultdict(list)
        for record in self._memory.journal.records(CAPTURED):
            found[str(record.get("day"))].append(record)
        return found

    @cached_property
    def _labels(self) -> dict[str, str]:
        return {
            str(record.get("session")): str(record["label"])
            for records in self._captured.values()
            for record in records
            if record.get("label")
        }

    @cached_property
    def _history(self) -> History:
        return History(self._memory.journal, worded=False)

    @cached_property
    def _statements(self) -> dict[str, Statement]:
        page = self._memory.workspace.read(LONG_TERM)
        return {each.id: each for each in self._history.statements(page)}


def _is_told_only(each: _Open, note: str, day: date) -> bool:
    """Say whether the entries of *note* have *each* as what the owner only told of."""
    from strata.bank.retained_words import rests_on  # noqa: PLC0415 - patterns

    if each.retained.kind != WORLD:
        return False
    entries = [parse_entry(item.said) for item in items(note) if not item.retained]
    told = [entry.text for entry in entries if entry.frame is Frame.SAYING]
    plain = [entry.text for entry in entries if entry.frame is not Frame.SAYING]
    return rests_on(each.retained, told, plain, day)


def _likeliest(
    said: str, lines: Sequence[Line], places: Iterable[Place]
) -> Iterator[Place]:
    """Give those of *places* that have words of *said*, the most first."""
    from strata.language.statement import read  # noqa: PLC0415 - patterns

    told = read(said).terms
    terms = {line.id: read(line.text).terms & told for line in lines}

    def shared(place: Place) -> int:
        return len(frozenset[str]().union(*(terms[number] for number in place.cited)))

    ranked = sorted(places, key=shared, reverse=True)
    return islice((each for each in ranked if shared(each)), _PLACES)
