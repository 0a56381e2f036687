"""Undo: the runs, what each changed, and the way back in one button."""

from __future__ import annotations

import re
from shutil import copytree
from typing import TYPE_CHECKING

import pytest
from builders import tree
from builders_dashboard import Browser, browser
from builders_memory import NIGHT, captured, open_memory
from killing import Killed, killed_before

from strata.jobs.remember import remember
from strata.jobs.tidy import tidy
from strata.jobs.undo import known_runs, undo
from strata.jobs.undoing.runs import recorded

if TYPE_CHECKING:
    from pathlib import Path

MORNING = "2026-11-21T09:00:00+00:00"
HAND = "- Written by hand.\n"
PAGE = "MEMORY.md"


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard on the morning after the first night, where one sees the runs.
    """
    captured(tmp_path)
    tidy(open_memory(tmp_path, NIGHT))
    found = browser(lambda: open_memory(tmp_path, MORNING))
    found.open("/runs")
    return found


def notes(root: Path) -> dict[str, bytes]:
    return tree(root / "workspace", without=".strata")


def open_run(window: Browser, root: Path, place: int = 0) -> str:
    """
    Open the page of a run, the last one where no other *place* is given.
    """
    run = known_runs(open_memory(root))[place].run
    return window.open(f"/runs/run?id={run.id}")


def differing(page: str, sign: str) -> list[str]:
    """
    The lines that a page shows as gone (−) or new (+).
    """
    return re.findall(rf"<(?:del|ins)>{re.escape(sign)} (.*?)</(?:del|ins)>", page)


def test_runs_are_listed_with_what_became_of_them(
    window: Browser, tmp_path: Path
) -> None:
    """
    The last comes first, with its kind and its files, undone or not.
    """
    remember(open_memory(tmp_path, MORNING), "We meet on Mondays at nine.")
    undo(open_memory(tmp_path, MORNING))

    page = window.open("/runs")

    kinds = re.findall(r'runs/run\?id=\w+">(.+?) ·', page)
    assert kinds == ["Undo", "Remembered", "Night&#39;s tidying"]
    assert page.count("undone") == 1
    assert "· 1 file" in page


def test_a_run_shows_its_difference(window: Browser, tmp_path: Path) -> None:
    """
    What the night wrote is there as new, line by line, with a sign and not by colour alone.
    """
    page = open_run(window, tmp_path)

    assert any("always use pnpm" in each for each in differing(page, "+"))
    assert differing(page, "−") == []
    assert PAGE in page


def test_undo_leaves_the_bytes_that_the_command_leaves(
    window: Browser, tmp_path: Path
) -> None:
    """
    Each file is as it was, the page tells which, and the undo itself can be undone.
    """
    twin = copytree(tmp_path, tmp_path.with_name(f"{tmp_path.name}-twin"))
    tidied = notes(tmp_path)
    undo(open_memory(twin, MORNING))

    open_run(window, tmp_path)
    window.send('name="seal"')

    assert (window.status, window.at) == (200, "/runs/run")
    assert notes(tmp_path) == notes(twin) != tidied
    assert "MEMORY.md removed" in window.page
    assert any("always use pnpm" in each for each in differing(window.page, "−"))
    window.send('name="seal"')
    assert tidied.items() <= notes(tmp_path).items()


def test_what_was_edited_by_hand_since_is_in_the_way(
    window: Browser, tmp_path: Path
) -> None:
    """
    It is refused with what has changed; ticked, it is done, and a backup is named.
    """
    page = tmp_path / "workspace" / PAGE
    page.write_text(page.read_text() + HAND)
    edited = page.read_text()

    shown = open_run(window, tmp_path)
    assert "MEMORY.md was changed since" in shown
    assert "- Written by hand." in differing(shown, "+")
    window.send('name="seal"', force="")
    assert window.status == 409
    assert "nothing was undone" in window.page
    assert page.read_text() == edited
    window.send('name="seal"', force="yes")

    assert window.status == 200
    backup = re.search(r"Kept as it was until now: (\S+?)<", window.page)
    assert backup
    assert (tmp_path / "workspace" / backup[1]).read_text() == edited
    assert not page.exists()


def test_a_page_that_went_stale_undoes_nothing(window: Browser, tmp_path: Path) -> None:
    """
    Who edits the file between the page and its button is asked to look again.
    """
    page = tmp_path / "workspace" / PAGE
    open_run(window, tmp_path)
    page.write_text(page.read_text() + HAND)
    before = notes(tmp_path)

    window.send('name="seal"', force="yes")

    assert window.status == 409
    assert "has changed since the page was made" in window.page
    assert notes(tmp_path) == before


def test_what_a_later_run_changed_is_undone_first(
    window: Browser, tmp_path: Path
) -> None:
    """
    The page says that a later run is in the way; what this one left is still told.
    """
    remember(open_memory(tmp_path, MORNING), "We meet on Mondays at nine.")

    page = open_run(window, tmp_path, 1)

    assert "MEMORY.md was changed since by a later run" in page
    assert any("always use pnpm" in each for each in differing(page, "+"))
    assert "- We meet on Mondays at nine." in " ".join(differing(page, "+"))
    assert 'type="checkbox" name="force"' in page


def test_a_run_that_is_undone_leads_to_its_undo(
    window: Browser, tmp_path: Path
) -> None:
    """
    There is no button any more, but the way to the run that can be undone in turn.
    """
    by = undo(open_memory(tmp_path, MORNING)).by

    page = open_run(window, tmp_path, 1)

    assert f"/runs/run?id={by}" in page
    assert 'action="/runs/undo"' not in page
    assert any("always use pnpm" in each for each in differing(page, "+"))


@pytest.mark.parametrize("change", [3, 5])
def test_an_undo_that_was_killed_is_finished_from_the_page(
    window: Browser, tmp_path: Path, change: int
) -> None:
    """
    Its run is not called undone, though every file may be back, and has its button again.
    """
    with killed_before(change), pytest.raises(Killed):
        undo(open_memory(tmp_path, MORNING))
    assert "is undone" not in open_run(window, tmp_path, 1)

    window.send('name="seal"')

    assert window.status == 200
    done, undone = known_runs(open_memory(tmp_path))
    assert done.finished
    assert undone.by == done.run.id
    assert "is undone" in open_run(window, tmp_path, 1)


def test_a_file_that_moved_goes_back(window: Browser, tmp_path: Path) -> None:
    """
    The page says where it went; its text is the same, and comes back with it.
    """
    memory = open_memory(tmp_path, MORNING)
    day, archived = "memory/2026-11-20.md", "memory/archive/2026/2026-11-20.md"
    before = notes(tmp_path)
    with recorded(memory, "tidy"):
        memory.workspace.move(day, archived)

    page = open_run(window, tmp_path)
    assert f"moved to {archived}" in page
    assert "The text is the same." in page
    window.send('name="seal"')

    assert f"{archived} → {day}" in window.page
    assert notes(tmp_path) == before


def test_long_differences_are_cut_and_markup_is_text(
    window: Browser, tmp_path: Path
) -> None:
    """
    Ten thousand lines fit into a page of 150 KB, and what they say is shown as it is.
    """
    memory = open_memory(tmp_path, MORNING)
    lines = "".join(f"- <script>alert({n})</script>\n" for n in range(10_000))
    with recorded(memory, "tidy"):
        memory.workspace.update("memory/2026-11-21.md", lambda _: lines)
        memory.workspace.update("memory/raw.json", lambda _: "\0")

    page = open_run(window, tmp_path)

    assert len(page.encode()) < 150_000
    assert "The rest of the difference is left out." in page
    assert "no text" in page
    assert "<script" not in page
    assert "&lt;script&gt;alert(0)" in page


def test_a_run_that_is_not_kept_is_not_found(window: Browser) -> None:
    """
    An old address is answered with what there is.
    """
    assert "is none of them" in window.open("/runs/run?id=0123456789ab")
    assert window.status == 404
