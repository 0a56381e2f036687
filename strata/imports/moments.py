"""When something was said, in whatever form an export tells it."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_LATEST = datetime(2201, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 10**11


def moment(told: Any) -> datetime | None:  # Any: it is JSON
    """
    Return the moment that is *told* by ISO 8601, or by seconds or milliseconds since 1970.

    None where it is none, or none at which anybody can have talked to a program.
    """
    found = None
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(told, str):
            found = datetime.fromisoformat(told)
            found = found if found.tzinfo else found.replace(tzinfo=UTC)
        elif isinstance(told, int | float) and not isinstance(told, bool):
            seconds = told / 1000 if told >= _MILLISECONDS_FROM else told
            found = datetime.fromtimestamp(seconds, UTC)
    return found if found and _EARLIEST <= found < _LATEST else None


def in_order(
    told: Iterable[tuple[Any, Any]], begun: datetime | None
) -> Iterator[tuple[datetime, Any]]:  # Any: as above, and what was said then
    """
    Yield each of *told*, a time and what was said then, with a moment that never goes back.

    Where no time is told it is the one before; the conversation has *begun* then. Nothing
    comes of what nobody can date.
    """
    now = begun
    for time, said in told:
        at = moment(time)
        now = max(at, now) if at and now and now is not begun else at or now
        if now:
            yield now, said
