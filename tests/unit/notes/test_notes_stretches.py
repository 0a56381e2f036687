"""Where a conversation divides, and when what was said last may still go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from builders_talk import Course

from strata.notes.stretches import MOST_MESSAGES, is_open, stretches

START = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)


def minutes(*offsets: float) -> list[float]:
    return [(START + timedelta(minutes=offset)).timestamp() for offset in offsets]


def spans(course: Course) -> list[tuple[int, int]]:
    return [(each.first, each.last) for each in stretches(course, UTC)]


@pytest.mark.parametrize(
    ("offsets", "resets", "expected"),
    [
        ([], set(), []),
        ([0, 59, 118], set(), [(1, 3)]),
        ([0, 60], set(), [(1, 1), (2, 2)]),
        ([0, 1, 2], {1}, [(1, 1), (2, 3)]),
        ([0, 1], {0, 2}, [(1, 2)]),
        ([0, 13 * 60 + 59, 14 * 60], set(), [(1, 1), (2, 2), (3, 3)]),
    ],
)
def test_reset_pause_and_midnight_part_stretches(
    offsets: list[float], resets: set[int], expected: list[tuple[int, int]]
) -> None:
    """
    An hour without a word parts, fifty-nine minutes do not.
    """
    assert spans(Course(minutes(*offsets), frozenset(resets))) == expected


def test_long_stretch_ends_before_the_owners_next_word() -> None:
    """
    An answer is never parted from its question, and no stretch goes on for ever.
    """
    course = Course(minutes(*(number / 10 for number in range(3 * MOST_MESSAGES))))

    assert [last for _, last in spans(course)] == [100, 200, 300]
    odd = Course([course.times[0], *course.times], frozenset({1}))
    assert [last for _, last in spans(odd)] == [1, 102, 202, 301]


@pytest.mark.parametrize(
    ("later", "resets", "expected"),
    [
        (timedelta(minutes=59), set(), True),
        (timedelta(minutes=60), set(), False),
        (timedelta(minutes=1), {2}, False),
    ],
)
def test_stretch_is_open_until_a_pause_or_a_reset(
    later: timedelta, resets: set[int], *, expected: bool
) -> None:
    """
    Only in the last stretch may more be said, and not for long.
    """
    course = Course(minutes(0, 1), frozenset(resets))
    [last] = stretches(course, UTC)
    now = START + timedelta(minutes=1) + later

    assert is_open(last, course, UTC, now) is expected


def test_day_is_that_of_the_zone_to_the_second() -> None:
    """
    Midnight parts where it is midnight, also where that is at a quarter past.
    """
    midnight = datetime(2026, 10, 25, 18, 15, tzinfo=UTC).timestamp()
    course = Course([midnight - 1, midnight, midnight + 899, midnight + 900])

    found = stretches(course, ZoneInfo("Asia/Kathmandu"))

    assert [(each.day.day, each.first, each.last) for each in found] == [
        (25, 1, 1),
        (26, 2, 4),
    ]
