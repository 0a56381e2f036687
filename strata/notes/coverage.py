"""
Which messages of a conversation no note has captured yet.

The notes themselves say what has been captured: a block's heading tells the moment of
its last message and how many messages had been said by then. This module reads that
back, so that nothing is lost or doubled when a conversation grows, is rewound to an
earlier message, or when somebody deletes a block.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import groupby
from typing import TYPE_CHECKING

from strata.notes.stretches import Stretch, stretches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from strata.models import Block
    from strata.notes.stretches import Course

# Every zone's offset is a multiple of a quarter of an hour, and none is beyond 14 hours.
_QUARTER_SECONDS = 15 * 60
_FARTHEST_SECONDS = 14 * 3600


@dataclass(frozen=True, slots=True)
class Written:
    """What the journal knows of a block: where it began, and its last message's moment."""

    day: date
    first: int
    last: int
    last_at: float


def uncovered(
    course: Course,
    blocks: Iterable[Block],
    written: Iterable[Written],
    timezone: tzinfo,
) -> list[Stretch]:
    """
    Return what no block covers of the stretches of a conversation, in order.

    *blocks* are the headings that stand in the notes now; *written* is what the journal
    remembers, which may be nothing.
    """
    clock, times = _clock(timezone), course.times
    known = {(record.day, record.last): record for record in written}
    ends = _ends(times, list(blocks), known, clock)
    covered = _covered(times, ends, known, clock)
    return [
        piece
        for stretch in stretches(course, timezone)
        for piece in _missing(stretch, covered)
    ]


def _covered(
    times: Sequence[float],
    ends: Mapping[int, date],
    known: Mapping[tuple[date, int], Written],
    clock: Callable[[float], datetime],
) -> bytearray:
    """Return one flag a message, by its number; a conversation may have a million."""
    covered = bytearray(len(times) + 1)
    previous = 0
    for end in sorted(ends):
        day = ends[end]
        record = known.get((day, end))
        start = max(previous, record.first - 1) if record else previous
        for number in range(start + 1, end + 1):
            if record or clock(times[number - 1]).date() == day:
                covered[number] = 1
        previous = end
    return covered


def _ends(
    times: Sequence[float],
    blocks: Sequence[Block],
    known: Mapping[tuple[date, int], Written],
    clock: Callable[[float], datetime],
) -> dict[int, date]:
    """Return the number of each block's last message, as the transcript is now."""
    shift = _shift(times, blocks, clock)
    standing = [block for block in blocks if _stands(times, block, known, clock)]
    ends = {block.messages: block.day for block in standing}
    # Somebody who copies a block into the note of another day says nothing new with it.
    copies = {(block.time, block.messages) for block in standing}
    for block in blocks:
        if (block.time, block.messages) in copies:
            continue
        if shift and _moment_matches(times, block, clock, shift):
            ends[block.messages] = clock(times[block.messages - 1]).date()
        elif end := _last_before(times, block, clock):
            ends.setdefault(end, block.day)
    return ends


def _stands(
    times: Sequence[float],
    block: Block,
    known: Mapping[tuple[date, int], Written],
    clock: Callable[[float], datetime],
) -> bool:
    if not 1 <= block.messages <= len(times):
        return False
    if record := known.get((block.day, block.messages)):
        return abs(times[block.messages - 1] - record.last_at) < 1
    return _moment_matches(times, block, clock, timedelta())


def _moment_matches(
    times: Sequence[float],
    block: Block,
    clock: Callable[[float], datetime],
    shift: timedelta,
) -> bool:
    if not 1 <= block.messages <= len(times):
        return False
    said = clock(times[block.messages - 1]).replace(second=0, microsecond=0)
    return said + shift == _moment(block)


def _shift(
    times: Sequence[float], blocks: Sequence[Block], clock: Callable[[float], datetime]
) -> timedelta:
    """
    Return by how much all blocks are off, for a user who has changed the time zone.

    Nothing, unless every one of them is off by the same quarters of an hour.
    """
    shifts = {
        _moment(block)
        - clock(times[block.messages - 1]).replace(second=0, microsecond=0)
        for block in blocks
        if 1 <= block.messages <= len(times)
    }
    if len(shifts) != 1:
        return timedelta()
    (shift,) = shifts
    seconds = abs(shift.total_seconds())
    possible = seconds % _QUARTER_SECONDS == 0 and seconds <= 2 * _FARTHEST_SECONDS
    return shift if possible else timedelta()


def _last_before(
    times: Sequence[float], block: Block, clock: Callable[[float], datetime]
) -> int:
    """Return the last message up to the block's minute: where a rewound branch parted."""
    moment = _moment(block)
    end = 0
    for number, time in enumerate(times, 1):
        if clock(time).replace(second=0, microsecond=0) > moment:
            break
        end = number
    return end


def _missing(stretch: Stretch, covered: bytearray) -> Iterator[Stretch]:
    numbers = range(stretch.first, stretch.last + 1)
    first = stretch.first
    for is_covered, run in groupby(numbers, key=covered.__getitem__):
        last = first + len(list(run)) - 1
        if not is_covered:
            yield Stretch(stretch.day, first, last)
        first = last + 1


def _moment(block: Block) -> datetime:
    return datetime.fromisoformat(f"{block.day.isoformat()}T{block.time}")


def _clock(timezone: tzinfo) -> Callable[[float], datetime]:
    """Return what turns seconds since 1970 into the naive local wall clock."""

    def clock(seconds: float) -> datetime:
        aware = datetime.fromtimestamp(seconds, UTC).astimezone(timezone)
        return aware.replace(tzinfo=None)

    return clock
