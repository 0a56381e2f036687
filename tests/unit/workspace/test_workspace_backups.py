"""MEMORY.md is copied before it changes, and no copy is ever lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from strata.workspace.backups import back_up, backups
from strata.workspace.files import Workspace

if TYPE_CHECKING:
    from pathlib import Path

NIGHT = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
FIRST = "memory/archive/MEMORY.md.bak-2026-11-20"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_nothing_to_copy(workspace: Workspace) -> None:
    """
    Where there is no MEMORY.md yet, there is no copy.
    """
    assert back_up(workspace, NIGHT) is None
    assert not (workspace.root / "memory").exists()


def test_copy_has_the_same_bytes(workspace: Workspace) -> None:
    """
    The first copy of a day is named by the day and holds every byte, readable or not.
    """
    foreign = b"\xef\xbb\xbf# Mine\r\nZ\xfcrich\x00"
    (workspace.root / "MEMORY.md").write_bytes(foreign)

    assert back_up(workspace, NIGHT) == FIRST
    assert (workspace.root / FIRST).read_bytes() == foreign


def test_later_copies_get_their_time(workspace: Workspace) -> None:
    """
    Later copies of a day carry the time, and a number where even that is taken.
    """
    made = []
    for number, moment in enumerate([NIGHT, NIGHT, NIGHT, NIGHT + timedelta(hours=9)]):
        (workspace.root / "MEMORY.md").write_text(f"version {number}\n")
        made.append(back_up(workspace, moment))

    assert made == [FIRST, f"{FIRST}-030000", f"{FIRST}-030000-2", f"{FIRST}-120000"]
    assert [workspace.read(path) for path in made if path] == [
        f"version {number}\n" for number in range(4)
    ]


def test_copy_is_made_where_a_line_would_be_lost(workspace: Workspace) -> None:
    """
    After the first of a day, what is only added to is not copied again and again.
    """
    page, made = "# Page\n", []
    changes = ["- one\n", "- two\n", "- three\n"]
    for number, line in enumerate(changes):
        (workspace.root / "MEMORY.md").write_text(page)
        moment = NIGHT + timedelta(hours=number)
        made.append(back_up(workspace, moment, after=page + line))
        page += line
    (workspace.root / "MEMORY.md").write_text(page)

    last = back_up(workspace, NIGHT + timedelta(hours=9), after="# Page\n- one\n")

    assert made == [FIRST] * 3
    assert last == f"{FIRST}-120000"
    assert backups(workspace, NIGHT) == [FIRST, last]
    assert workspace.read(last) == page


def test_copy_that_is_there_is_enough(workspace: Workspace) -> None:
    """
    A second run before anything changed finds the copy of the first.
    """
    (workspace.root / "MEMORY.md").write_text("same\n")
    back_up(workspace, NIGHT)

    assert back_up(workspace, NIGHT + timedelta(minutes=5)) == FIRST
    assert backups(workspace, NIGHT) == [FIRST]
