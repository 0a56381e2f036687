"""One conversation settles into its daily notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from strata.history.evidence import (
    asked_materials,
    capture_record,
    written_blocks,
)
from strata.jobs.capturing.extraction import Extraction
from strata.jobs.capturing.hearing import known_quarantined
from strata.models import Block, Fact
from strata.notes.coverage import uncovered
from strata.notes.daily import add_block, entry_lines
from strata.notes.entries import render_entry
from strata.notes.marks import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from strata.jobs.capturing.captured import Captured
    from strata.jobs.capturing.extraction import Found
    from strata.jobs.capturing.gathering import Gathering
    from strata.memory import Memory
    from strata.models import Session
    from strata.notes.coverage import Stretch
    from strata.transcripts.openclaw import Outline, Transcripts


@dataclass(frozen=True, slots=True)
class Settled:
    """
    What became of one conversation; *reason* tells why *blocks* are none.

    It *waits* where a model would have been asked, had there been time.
    """

    blocks: tuple[tuple[Block, str], ...] = ()
    reason: str = "nothing new"
    malformed_lines: int = 0
    unsupported_facts: int = 0
    waits: bool = False


@dataclass(frozen=True, slots=True)
class _Plan:
    """A block to be written to *path*, with the facts behind its entries."""

    found: Found
    block: Block
    path: str
    entries: tuple[tuple[str, Fact], ...]


class Capture:
    """
    Settles conversations, one after the other, into the notes of one memory.

    Of a model it takes what that has answered before; *outlines* are of the conversations
    about which it was asked just now.
    """

    def __init__(
        self,
        memory: Memory,
        transcripts: Transcripts,
        captured: Captured,
        outlines: Mapping[str, Outline],
        *,
        dry: bool,
    ) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._captured = captured
        self._outlines = outlines
        self._dry = dry
        self._waits = False
        self._written = written_blocks(memory.journal)
        self._extraction = Extraction(memory, transcripts)
        self._quarantined = known_quarantined(memory)

    def settle(self, session: Session, label: str) -> Settled:
        """Write down what *session* said that no note holds yet."""
        outline = self._outlines.get(session.id) or self._transcripts.outline(session)
        if outline.users < self._memory.settings.capture_user_messages:
            noun = "message" if outline.users == 1 else "messages"
            return Settled((), f"{outline.users} user {noun}", outline.malformed_lines)
        self._extraction.refused = 0
        self._waits = False
        blocks = tuple(self._blocks(session, label, outline))
        reason = "" if blocks else "nothing new"
        return Settled(
            blocks,
            reason,
            outline.malformed_lines,
            self._extraction.refused,
            self._waits,
        )

    def gather(
        self, session: Session, label: str, gathering: Gathering
    ) -> Outline | None:
        """
        Give *gathering* what the model is to be asked about *session*; nothing is written.

        Return how far the conversation went then, or None where there was nothing to ask.
        """
        outline = self._transcripts.outline(session)
        if outline.users < self._memory.settings.capture_user_messages:
            return None
        stretches = self._stretches(session, label, outline)
        if stretches:
            asked = asked_materials(self._memory.journal, session.id)
            gathering.add(self._extraction, session, stretches, asked)
        return outline if stretches else None

    def _blocks(
        self, session: Session, label: str, outline: Outline
    ) -> Iterator[tuple[Block, str]]:
        standing = self._captured.blocks(label)
        stretches = self._stretches(session, label, outline)
        found = [each for each in self._found(session, stretches) if each.facts]
        if not found and not standing:
            # A conversation that was worth having leaves at least a trace.
            found = list(self._extraction.by_rules(session, stretches[-1:], floor=1))
        found = [self._extraction.admitted(session, each) for each in found]
        planned = list(self._planned(label, outline, found))
        self._set_apart()
        if planned and not self._dry:
            self._write(session, outline, planned)
        for plan in planned:
            yield plan.block, plan.path

    def _stretches(
        self, session: Session, label: str, outline: Outline
    ) -> Sequence[Stretch]:
        return uncovered(
            outline.times,
            self._captured.blocks(label),
            self._written.get(session.id, ()),
            self._memory.timezone,
        )

    def _set_apart(self) -> None:
        # Before the blocks are written: what they cover is not read again.
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

    def _found(self, session: Session, stretches: Sequence[Stretch]) -> Iterable[Found]:
        if not stretches or self._memory.model is None:
            return self._extraction.by_rules(session, stretches, floor=0)
        found = self._by_model(session, stretches)
        self._waits = session.id not in self._outlines and not all(
            each.material for each in found
        )
        return found

    def _by_model(self, session: Session, stretches: Sequence[Stretch]) -> list[Found]:
        from strata.jobs.capturing.model_extraction import by_model  # noqa: PLC0415 - few have one

        model = self._memory.model
        asked = asked_materials(self._memory.journal, session.id)
        return (
            by_model(self._extraction, model, session, stretches, asked)
            if model
            else []
        )

    def _planned(
        self, label: str, outline: Outline, found: Iterable[Found]
    ) -> Iterator[_Plan]:
        """Give the blocks to be written; what the notes hold already is not said again."""
        own = self._captured.entries(label)
        for each in found:
            stretch = each.stretch
            path = self._captured.path(stretch.day)
            day = entry_lines(self._memory.workspace.read(path))
            # Two conversations may say the same; the second still leaves a trace of itself.
            fresh = _fresh(each.facts, own | day) or (
                [] if own else _fresh(each.facts, own)
            )
            if fresh:
                own |= day | {folded(entry) for entry, _ in fresh}
                time = _wall_clock(outline.times[stretch.last - 1], self._memory)
                entries = tuple(entry for entry, _ in fresh)
                block = Block(stretch.day, time, label, stretch.last, entries)
                yield _Plan(each, block, path, tuple(fresh))

    def _write(
        self, session: Session, outline: Outline, planned: Sequence[_Plan]
    ) -> None:
        # The journal first: should a note never be written, the next sync finds that the
        # block is not there and writes it with the same words.
        records = [
            capture_record(
                session,
                plan.block,
                path=plan.path,
                stretch=plan.found.stretch,
                last_at=outline.times[plan.found.stretch.last - 1],
                entries=plan.entries,
                material=plan.found.material,
                waits=self._waits,
            )
            for plan in planned
        ]
        self._memory.journal.append(records)
        for plan in planned:
            change = partial(add_block, block=plan.block)
            self._memory.workspace.update(plan.path, change)
            self._captured.add(plan.block, plan.path)


def _fresh(facts: Iterable[Fact], said: set[str]) -> list[tuple[str, Fact]]:
    """Return the entries that say something which *said* does not hold yet."""
    fresh: dict[str, tuple[str, Fact]] = {}
    for fact in facts:
        entry = render_entry(fact.entry)
        if entry and folded(entry) not in said:
            fresh.setdefault(folded(entry), (entry, fact))
    return list(fresh.values())


def _wall_clock(seconds: float, memory: Memory) -> str:

    moment = datetime.fromtimestamp(seconds, UTC).astimezone(memory.timezone)
    return moment.strftime("%H:%M")
