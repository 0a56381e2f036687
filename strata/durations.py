"""How far back: ``30d``, ``4h``, a date, or in words: last Wednesday, 三天前."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from strata.errors import UsageError

if TYPE_CHECKING:
    from datetime import date

    from strata.language.dates.asked import Asked

_GOES_ON = re.compile(r"-[^\W\d_]|[a-z]", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
# Bounds that any time zone can express.
_EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def moment_since(text: str, now: datetime) -> datetime:
    """
    Return the moment from which on *text* means.

    It is a duration before *now*, an ISO date, or words that `asked_days` understands.
    """
    if moment := _counted(text.strip(), now):
        return moment
    first = _days(text, now)[0]
    if first is None:
        raise UsageError.of("time.no-day", text=text)
    return _at_midnight(first, now)


def moment_until(text: str, now: datetime) -> datetime:
    """Return the moment up to which *text* means: of days in words the last one's."""
    moment = _counted(text.strip(), now)
    return moment or _at_midnight(_days(text, now)[1] or now.date(), now)


def _counted(text: str, now: datetime) -> datetime | None:
    if found := re.fullmatch(r"(\d{1,5})\s*([mhdw])", text):
        return max(now - timedelta(**{_UNITS[found[2]]: int(found[1])}), _EARLIEST)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    return min(max(aware, _EARLIEST), _LATEST)


def in_order(since: datetime | None, until: datetime | None) -> None:
    """Raise `UsageError` where a time ends before it begins."""
    # A day that ends a time counts as a whole.
    if since and until and until.date() < since.date():
        raise UsageError.of("time.order", until=until, since=since)


def _days(text: str, now: datetime) -> tuple[date | None, date | None]:
    from strata.language.dates.asked import asked_days  # noqa: PLC0415 - only for words

    for words in (text, f"in {text.strip()}"):
        asked = asked_days(words, now.date())
        if asked.stretches and not _is_about(words, asked):
            # Of two years that may be meant the one that has been.
            return asked.stretches[-1].first, asked.stretches[-1].last
    raise UsageError.of("time.no-time", text=text)


def _is_about(text: str, asked: Asked) -> bool:
    """Tell whether a day is named as part of a longer word: yesterday-ish."""
    starts = {start for start, _ in asked.words}
    return any(
        _GOES_ON.match(text, end) and end + 1 not in starts for _, end in asked.words
    )


def _at_midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time(), tzinfo=now.tzinfo)
