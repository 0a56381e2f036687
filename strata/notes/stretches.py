"""A conversation divides into stretches: what was said without a reset or a long pause."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, tzinfo

PAUSE_SECONDS = 3600.0
# Without a pause the owner's next word begins a new one: what was said is settled for good.
MOST_MESSAGES = 100

_USER = ord("u")


class Course(Protocol):
    """When who spoke: message number n is at index n - 1 of *times* and *roles*."""

    @property
    def times(self) -> Sequence[float]:
        """The moments, in seconds since 1970."""

    @property
    def roles(self) -> bytes:
        """One ``u`` for each of the user's messages, something else for the others."""

    @property
    def resets(self) -> Collection[int]:
        """The messages after which the conversation was reset."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Messages *first* to *last* of one conversation, all said on the local *day*."""

    day: date
    first: int
    last: int


def stretches(course: Course, timezone: tzinfo) -> list[Stretch]:
    """
    Return the stretches of *course*, in order; they depend on nothing else.

    What is said later changes the last of them at most: those before stay as they are.
    """
    found: list[Stretch] = []
    first, day = 1, None
    for number, moment in enumerate(course.times, 1):
        today = _day_of(moment, timezone)
        if day and (today != day or _is_parted(course, first, number)):
            found.append(Stretch(day, first, number - 1))
            first = number
        day = today
    return [*found, Stretch(day, first, len(course.times))] if day else []


def is_open(stretch: Stretch, course: Course, timezone: tzinfo, now: datetime) -> bool:
    """Say whether more may be said in *stretch* after *now*."""
    if stretch.last < len(course.times) or stretch.last in course.resets:
        return False
    silent_seconds = now.timestamp() - course.times[-1]
    same_day = now.astimezone(timezone).date() == stretch.day
    return same_day and silent_seconds < PAUSE_SECONDS


def _is_parted(course: Course, first: int, number: int) -> bool:
    """Say whether message *number* begins a new stretch after that which began *first*."""
    if number - 1 in course.resets:
        return True
    if course.times[number - 1] - course.times[number - 2] >= PAUSE_SECONDS:
        return True
    is_long = number - first >= MOST_MESSAGES
    return is_long and course.roles[number - 1] == _USER


def _day_of(moment: float, timezone: tzinfo) -> date:
    return datetime.fromtimestamp(moment, UTC).astimezone(timezone).date()
