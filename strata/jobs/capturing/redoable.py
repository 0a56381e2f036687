"""Blocks that rules wrote and nobody has edited: a model may still do better."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import TranscriptUnreadable
from strata.history.evidence import is_block
from strata.history.names import CAPTURED, PROJECT, WRITTEN
from strata.jobs.capturing.exclusions import exclusions
from strata.notes.daily import parse_daily
from strata.notes.stretches import Stretch, is_open
from strata.transcripts.classification import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from strata.jobs.capturing.extraction import Extraction
    from strata.memory import Memory
    from strata.models import Block, Session


@dataclass(frozen=True, slots=True)
class RuleBlock:
    """A block as it stands in the note *path*, with the journal's record of it."""

    block: Block
    path: str
    record: dict[str, Any]

    @property
    def stretch(self) -> Stretch:
        """The messages that it is about."""
        return Stretch(self.block.day, int(self.record["first"]), self.block.messages)

    @property
    def waits(self) -> bool:
        """Whether it was written in a hurry, and no model was asked yet."""
        return bool(self.record.get("waits"))

    @property
    def project(self) -> str:
        """The project in whose folder it was said, "" where none is known."""
        return str(self.record.get(PROJECT) or "")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation and those of its blocks that may be done again, in order."""

    session: Session
    blocks: tuple[RuleBlock, ...]


def redoable(
    extraction: Extraction, since: datetime, *, waiting: bool = False
) -> list[Conversation]:
    """
    Return what rules captured from *since* on, as far as it can be done again.

    Not what somebody edited, what is archived (its week was made of it), what the
    transcript no longer holds as it was, nor what may still go on: a stretch is asked
    about once, when it has ended. Of the rest all, or only what is *waiting*.
    """
    memory, transcripts = extraction.memory, extraction.transcripts
    by_session: dict[str, list[RuleBlock]] = defaultdict(list)
    for found in _standing(memory, since.astimezone(memory.timezone).date()):
        if found.waits or not waiting:
            by_session[str(found.record["session"])].append(found)
    excluded = exclusions(memory.state_folder)
    conversations = []
    for session in transcripts.sessions() if by_session else ():
        if (
            session.kind not in PRIVATE
            or excluded.cover(session)
            or session.id not in by_session
        ):
            continue
        blocks = _as_it_was(extraction, session, by_session[session.id])
        if blocks:
            conversations.append(Conversation(session, blocks))
    return conversations


def relied_on(memory: Memory) -> frozenset[str]:
    """Return the ids of the entries that lines of MEMORY.md were made of."""
    return frozenset(
        str(source.get("entry_id"))
        for record in memory.journal.records(*WRITTEN)
        for source in record.get("sources") or ()
        if source.get("entry_id")
    )


def _standing(memory: Memory, since: date) -> Iterator[RuleBlock]:
    records: dict[tuple[str, str, int], list[dict[str, Any]]] = defaultdict(list)
    for record in memory.journal.records(CAPTURED):
        # What the owner told Strata itself is no block of a conversation.
        if isinstance(record.get("last"), int) and record.get("entries"):
            key = (str(record.get("label")), str(record.get("day")), record["last"])
            records[key].append(record)
    for day, path in memory.workspace.layout.daily_notes():
        if day < since or path.startswith("memory/archive/"):
            continue
        for block in parse_daily(memory.workspace.read(path), day).blocks:
            known = records.get((block.label, day.isoformat(), block.messages), ())
            # After a crash the last record may be of words that never reached the note.
            same = [each for each in known if is_block(each, block)]
            if same and not any("material" in each for each in same):
                yield RuleBlock(block, path, same[-1])


def _as_it_was(
    extraction: Extraction, session: Session, blocks: list[RuleBlock]
) -> tuple[RuleBlock, ...]:
    """Return those of *blocks* that have ended and whose last message is where it was."""
    memory = extraction.memory
    try:
        outline = extraction.transcripts.outline(session)
    except TranscriptUnreadable:
        return ()
    times = outline.times
    return tuple(
        each
        for each in sorted(blocks, key=lambda block: block.stretch.first)
        if each.block.messages <= len(times)
        and abs(times[each.block.messages - 1] - float(each.record["last_at"])) < 1
        and not is_open(each.stretch, outline, memory.timezone, memory.now)
    )
