"""One conversation settles into its daily notes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.evidence import capture_record, capture_records
from strata.jobs.capturing.captured import fresh_entries, write_block
from strata.jobs.capturing.due import all_due
from strata.jobs.capturing.extraction import Extraction, Found
from strata.jobs.capturing.hearing import known_quarantined
from strata.jobs.capturing.placing import Placing
from strata.models import Block
from strata.notes.daily import items
from strata.notes.marks import folded
from strata.notes.stretches import stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.jobs.capturing.captured import Captured
    from strata.jobs.capturing.due import Due
    from strata.jobs.capturing.gathering import Gathering
    from strata.memory import Memory
    from strata.models import Session
    from strata.transcripts.openclaw import Outline, Transcripts
    from strata.workspace.seen import Glance


@dataclass(frozen=True, slots=True)
class Settled:
    """
    What became of one conversation; *reason* tells why *blocks* are none.

    It *waits* where a model may find what the rules did not, and was not asked yet, or
    where a hand changed a note meanwhile. The first messages that have the digest *said*
    are *settled* for good.
    """

    blocks: tuple[tuple[Block, str], ...] = ()
    reason: str = "nothing new"
    malformed_lines: int = 0
    unsupported_facts: int = 0
    waits: bool = False
    settled: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation, what its blocks are called, and how far it goes."""

    session: Session
    label: str
    outline: Outline


@dataclass(frozen=True, slots=True)
class _Planned:
    """*block* goes into the note *path* in the place of *old*; either may be none."""

    path: str
    old: Block | None
    block: Block | None
    record: dict[str, Any]


class Capture:
    """
    Settles conversations, one after the other, into the notes of one memory.

    Of a model it takes what that has answered before.
    """

    def __init__(
        self,
        memory: Memory,
        transcripts: Transcripts,
        captured: Captured,
        *,
        dry: bool,
    ) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._captured = captured
        self._dry = dry
        self._records = capture_records(memory.journal)
        self._extraction = Extraction(memory, transcripts)
        self._quarantined = known_quarantined(memory)
        self._placing = Placing(self._extraction)

    def settle(
        self,
        session: Session,
        label: str,
        asked: Outline | None,
        before: Glance | None = None,
    ) -> Settled:
        """
        Write down what *session* said that no note holds yet.

        *asked* is how far it went when the model was asked about it, None where it was not.
        What was settled *before* is not read again.
        """
        outline = asked or self._transcripts.outline(session)
        if outline.users < self._memory.settings.capture_user_messages:
            noun = "message" if outline.users == 1 else "messages"
            return Settled((), f"{outline.users} user {noun}", outline.malformed_lines)
        due = self._due(session, label, outline, before)
        self._extraction.refused = 0
        has_model = self._memory.model is not None
        talk, planned = _Talk(session, label, outline), []
        # The last stretch may go on.
        settled = stretches(outline, self._memory.timezone)[-1].first - 1
        waits = False
        for each, found in zip(due, self._found(session, due), strict=True):
            unheard = has_model and not found.answered
            waiting = unheard and (asked is None or each.open)
            project = self._project_of(talk, found)
            placed = self._placing.placed(found, project)
            admitted = self._extraction.admitted(session, placed)
            plan = self._plan(talk, each, admitted, project, waits=waiting)
            planned += [plan] if plan else []
            # A block says in the journal that it waits.
            if waiting and not (plan and plan.block):
                waits, settled = True, min(settled, each.stretch.first - 1)
        # Before the blocks are written: what they cover is not read again.
        self._set_apart()
        done = planned if self._dry else self._write(planned)
        if len(done) < len(planned):
            waits, settled = True, 0
        return Settled(
            tuple((each.block, each.path) for each in done if each.block),
            malformed_lines=outline.malformed_lines,
            unsupported_facts=self._extraction.refused,
            waits=waits,
            settled=settled,
            said=_said(outline, settled),
        )

    def gather(
        self,
        session: Session,
        label: str,
        gathering: Gathering,
        before: Glance | None = None,
    ) -> Outline | None:
        """
        Give *gathering* what the model is to be asked about *session*; nothing is written.

        What may still go on is asked about when it has ended. Return how far the
        conversation went then, or None where there was nothing to ask.
        """
        outline = self._transcripts.outline(session)
        if outline.users < self._memory.settings.capture_user_messages:
            return None
        due = self._due(session, label, outline, before)
        ended = [each.stretch for each in due if not each.open]
        if ended:
            gathering.add(self._extraction, session, ended)
        return outline if due else None

    def _due(
        self, session: Session, label: str, outline: Outline, before: Glance | None
    ) -> list[Due]:
        records = self._records.get(session.id, ())
        due = all_due(self._memory, label, outline, self._captured, records)
        if before is None or before.blocks != self._captured.digest(label):
            return due
        settled = before.settled if before.said == _said(outline, before.settled) else 0
        return [each for each in due if each.stretch.last > settled]

    def _set_apart(self) -> None:
        forgotten = self._extraction.forgotten
        records = [
            each
            for each in self._extraction.hearing.records(self._quarantined)
            if not (forgotten and forgotten.forgets_text(each["text"]))
        ]
        if records and not self._dry:
            if any(each.get("digest") for each in records):
                self._memory.private.allowances.keep_key()
            self._memory.journal.append(records)

    def _found(self, session: Session, due: Sequence[Due]) -> Iterator[Found]:
        """Give for each that is *due* what is worth keeping of it."""
        model, asked = self._memory.model, [each.stretch for each in due]
        found: Iterable[Found] = ()
        if asked and model is None:
            found = self._extraction.by_rules(session, asked)
        elif asked and model is not None:
            from strata.jobs.capturing.model_extraction import by_model  # noqa: PLC0415 - few have one

            found = by_model(self._extraction, model, session, asked)
        by_stretch = {each.stretch: each for each in found}
        # Of what was said off the record there is nothing to be asked.
        nothing = partial(Found, facts=(), answered=True)
        return (by_stretch.get(each) or nothing(each) for each in asked)

    def _project_of(self, talk: _Talk, found: Found) -> str:
        if not found.facts:
            return ""
        times, stretch = talk.outline.times, found.stretch
        first, last = times[stretch.first - 1], times[stretch.last - 1]
        return self._placing.project_of(talk.session, first, last)

    def _plan(
        self, talk: _Talk, due: Due, found: Found, project: str, *, waits: bool
    ) -> _Planned | None:
        """Return what is to be written of what was *found*, None where that is nothing."""
        stretch, path = due.stretch, self._captured.path(due.stretch.day)
        said = () if due.whole else self._said(talk.label, path, due.old)
        entries = fresh_entries(found.facts, lambda entry: entry in said)
        if not entries:
            return _Planned(path, due.old, None, {}) if due.old else None
        last_at = talk.outline.times[stretch.last - 1]
        time = _wall_clock(last_at, self._memory)
        words = tuple(entry for entry, _ in entries)
        block = Block(stretch.day, time, talk.label, stretch.last, words)
        record = capture_record(
            talk.session,
            block,
            path=path,
            stretch=stretch,
            last_at=last_at,
            entries=entries,
            answered=found.answered,
            waits=waits,
            project=project,
        )
        return _Planned(path, due.old, block, record)

    def _said(self, label: str, path: str, old: Block | None) -> set[str]:
        """Return what other blocks of *label* than *old* say in the note *path*."""
        return {
            folded(item.said)
            for item in items(self._memory.workspace.read(path))
            if item.block
            and item.block.label == label
            and not (old and item.block.messages == old.messages)
        }

    def _write(self, planned: Sequence[_Planned]) -> list[_Planned]:
        """Write what is *planned*; return it without what a hand has changed meanwhile."""
        # The journal first: should a note never be written, the next sync finds that the
        # block is not there and writes it with the same words.
        records = [each.record for each in planned if each.record]
        if records:
            self._memory.journal.append(records)
        done = []
        for each in planned:
            workspace = self._memory.workspace
            if write_block(workspace, each.path, each.block, old=each.old):
                self._captured.put(each.block, each.path, old=each.old)
                done.append(each)
        return done


def _said(outline: Outline, number: int) -> str:
    """Return what tells the first messages from others, up to message *number*."""
    told = outline.times[:number].tobytes() + outline.roles[:number]
    return hashlib.sha256(told).hexdigest()[:16]


def _wall_clock(seconds: float, memory: Memory) -> str:
    moment = datetime.fromtimestamp(seconds, UTC).astimezone(memory.timezone)
    return moment.strftime("%H:%M")
