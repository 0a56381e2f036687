"""Shared options may stand anywhere on the line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from strata.cli import run
from strata.cli.options import parted
from strata.durations import moment_since
from strata.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["sync", "--json"], ["--json", "sync"]),
        (
            ["sync", "--workspace", "W", "--dry-run"],
            ["--workspace", "W", "sync", "--dry-run"],
        ),
        (
            ["query", "x", "--now=2026-11-20", "-n", "3"],
            ["--now=2026-11-20", "query", "x", "-n", "3"],
        ),
        (["query", "--", "--json"], ["query", "--", "--json"]),
        (["sync", "--workspace"], ["--workspace", "sync"]),
    ],
)
def test_shared_options_come_first(given: list[str], expected: list[str]) -> None:
    """
    What belongs to every command is moved before it; the rest keeps its order.
    """
    shared, rest = parted(given)

    assert shared + rest == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4h", NOW - timedelta(hours=4)),
        ("30d", NOW - timedelta(days=30)),
        ("2w", NOW - timedelta(weeks=2)),
        ("2026-11-01", datetime(2026, 11, 1, tzinfo=UTC)),
        ("2026-11-01T10:00+08:00", datetime(2026, 11, 1, 2, 0, tzinfo=UTC)),
    ],
)
def test_since_takes_durations_and_dates(text: str, expected: datetime) -> None:
    """
    A duration counts back from now; a date is local.
    """
    assert moment_since(text, NOW) == expected


@pytest.mark.parametrize("text", ["", "whenever", "2026-02-30", "4x", "-3d"])
def test_impossible_time_is_refused(text: str) -> None:
    """
    What is no time is answered with how to write one.
    """
    with pytest.raises(UsageError, match="is no time; write 4h"):
        moment_since(text, NOW)


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "99999w"])
def test_time_beyond_the_calendar_is_as_good_as_ever(text: str) -> None:
    """
    People write such dates for "everything"; any time zone can express the result.
    """
    moment = moment_since(text, NOW)

    assert moment.astimezone(ZoneInfo("Asia/Shanghai"))
    assert moment.astimezone(ZoneInfo("America/New_York"))


@pytest.mark.parametrize("command", ["query", "remember", "trace"])
@pytest.mark.parametrize(
    ("slip", "meant"), [("--workspase=x", "--workspace"), ("--frobnicate", "")]
)
def test_option_that_does_not_exist_is_no_word(
    command: str, slip: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Where words may begin with a dash, a slip in an option is refused all the same.
    """
    code = run([command, "harbour", slip])

    said = capsys.readouterr().err
    assert code == 2
    assert said.startswith(f"strata: No such option '{slip.partition('=')[0]}'")
    assert meant in said


@pytest.mark.parametrize(
    "words",
    [
        ["harbour", "-pier"],
        ["--", "--limt"],
        ["--no-verify is never to be used"],
        ["harbour", "--tier", "daily"],
    ],
)
def test_words_may_begin_with_a_dash(words: list[str], tmp_path: Path) -> None:
    """
    A word to be left out, a quoted text and whatever follows ``--`` are no options.
    """
    folders = ["--workspace", str(tmp_path), "--state-dir", str(tmp_path / "state")]
    (tmp_path / "memory").mkdir()

    assert run([*folders, "query", *words]) == 0
