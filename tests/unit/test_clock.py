"""The wall clock is the one that the user has on the wall."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
import tzlocal

from strata.clock import HostZone, clock, linked_zone, local_timezone
from strata.errors import SettingsError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    # tzlocal asks the host once in a process.
    monkeypatch.setattr(tzlocal.unix, "_cache_tz", None)
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


def test_zone_without_a_name_is_the_hosts(host: pytest.MonkeyPatch) -> None:
    """
    Containers say TZ=CST-8 for Shanghai, which is no name of a zone.
    """
    host.setenv("TZ", "CST-8")
    time.tzset()

    zone = local_timezone("")

    now = clock("2026-11-20T22:30:00+00:00", zone)
    assert now.isoformat() == "2026-11-21T06:30:00+08:00"
    assert str(zone) == "CST (UTC+8)"


@pytest.mark.parametrize("start", ["2026-03-28", "2026-10-24", "2026-07-01"])
def test_hosts_rules_hold_when_clocks_change(
    host: pytest.MonkeyPatch, start: str
) -> None:
    """
    Every moment of a day has the offset of the zone that has a name, and comes back.
    """
    host.setenv("TZ", BERLIN)
    time.tzset()
    zone, named = HostZone(), ZoneInfo("Europe/Berlin")
    first = datetime.fromisoformat(f"{start}T20:00:00+00:00")

    for quarter in range(60):
        moment = first + quarter * timedelta(minutes=15)
        there = moment.astimezone(zone)
        assert there.utcoffset() == moment.astimezone(named).utcoffset()
        assert there.astimezone(UTC) == moment


def test_unknown_zone_names_the_setting() -> None:
    """
    A person must know where to mend it.
    """
    with pytest.raises(SettingsError, match=r"userTimezone: there is no time zone 'X'"):
        local_timezone("X", told_by="userTimezone")


@pytest.mark.parametrize("text", ["x", "0001-01-01T00:00:00+00:00", "9999-12-31"])
def test_impossible_moment_is_refused(text: str) -> None:
    """
    One clear line, with how to write it.
    """
    with pytest.raises(UsageError, match="--now takes a moment like"):
        clock(text, ZoneInfo("America/New_York"))


@pytest.mark.parametrize(
    ("link", "name", "expected"),
    [
        ("/usr/share/zoneinfo/Europe/Berlin", None, "Europe/Berlin"),
        ("../usr/share/zoneinfo/Asia/Shanghai", "Asia/Shanghai\n", "Asia/Shanghai"),
        ("/usr/share/zoneinfo/Europe/Berlin", "Asia/Shanghai\n", None),
        ("/etc/my-own-rules", None, None),
        (None, "Europe/Berlin\n", None),
    ],
)
def test_usual_places_are_read_without_tzlocal(
    host: pytest.MonkeyPatch,
    tmp_path: Path,
    link: str | None,
    name: str | None,
    expected: str | None,
) -> None:
    """
    A link that names a zone will do, unless something else names another.
    """
    host.delenv("TZ", raising=False)
    (tmp_path / "etc").mkdir()
    if link:
        (tmp_path / "etc/localtime").symlink_to(link)
    if name:
        (tmp_path / "etc/timezone").write_text(name)

    zone = linked_zone(tmp_path)

    assert (zone.key if zone else None) == expected


def test_host_has_one_zone(host: pytest.MonkeyPatch) -> None:
    """
    What is read quickly is what tzlocal finds.
    """
    host.delenv("TZ", raising=False)
    quick = linked_zone()

    assert quick is None or quick == tzlocal.get_localzone()
