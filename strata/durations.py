"""How far back: ``30d``, ``4h``, or a date."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from strata.errors import UsageError

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment_since(text: str, now: datetime) -> datetime:
    """Return the moment that *text*, a duration before *now* or an ISO date, names."""
    if found := re.fullmatch(r"(\d{1,5})\s*([mhdw])", text.strip()):
        return now - timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{text!r} is no time; write 4h, 30d, 2w or a date like 2026-11-20"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
