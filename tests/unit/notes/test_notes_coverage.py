"""What no note has captured is found from the notes alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from builders_talk import Course

from strata.models import Block
from strata.notes.coverage import Written, uncovered
from strata.notes.stretches import Stretch

START = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
DAY = date(2026, 11, 20)


def minutes(*offsets: float) -> list[float]:
    return [(START + timedelta(minutes=offset)).timestamp() for offset in offsets]


def block(number: int, time: str, day: date = DAY) -> Block:
    return Block(day, time, "61871d67", number)


def test_new_conversation_is_one_stretch() -> None:
    """
    Without blocks everything is new.
    """
    assert uncovered(Course(minutes(0, 1, 2)), [], [], UTC) == [Stretch(DAY, 1, 3)]


def test_grown_conversation_goes_on_after_its_watermark() -> None:
    """
    What a block covers is not captured again.
    """
    assert uncovered(Course(minutes(0, 1, 2, 3)), [block(2, "10:01")], [], UTC) == [
        Stretch(DAY, 3, 4)
    ]


def test_each_local_day_is_a_stretch_of_its_own() -> None:
    """
    A conversation across midnight gives a stretch in each day, by the user's clock.
    """
    zone = ZoneInfo("Asia/Shanghai")
    times = minutes(5 * 60 + 50, 6 * 60 + 10)

    assert uncovered(Course(times), [], [], zone) == [
        Stretch(date(2026, 11, 20), 1, 1),
        Stretch(date(2026, 11, 21), 2, 2),
    ]


def test_deleted_day_is_captured_again() -> None:
    """
    A day whose note was deleted is missing, even though later days are there.
    """
    times = minutes(0, 24 * 60, 48 * 60)
    blocks = [block(1, "10:00"), block(3, "10:00", date(2026, 11, 22))]

    assert uncovered(Course(times), blocks, [], UTC) == [
        Stretch(date(2026, 11, 21), 2, 2)
    ]


def test_deleted_block_between_others_is_captured_again() -> None:
    """
    The journal knows where a block began, so a gap inside one day shows too.
    """
    times = minutes(0, 1, 2, 3)
    written = [
        Written(DAY, 1, 2, times[1]),
        Written(DAY, 3, 4, times[3]),
    ]

    assert uncovered(Course(times), [block(4, "10:03")], written, UTC) == [
        Stretch(DAY, 1, 2)
    ]


def test_rewound_conversation_is_captured_from_where_it_parted() -> None:
    """
    After a rewind the count is lower than the watermark, and the new words count.
    """
    times = minutes(0, 1, 30, 31)

    assert uncovered(Course(times), [block(6, "10:05")], [], UTC) == [
        Stretch(DAY, 3, 4)
    ]


def test_rewound_and_regrown_conversation_is_not_mistaken() -> None:
    """
    As many messages as before, but other ones: the minute of the last tells.
    """
    times = minutes(0, 1, 30, 31, 32, 33)

    assert uncovered(Course(times), [block(6, "10:05")], [], UTC) == [
        Stretch(DAY, 3, 6)
    ]


def test_block_after_a_rewind_is_the_new_watermark() -> None:
    """
    The block that still fits the transcript counts, not the one with the higher number.
    """
    times = minutes(0, 1, 30, 31, 40)
    blocks = [block(6, "10:05"), block(4, "10:31")]

    assert uncovered(Course(times), blocks, [], UTC) == [Stretch(DAY, 5, 5)]


def test_clock_set_back_neither_loses_nor_doubles() -> None:
    """
    Messages that claim an earlier day than those before them are captured once.
    """
    times = minutes(0, 1, -24 * 60, -24 * 60 + 1)
    blocks = [block(2, "10:01"), block(4, "10:01", date(2026, 11, 19))]

    assert uncovered(Course(times), blocks[:1], [], UTC) == [
        Stretch(date(2026, 11, 19), 3, 4)
    ]
    assert uncovered(Course(times), blocks, [], UTC) == []


def test_another_time_zone_does_not_capture_again() -> None:
    """
    Blocks written before the user moved are still those of the same messages.
    """
    times = minutes(0, 1, 60, 61)
    blocks = [block(2, "10:01"), block(4, "11:01")]

    assert uncovered(Course(times), blocks, [], ZoneInfo("Asia/Kolkata")) == []


def test_journal_settles_which_message_ended_a_block() -> None:
    """
    With the journal, a move to another zone is no question at all.
    """
    times = minutes(0, 1)
    written = [Written(DAY, 1, 2, times[1])]

    assert uncovered(Course(times), [block(2, "23:58")], written, UTC) == []


def test_block_copied_into_the_note_of_another_day_hides_nothing() -> None:
    """
    What was said on that other day, before the copied time, is still captured.
    """
    tomorrow = date(2026, 11, 21)
    times = minutes(0, 1, 23 * 60, 23 * 60 + 1)
    blocks = [block(2, "10:01"), block(2, "10:01", tomorrow)]

    assert uncovered(Course(times), blocks, [], UTC) == [Stretch(tomorrow, 3, 4)]
