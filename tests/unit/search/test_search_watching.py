"""A watch is quiet only where surely nothing has changed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from builders_search import ask, index_of, write_notes

from strata.search.indexing.watching import Watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere a watch is never quiet"
)
NOTE = "memory/2026-11-19.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    A workspace with the usual notes.
    """
    return write_notes(tmp_path / "workspace")


def watch(workspace: Path) -> Watch:
    """
    A watch that has begun.
    """
    found = Watch(workspace)
    found.enabled = True
    with found.renewed():
        pass
    return found


def _replace(workspace: Path) -> None:
    draft = workspace / "memory" / "draft.tmp"
    draft.write_text("- other words", encoding="utf-8")
    draft.replace(workspace / NOTE)


def _append(workspace: Path) -> None:
    with (workspace / NOTE).open("a", encoding="utf-8") as file:
        file.write("- one more")


def _add_below(workspace: Path) -> None:
    folder = workspace / "memory" / "archive" / "2026"
    folder.mkdir(parents=True)
    (folder / "2026-01-01.md").write_text("- old", encoding="utf-8")


CHANGES: dict[str, Callable[[Path], object]] = {
    "replaced": _replace,
    "appended to": _append,
    "touched": lambda workspace: os.utime(workspace / NOTE, (1, 1)),
    "deleted": lambda workspace: (workspace / NOTE).unlink(),
    "renamed": lambda workspace: (workspace / NOTE).rename(workspace / "memory/a.md"),
    "added below": _add_below,
    "the page": lambda workspace: (workspace / "MEMORY.md").write_text("- new"),
    "in a folder": lambda workspace: (
        workspace / "memory/weekly/2026-11-09.md"
    ).write_text("- new"),
    "whole folder moved": lambda workspace: (workspace / "memory").rename(
        workspace / "elsewhere"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_noticed(workspace: Path, change: str) -> None:
    """
    Whatever is done to a memory file, the watch is quiet before and not after.
    """
    found = watch(workspace)
    before = found.is_quiet()
    CHANGES[change](workspace)

    assert (before, found.is_quiet(), found.is_quiet()) == (True, False, False)


def test_what_is_no_memory_is_passed_over(workspace: Path) -> None:
    """
    An agent works in its workspace all the time, and that wakes nobody.
    """
    found = watch(workspace)
    for number in range(3000):
        (workspace / f"draft-{number}").touch()
    (workspace / "src").mkdir()
    (workspace / "src" / "main.py").write_text("pass")

    assert found.is_quiet()


def test_links_are_never_quiet(workspace: Path) -> None:
    """
    A file that is reached by a link changes elsewhere, so the watch does not vouch for it.
    """
    (workspace / "notes.md").write_text("- linked")
    (workspace / "memory" / "linked.md").symlink_to(workspace / "notes.md")

    assert not watch(workspace).is_quiet()


def test_failure_leaves_it_awake(workspace: Path) -> None:
    """
    Where the files could not be taken in, the next question tries again.
    """
    found = watch(workspace)

    def fail() -> None:
        with found.renewed():
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert not found.is_quiet()


def test_watched_index_finds_what_is_new(workspace: Path) -> None:
    """
    A question that follows a write finds it, in a process that asks many.
    """
    index = index_of(workspace)
    index.keep_open(watch=True)
    for number in range(5):
        ask(index, workspace, "Valkey")
        with (workspace / NOTE).open("a", encoding="utf-8") as file:
            file.write(f"- Service {number} was moved to Valkey 8.\n")

        found = ask(index, workspace, f"Service {number} Valkey")

        assert f"Service {number} " in found.hits[0].snippet
