"""What trust.masked names is masked on the pages, also where a text is cut."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from builders_bank import BETHANY, write_below, write_week
from builders_dashboard import Browser, browser, page_of
from builders_memory import open_memory

from strata.jobs.reflect import reflect
from strata.jobs.remember import remember
from strata.jobs.undo import known_runs

if TYPE_CHECKING:
    from pathlib import Path

LATER = "2026-11-20T13:00:00+00:00"
NAME = "correct horse battery staple"
DAY = "memory/2026-11-19.md"


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard of a week of notes with pages, where one name is masked.
    """
    write_week(tmp_path / "workspace")
    reflect(open_memory(tmp_path))
    return browser(lambda: open_memory(tmp_path, LATER, f"trust.masked={NAME}"))


def long(letters: int) -> str:
    """
    A text in which the name would be cut in half after *letters*.
    """
    return f"{'It is so: ' * 900}"[: letters - 16] + f" {NAME} and more."


def shown(page: str) -> bool:
    """
    Whether *page* has the name masked and nothing of it in clear.
    """
    return "c•••" in page and "correct" not in page


@pytest.mark.parametrize(
    ("letters", "address"),
    [
        (2000, f"/read?path={DAY}"),
        (2000, f"/story?of={DAY}:3"),
        (400, "/time/day?date=2026-11-19"),
    ],
)
def test_half_a_masked_name_is_not_shown_where_a_line_is_cut(
    window: Browser, tmp_path: Path, letters: int, address: str
) -> None:
    """
    On every page that shows lines of the notes.
    """
    note = f"# 2026-11-19\n\n- {long(letters - 2)}\n"
    (tmp_path / "workspace" / DAY).write_text(note, "utf-8")

    window.open(address)

    assert window.status == 200
    assert shown(window.page)


def test_half_a_masked_name_is_in_no_difference(
    window: Browser, tmp_path: Path
) -> None:
    """
    Nor on the page of a run.
    """
    memory = open_memory(tmp_path, LATER)
    remember(memory, f"{'It is so: ' * 27} {NAME}.")

    window.open(f"/runs/run?id={known_runs(memory)[0].run.id}")

    assert shown(window.page)


def test_half_a_masked_name_is_not_shown_where_it_would_go(
    window: Browser, tmp_path: Path
) -> None:
    """
    Nor on the page that shows what would be forgotten.
    """
    said = f"The walrus: {long(228)}"
    note = f"# 2026-11-19\n\n- {said}\n"
    (tmp_path / "workspace" / DAY).write_text(note, "utf-8")
    window.open("/forget")

    window.send('name="text"', text=said)

    (gone,) = re.findall("<del>.*?</del>", window.page)
    assert shown(gone)


def test_half_a_masked_name_is_not_shown_of_what_the_owner_wrote(
    window: Browser, tmp_path: Path
) -> None:
    """
    Nor on the page of somebody.
    """
    write_below(open_memory(tmp_path), BETHANY, f"\n{long(8000)}\n")

    window.open(page_of(BETHANY))

    assert shown(window.page)
