"""One conversation settles into its daily notes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from strata.history.evidence import asked_materials, capture_record, written_blocks
from strata.jobs.capturing.captured import fresh_entries
from strata.jobs.capturing.extraction import Extraction
from strata.jobs.capturing.hearing import known_quarantined
from strata.models import Block
from strata.notes.coverage import uncovered
from strata.notes.daily import add_block, entry_lines
from strata.notes.marks import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.history.evidence import Ranges
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
        self._written = written_blocks(memory.journal)
        self._extraction = Extraction(memory, transcripts)
        self._quarantined = known_quarantined(memory)

    def settle(self, session: Session, label: str, asked: Outline | None) -> Settled:
        """
        Write down what *session* said that no note holds yet.

        *asked* is how far it went when the model was asked about it, None where it was not.
        """
        outline = asked or self._transcripts.outline(session)
        if outline.users < self._memory.settings.capture_user_messages:
            noun = "message" if outline.users == 1 else "messages"
            return Settled((), f"{outline.users} user {noun}", outline.malformed_lines)
        standing = self._captured.blocks(label)
        stretches = self._stretches(session, label, outline)
        self._extraction.refused = 0
        found = self._found(session, stretches)
        unasked = asked is None and not all(each.material for each in found)
        waits = unasked and self._memory.model is not None
        found = [each for each in found if each.facts]
        if not found and not standing:
            # A conversation that was worth having leaves at least a trace.
            found = list(self._extraction.by_rules(session, stretches[-1:], floor=1))
        found = [self._extraction.admitted(session, each) for each in found]
        planned = list(self._planned(session, label, outline, found, waits=waits))
        # Before the blocks are written: what they cover is not read again.
        self._set_apart()
        if not self._dry:
            self._write(planned)
        return Settled(
            tuple((block, path) for _, block, path in planned),
            malformed_lines=outline.malformed_lines,
            unsupported_facts=self._extraction.refused,
            waits=waits,
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
            asked = self._asked.get(session.id, {})
            gathering.add(self._extraction, session, stretches, asked)
        return outline if stretches else None

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

    def _found(self, session: Session, stretches: Sequence[Stretch]) -> list[Found]:
        model = self._memory.model
        if not stretches or model is None:
            return list(self._extraction.by_rules(session, stretches, floor=0))
        from strata.jobs.capturing.model_extraction import by_model  # noqa: PLC0415 - few have one

        asked = self._asked.get(session.id, {})
        return by_model(self._extraction, model, session, stretches, asked)

    @cached_property
    def _asked(self) -> dict[str, dict[tuple[int, int], Ranges]]:
        return asked_materials(self._memory.journal)

    def _planned(
        self,
        session: Session,
        label: str,
        outline: Outline,
        found: Iterable[Found],
        *,
        waits: bool,
    ) -> Iterator[tuple[dict[str, Any], Block, str]]:
        """
        Give the blocks to be written, with the journal's record of each, and where.

        What the notes hold already is not said again.
        """
        own = self._captured.entries(label)
        for each in found:
            stretch = each.stretch
            path = self._captured.path(stretch.day)
            day = entry_lines(self._memory.workspace.read(path))
            # Two conversations may say the same; the second still leaves a trace of itself.
            fresh = fresh_entries(each.facts, (own | day).__contains__)
            if not (fresh or own):
                fresh = fresh_entries(each.facts, own.__contains__)
            if fresh:
                own |= day | {folded(entry) for entry, _ in fresh}
                last_at = outline.times[stretch.last - 1]
                time = _wall_clock(last_at, self._memory)
                entries = tuple(entry for entry, _ in fresh)
                block = Block(stretch.day, time, label, stretch.last, entries)
                record = capture_record(
                    session,
                    block,
                    path=path,
                    stretch=stretch,
                    last_at=last_at,
                    entries=fresh,
                    material=each.material,
                    waits=waits,
                )
                yield record, block, path

    def _write(self, planned: Sequence[tuple[dict[str, Any], Block, str]]) -> None:
        # The journal first: should a note never be written, the next sync finds that the
        # block is not there and writes it with the same words.
        if planned:
            self._memory.journal.append([record for record, _, _ in planned])
        for _, block, path in planned:
            self._memory.workspace.update(path, partial(add_block, block=block))
            self._captured.add(block, path)


def _wall_clock(seconds: float, memory: Memory) -> str:
    moment = datetime.fromtimestamp(seconds, UTC).astimezone(memory.timezone)
    return moment.strftime("%H:%M")
