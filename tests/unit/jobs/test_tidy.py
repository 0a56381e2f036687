"""Old days become weeks and go to the archive; every step may be the last."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from killing import run_killed_at

from strata.jobs.tidy import tidy
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-20T03:00:00+00:00"
OLD = """# 2026-11-05

## 14:02 session:61871d67 | 12 messages
- [decision] Keep PostgreSQL 16.
"""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-11-05.md").write_text(OLD)
    (tmp_path / "memory" / "2026-11-13.md").write_text(OLD.replace("11-05", "11-13"))
    return Memory.open(workspace=str(tmp_path), state_dir=str(tmp_path), now=NOW)


def test_old_day_moves_into_its_week(memory: Memory) -> None:
    """
    A note older than seven days is summarised and archived unchanged; others stay.
    """
    report = tidy(memory)

    assert report.compressed == [(date(2026, 11, 5), "memory/weekly/2026-11-02.md")]
    assert memory.workspace.read("memory/weekly/2026-11-02.md") == (
        "# Week of 2026-11-02\n\n### 2026-11-05\n"
        "[decision] Keep PostgreSQL 16. (src: 2026-11-05)\n"
    )
    assert memory.workspace.read("memory/archive/2026/2026-11-05.md") == OLD
    assert not (memory.workspace.root / "memory/2026-11-05.md").exists()
    assert (memory.workspace.root / "memory/2026-11-13.md").exists()


def test_second_tidy_changes_nothing(memory: Memory) -> None:
    """
    What is tidy stays as it is.
    """
    tidy(memory)

    assert tidy(memory).paths == []


def test_dry_run_writes_nothing(memory: Memory) -> None:
    """
    A dry run says the same and leaves the files alone.
    """
    report = tidy(memory, dry_run=True)

    assert len(report.compressed) == len(report.archived) == 1
    assert (memory.workspace.root / "memory/2026-11-05.md").read_text() == OLD
    assert not (memory.workspace.root / "memory/weekly").exists()


def test_note_without_anything_to_keep_is_archived(memory: Memory) -> None:
    """
    A note that holds no entry goes to the archive without a section of its own.
    """
    (memory.workspace.root / "memory" / "2026-11-05.md").write_text("# 2026-11-05\n")

    report = tidy(memory)

    assert report.compressed == []
    assert (
        memory.workspace.read("memory/archive/2026/2026-11-05.md") == "# 2026-11-05\n"
    )


PROGRAM = """
from strata.memory import Memory
from strata.jobs.tidy import tidy
tidy(Memory.open(workspace=sys.argv[1], state_dir=sys.argv[1], now=sys.argv[2]))
"""


def test_kill_at_any_step_is_made_good(tmp_path: Path) -> None:
    """
    Killed before any change on disk, the next tidy ends as if nothing had happened.
    """
    for step in range(1, 200, 7):
        root = tmp_path / str(step)
        (root / "memory").mkdir(parents=True)
        (root / "memory" / "2026-11-05.md").write_text(OLD)
        killed = run_killed_at(step, root, PROGRAM, str(root), NOW)

        memory = Memory.open(workspace=str(root), state_dir=str(root), now=NOW)
        tidy(memory)

        assert memory.workspace.read("memory/archive/2026/2026-11-05.md") == OLD
        week = memory.workspace.read("memory/weekly/2026-11-02.md")
        assert week.count("### 2026-11-05") == 1
        if not killed:
            break
    assert not killed


LATE = """
## 15:00 session:71871d67 | 3 messages
- [finding] The cache key held the date.
"""


def test_what_comes_late_still_reaches_the_week(memory: Memory) -> None:
    """
    A block that is added to an archived day is in its week after the next tidy, once.
    """
    tidy(memory)
    archived = "memory/archive/2026/2026-11-05.md"
    memory.workspace.update(archived, lambda text: text + LATE)

    report = tidy(memory)

    assert report.compressed == [(date(2026, 11, 5), "memory/weekly/2026-11-02.md")]
    assert memory.workspace.read("memory/weekly/2026-11-02.md").endswith(
        "[decision] Keep PostgreSQL 16. (src: 2026-11-05)\n"
        "[finding] The cache key held the date. (src: 2026-11-05)\n"
    )
    assert tidy(memory).paths == []


def test_line_that_was_taken_out_of_a_week_stays_out(memory: Memory) -> None:
    """
    What a person deletes from a summary does not come back.
    """
    tidy(memory)
    week = "memory/weekly/2026-11-02.md"
    without = memory.workspace.read(week).replace("[decision] Keep PostgreSQL 16. ", "")
    memory.workspace.update(week, lambda _: without)

    assert tidy(memory).compressed == []
    assert memory.workspace.read(week) == without


def test_note_that_appears_beside_its_archive_joins_it(memory: Memory) -> None:
    """
    A day that somebody writes to after it was archived ends up in one file again.
    """
    tidy(memory)
    late = "# 2026-11-05\n\n- [task] Called the plumber.\n"
    memory.workspace.update("memory/2026-11-05.md", lambda _: late)

    tidy(memory)

    text = memory.workspace.read("memory/archive/2026/2026-11-05.md")
    assert text == f"{OLD}\n{late}"
    assert memory.workspace.read("memory/2026-11-05.md") == ""
    week = memory.workspace.read("memory/weekly/2026-11-02.md")
    assert "[task] Called the plumber. (src: 2026-11-05)" in week
