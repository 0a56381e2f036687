"""However a conversation grows and however often it is captured: each message once."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from builders_talk import Course
from hypothesis import given
from hypothesis import strategies as st

from strata.models import Block
from strata.notes.coverage import Written, uncovered

if TYPE_CHECKING:
    from strata.notes.stretches import Stretch

START = datetime(2026, 11, 20, 20, 0, tzinfo=UTC).timestamp()

gaps = st.lists(st.integers(min_value=0, max_value=6 * 3600), min_size=1, max_size=40)


def moments(seconds: list[int]) -> list[float]:
    times, now = [], START
    for gap in seconds:
        now += gap
        times.append(now)
    return times


def ended(stretch: Stretch, times: list[float]) -> Block:
    moment = datetime.fromtimestamp(times[stretch.last - 1], UTC)
    return Block(stretch.day, moment.strftime("%H:%M"), "label", stretch.last)


@given(gaps, st.lists(st.integers(1, 40), max_size=6))
def test_every_message_is_captured_exactly_once(
    seconds: list[int], syncs: list[int]
) -> None:
    """
    Syncs at any moments of a growing conversation cover it without gap or overlap.
    """
    times = moments(seconds)
    blocks: list[Block] = []
    covered: Counter[int] = Counter()
    for seen in [*sorted(min(each, len(times)) for each in syncs), len(times)]:
        for stretch in uncovered(Course(times[:seen]), blocks, [], UTC):
            covered.update(range(stretch.first, stretch.last + 1))
            blocks.append(ended(stretch, times))

    assert covered == Counter(range(1, len(times) + 1))
    assert uncovered(Course(times), blocks, [], UTC) == []


@given(gaps, st.lists(st.integers(1, 40), max_size=6), st.data())
def test_deleted_block_comes_back_as_it_was(
    seconds: list[int], syncs: list[int], data: st.DataObject
) -> None:
    """
    Whichever block somebody deletes, the journal makes the same stretch due again.
    """
    times = moments(seconds)
    blocks: list[Block] = []
    written: list[Written] = []
    stretches: list[Stretch] = []
    for seen in [*sorted(min(each, len(times)) for each in syncs), len(times)]:
        for stretch in uncovered(Course(times[:seen]), blocks, written, UTC):
            stretches.append(stretch)
            blocks.append(ended(stretch, times))
            written.append(
                Written(
                    stretch.day, stretch.first, stretch.last, times[stretch.last - 1]
                )
            )
    lost = data.draw(st.integers(0, len(blocks) - 1))

    due = uncovered(Course(times), blocks[:lost] + blocks[lost + 1 :], written, UTC)

    assert due == [stretches[lost]]


@given(gaps, gaps, st.integers(0, 39))
def test_rewound_branch_is_captured_and_the_old_one_left(
    seconds: list[int], later: list[int], kept: int
) -> None:
    """
    After a rewind exactly the messages of the new branch are due.
    """
    times = moments(seconds)
    kept = min(kept, len(times))
    blocks = [
        ended(stretch, times) for stretch in uncovered(Course(times), [], [], UTC)
    ]
    written = [
        Written(block.day, 1, block.messages, times[block.messages - 1])
        for block in blocks
    ]
    rewound = times[:kept] + [times[-1] + 120 + each for each in moments(later)]

    due = uncovered(Course(rewound), blocks, written, UTC)

    numbers = [n for each in due for n in range(each.first, each.last + 1)]
    assert set(range(kept + 1, len(rewound) + 1)) <= set(numbers)


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=400)))
def test_no_time_of_the_year_is_special(offset: timedelta) -> None:
    """
    A block written at any moment covers its message, changes of the clock included.
    """
    times = [START + offset.total_seconds()]
    blocks = [ended(each, times) for each in uncovered(Course(times), [], [], UTC)]

    assert uncovered(Course(times), blocks, [], UTC) == []
