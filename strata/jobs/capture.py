"""One conversation settles into its daily notes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING

from strata.distillation.grounding import unsupported
from strata.jobs.evidence import capture_record, written_blocks
from strata.models import Block, Fact
from strata.notes.coverage import uncovered
from strata.notes.daily import add_block, entry_lines, folded
from strata.notes.entries import render_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.jobs.captured import Captured
    from strata.memory import Memory
    from strata.models import Message, Session
    from strata.notes.coverage import Stretch
    from strata.transcripts.openclaw import Outline, Transcripts


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one conversation; *reason* tells why *blocks* are none."""

    blocks: tuple[tuple[Block, str], ...] = ()
    reason: str = "nothing new"
    malformed_lines: int = 0
    unsupported_facts: int = 0


class Capture:
    """Settles conversations, one after the other, into the notes of one memory."""

    def __init__(
        self, memory: Memory, transcripts: Transcripts, captured: Captured, *, dry: bool
    ) -> None:
        self._memory = memory
        self._transcripts = transcripts
        self._captured = captured
        self._dry = dry
        self._written = written_blocks(memory.journal)
        self._unsupported = 0

    def settle(self, session: Session, label: str) -> Settled:
        """Write down what *session* said that no note holds yet."""
        outline = self._transcripts.outline(session)
        if outline.users < self._memory.settings.capture_user_messages:
            noun = "message" if outline.users == 1 else "messages"
            return Settled((), f"{outline.users} user {noun}", outline.malformed_lines)
        self._unsupported = 0
        blocks = tuple(self._blocks(session, label, outline))
        reason = "" if blocks else "nothing new"
        return Settled(blocks, reason, outline.malformed_lines, self._unsupported)

    def _blocks(
        self, session: Session, label: str, outline: Outline
    ) -> Iterator[tuple[Block, str]]:
        standing = self._captured.blocks(label)
        stretches = uncovered(
            outline.times,
            standing,
            self._written.get(session.id, ()),
            self._memory.timezone,
        )
        found = [
            (stretch, facts)
            for stretch, facts in self._facts(session, stretches, floor=0)
            if facts
        ]
        if not found and not standing:
            # A conversation that was worth having leaves at least a trace.
            found = list(self._facts(session, stretches[-1:], floor=1))
        for stretch, facts in found:
            yield from self._write(session, label, outline, stretch, facts)

    def _facts(
        self, session: Session, stretches: Sequence[Stretch], *, floor: int
    ) -> Iterator[tuple[Stretch, list[Fact]]]:
        lasts = [stretch.last for stretch in stretches]

        def stretch_of(number: int) -> int:
            position = bisect_left(lasts, number)
            inside = position < len(lasts) and stretches[position].first <= number
            return position if inside else -1

        messages = self._transcripts.read(
            session, wanted=lambda number: stretch_of(number) >= 0
        )
        for position, said in groupby(
            messages, key=lambda message: stretch_of(message.number)
        ):
            kept = self._kept(said)
            facts = self._memory.plugins.hook.extract_facts(
                messages=kept, timezone=self._memory.timezone, floor=floor
            )
            yield stretches[position], self._supported(facts or [])

    def _kept(self, messages: Iterable[Message]) -> Iterator[Message]:
        drop = self._memory.plugins.hook.drop_message
        if not drop.get_hookimpls():
            return iter(messages)
        return (message for message in messages if not drop(message=message))

    def _supported(self, facts: Sequence[Fact]) -> list[Fact]:
        """Keep the facts that the words they cite support; count the others."""
        kept = [
            fact
            for fact in facts
            if unsupported(fact, timezone=self._memory.timezone) is None
        ]
        self._unsupported += len(facts) - len(kept)
        return kept

    def _write(
        self,
        session: Session,
        label: str,
        outline: Outline,
        stretch: Stretch,
        facts: Sequence[Fact],
    ) -> Iterator[tuple[Block, str]]:
        path = self._captured.path(stretch.day)
        own = self._captured.entries(label)
        day = entry_lines(self._memory.workspace.read(path))
        # Two conversations may say the same; the second still leaves a trace of itself.
        fresh = _fresh(facts, own | day) or ([] if own else _fresh(facts, own))
        if not fresh:
            return
        last_at = outline.times[stretch.last - 1]
        block = Block(
            stretch.day,
            _wall_clock(last_at, self._memory),
            label,
            stretch.last,
            tuple(entry for entry, _ in fresh),
        )
        if not self._dry:
            # The journal first: should the note never be written, the next sync finds
            # that the block is not there and writes it with the same words.
            record = capture_record(
                session,
                block,
                path=path,
                stretch=stretch,
                last_at=last_at,
                entries=fresh,
            )
            self._memory.journal.append([record])
            self._memory.workspace.update(path, lambda text: add_block(text, block))
            self._captured.add(block, path)
        yield block, path


def _fresh(facts: Iterable[Fact], said: set[str]) -> list[tuple[str, Fact]]:
    """Return the entries that say something which *said* does not hold yet."""
    fresh: dict[str, tuple[str, Fact]] = {}
    for fact in facts:
        entry = render_entry(fact)
        if entry and folded(entry) not in said:
            fresh.setdefault(folded(entry), (entry, fact))
    return list(fresh.values())


def _wall_clock(seconds: float, memory: Memory) -> str:

    moment = datetime.fromtimestamp(seconds, UTC).astimezone(memory.timezone)
    return moment.strftime("%H:%M")
