"""A conversation divides into stretches: what was said without a reset or a long pause."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date, tzinfo

PAUSE_SECONDS = 3600.0
# Without a pause the owner's next word begins a new one: what was said is settled for good.
MOST_MESSAGES = 100

_USER = ord("u")
# Within one the day is the same: no clock has changed in the midst of one since 2012.
_QUARTER_SECONDS = 900


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
    times = array("d", course.times).tobytes()
    return list(_divided(times, course.roles, frozenset(course.resets), timezone))


# Several steps of a sync ask for those of one conversation, which may have a million
# messages.
@lru_cache(maxsize=1)
def _divided(
    moments: bytes, roles: bytes, resets: frozenset[int], timezone: tzinfo
) -> tuple[Stretch, ...]:
    days: dict[float, date] = {}
    found: list[Stretch] = []
    first, day, before = 1, None, 0.0
    for number, moment in enumerate(array("d", moments), 1):
        quarter = moment // _QUARTER_SECONDS
        if quarter not in days:
            days[quarter] = _day_of(moment, timezone)
        today = days[quarter]
        if day and (
            today != day
            or moment - before >= PAUSE_SECONDS
            or number - 1 in resets
            or (number - first >= MOST_MESSAGES and roles[number - 1] == _USER)
        ):
            found.append(Stretch(day, first, number - 1))
            first = number
        day, before = today, moment
    return (*found, Stretch(day, first, number)) if day else ()


def is_open(stretch: Stretch, course: Course, timezone: tzinfo, now: datetime) -> bool:
    """Say whether more may be said in *stretch* after *now*."""
    if stretch.last < len(course.times) or stretch.last in course.resets:
        return False
    silent_seconds = now.timestamp() - course.times[-1]
    same_day = now.astimezone(timezone).date() == stretch.day
    return same_day and silent_seconds < PAUSE_SECONDS


def _day_of(moment: float, timezone: tzinfo) -> date:
    return datetime.fromtimestamp(moment, UTC).astimezone(timezone).date()
