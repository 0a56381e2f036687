"""What time it is, and by whose clock."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from strata.errors import SettingsError, UsageError

# Other places where a host may name its zone, below the root.
_ELSEWHERE = (
    *("system/bin/getprop", "var/db/zoneinfo"),
    *("etc/sysconfig/clock", "etc/conf.d/clock"),
)
_EARLIEST_YEAR = 1970
_LATEST_YEAR = 9000


class HostZone(tzinfo):
    """
    The host's own rules, for a zone without a name.

    ``TZ=CST-8`` is one, and common in containers; the C library knows what it means.
    """

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """Return how far the wall clock *moment* is ahead of UTC."""
        if moment is None:
            return None
        wall = moment.replace(tzinfo=None)
        at = datetime.fromtimestamp(wall.timestamp(), UTC)
        return wall - at.replace(tzinfo=None)

    def dst(self, moment: datetime | None) -> timedelta | None:  # noqa: ARG002 - as it is called
        """Return nothing: the host does not tell."""
        return None

    def tzname(self, moment: datetime | None) -> str:  # noqa: ARG002 - as it is called
        """Return the name of the rules."""
        return str(self)

    def fromutc(self, moment: datetime) -> datetime:
        """Return the wall clock at *moment*, which is in UTC."""
        seconds = moment.replace(tzinfo=UTC).timestamp()
        local = datetime.fromtimestamp(seconds)  # noqa: DTZ006 - the host's is asked for
        return local.replace(tzinfo=self)

    def __str__(self) -> str:
        """Return what tells it from another host's."""
        return f"{time.tzname[0]} (UTC{-time.timezone / 3600:+g})"


def local_timezone(name: str, *, told_by: str = "timezone") -> tzinfo:
    """
    Return the zone called *name*, or the host's own where *name* is empty.

    *told_by* is the setting that a person has to mend if there is no such zone.
    """
    if not name:
        return _host_zone()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise SettingsError.of("time.no-zone", told_by=told_by, name=name) from None


def clock(now: str | None, timezone: tzinfo) -> datetime:
    """Return the moment *now* says (local where it names no offset), or this one."""
    if now is None:
        return datetime.now(UTC).astimezone(timezone)
    try:
        moment = datetime.fromisoformat(now)
    except ValueError:
        moment = None
    if moment is None or not _EARLIEST_YEAR <= moment.year <= _LATEST_YEAR:
        raise UsageError.of("time.now", now=now)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone)
    return moment.astimezone(timezone)


def linked_zone(root: Path = Path("/")) -> ZoneInfo | None:
    """
    Read the zone from where nearly every host keeps it: a link, and perhaps its name.

    None where there is any doubt; tzlocal knows all other places, and takes 12 ms.
    """
    if "TZ" in os.environ or any((root / place).exists() for place in _ELSEWHERE):
        return None
    try:
        name = str((root / "etc/localtime").readlink()).rpartition("/zoneinfo/")[2]
        told = root / "etc/timezone"
        if told.exists() and told.read_text(encoding="ascii").strip() != name:
            return None
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _host_zone() -> tzinfo:
    if zone := linked_zone():
        return zone
    # A zone, not today's offset: notes of last winter had another one.
    from tzlocal import get_localzone  # noqa: PLC0415 - few runs need it

    try:
        found: tzinfo = get_localzone()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return HostZone()
    return found
