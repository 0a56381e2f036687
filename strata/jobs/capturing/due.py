"""What of a conversation is still to be written down, and into which block."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from strata.history.evidence import is_block, written
from strata.notes.coverage import uncovered
from strata.notes.daily import parse_daily
from strata.notes.stretches import is_open, stretches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.jobs.capturing.captured import Captured
    from strata.memory import Memory
    from strata.models import Block
    from strata.notes.stretches import Stretch
    from strata.transcripts.openclaw import Outline

    Records = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Due:
    """
    A stretch that gets a block, which takes the place of *old* where that is given.

    It is *whole* unless other blocks have a part of it; while it is *open*, more may be
    said in it.
    """

    stretch: Stretch
    old: Block | None
    whole: bool
    open: bool


def all_due(
    memory: Memory, label: str, outline: Outline, captured: Captured, records: Records
) -> list[Due]:
    """
    Return what the notes lack of the conversation that is called *label*, in order.

    *records* are the journal's of its blocks. A block of ours that was written before its
    stretch had ended is written anew; one that somebody changed is left, and what was
    said since gets another block.
    """
    blocks, timezone = captured.blocks(label), memory.timezone
    pieces = uncovered(outline, blocks, written(records), timezone)
    parts = stretches(outline, timezone) if pieces else []
    found = []
    for piece in pieces:
        place = bisect_right(parts, piece.first, key=lambda each: each.first) - 1
        part, stretch = parts[place], piece
        old, record = _before(memory, label, piece, captured, records)
        if old and _begins_in(part, record, outline.times):
            stretch = replace(piece, first=int(record["first"]))
        else:
            old = None
        still_open = is_open(part, outline, timezone, memory.now)
        found.append(Due(stretch, old, stretch == part, still_open))
    return found


def _begins_in(
    part: Stretch, record: Mapping[str, Any], times: Sequence[float]
) -> bool:
    """Say whether the block of *record* has the first words of *part*, as they are now."""
    as_it_was = abs(times[int(record["last"]) - 1] - float(record["last_at"])) < 1
    return int(record["first"]) >= part.first and as_it_was


def _before(
    memory: Memory, label: str, piece: Stretch, captured: Captured, records: Records
) -> tuple[Block | None, Mapping[str, Any]]:
    """Return the block of ours on which *piece* follows, if nobody changed it."""
    path, last = captured.path(piece.day), piece.first - 1
    day = piece.day.isoformat()
    told = [each for each in records if (each["day"], each["last"]) == (day, last)]
    # The week of an archived day was made of it as it is.
    if told and not path.startswith("memory/archive/"):
        for block in parse_daily(memory.workspace.read(path), piece.day).blocks:
            same = (each for each in reversed(told) if is_block(each, block))
            if (block.label, block.messages) == (label, last):
                record = next(same, None)
                return (block, record) if record else (None, {})
    return None, {}
