"""People and projects: who and what has a page, and whom a name may mean."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from builders_bank import (
    BETHANY,
    CRAIG,
    bank_files,
    names,
    write_note,
    write_week,
)
from builders_dashboard import Browser, browser, page_of
from builders_memory import open_memory

from strata.jobs.banking.knowing import KnownEntity
from strata.jobs.entity import decide
from strata.jobs.reflect import reflect

if TYPE_CHECKING:
    from pathlib import Path

LATER = "2026-11-20T13:00:00+00:00"
GROUP = "group-telegram-0a1b2c3d4e5f6a7b8c9d"
BETHANYS_PAGE = page_of(BETHANY)


@pytest.fixture
def window(tmp_path: Path) -> Browser:
    """
    The dashboard of a week of notes of which there are pages.
    """
    write_week(tmp_path / "workspace")
    reflect(open_memory(tmp_path))
    return browser(lambda: open_memory(tmp_path, LATER))


def test_all_who_have_a_page_are_there(window: Browser) -> None:
    """
    In their groups, with how much is known of them and when they were named last.
    """
    window.open("/people")

    assert re.findall(r"<h2[^>]*>([^<]*)</h2>", window.page) == [
        "People: 3",
        "Things, organisations and places: 2",
        "Of nobody in particular",
    ]
    assert window.links()["Bethany Tulley"] == BETHANYS_PAGE
    assert "4 lines · last 2026-11-07" in window.page
    assert window.links()["Opinions and preferences"] == page_of(
        "memory/bank/opinions.md"
    )
    assert "Zelda Marsh" not in window.page


@pytest.mark.parametrize("words", ["craig", "MATH", "mather", "Craig Mather "])
def test_names_are_filtered(window: Browser, words: str) -> None:
    """
    By any part of them, whatever their case.
    """
    window.open(f"/people?name={words}")

    assert "Craig Mather" in window.page
    assert "Bethany Tulley" not in window.page


def test_filter_that_finds_nobody_says_so(window: Browser) -> None:
    """
    And what was typed is never markup.
    """
    window.open("/people?name=<script>")

    assert "Nobody and nothing is called so." in window.page
    assert "<script" not in window.page


@pytest.fixture
def unsure(window: Browser, tmp_path: Path) -> Browser:
    """
    The same with a name that two have in common.
    """
    said = {
        8: "Craig Henshaw is the farrier.",
        9: "Craig Henshaw wants cash.",
        10: "Craig plays football on Saturdays.",
    }
    for day, text in said.items():
        write_note(tmp_path / "workspace", day, [f"[finding] {text}"])
    reflect(open_memory(tmp_path))
    window.open("/people")
    return window


def test_name_in_doubt_is_settled_beside_it(unsure: Browser, tmp_path: Path) -> None:
    """
    Whom it means, by a button for each.
    """
    assert "May mean several" in unsure.page

    unsure.send("It is Craig Mather")

    assert unsure.at == "/people"
    assert "craig and Craig Mather are one now" in unsure.page
    assert "May mean several" not in unsure.page
    assert "football" in open_memory(tmp_path).workspace.read(CRAIG)


def test_name_in_doubt_may_mean_not_one_of_them(
    unsure: Browser, tmp_path: Path
) -> None:
    """
    Then only the other one is left.
    """
    unsure.send("Not Craig Mather")

    assert "May mean several" not in unsure.page
    assert "football" not in open_memory(tmp_path).workspace.read(CRAIG)
    assert "Craig" in names(open_memory(tmp_path))


def test_doubt_that_was_settled_meanwhile_is_not_decided(
    unsure: Browser, tmp_path: Path
) -> None:
    """
    Its buttons are those of an old page.
    """
    decide(open_memory(tmp_path), "merge", "Craig", "Craig Henshaw")

    unsure.send("It is Craig Mather")

    assert unsure.status == 409


def test_without_pages_they_are_made_by_a_button(tmp_path: Path) -> None:
    """
    And it says what came of it.
    """
    write_week(tmp_path / "workspace")
    window = browser(lambda: open_memory(tmp_path))
    window.open("/people")
    assert "There are no pages of people and things yet." in window.page

    window.send("Reflect now")

    assert "pages: " in window.page
    assert " new, 0 changed, 0 gone" in window.page
    assert "Bethany Tulley" in window.page
    assert CRAIG in bank_files(tmp_path / "workspace")


def test_setting_that_ends_the_nights_is_said(tmp_path: Path) -> None:
    """
    The pages that stand are shown, and may be made anew by hand.
    """
    write_week(tmp_path / "workspace")
    reflect(open_memory(tmp_path))
    window = browser(lambda: open_memory(tmp_path, LATER, "bank=false"))

    window.open("/people")

    assert "bank = false" in window.page
    assert "Bethany Tulley" in window.page
    assert window.forms("Reflect now")


def test_scope_without_pages_is_named(tmp_path: Path) -> None:
    """
    What stands in the pages of the owner is not shown there.
    """
    write_week(tmp_path / "workspace")
    reflect(open_memory(tmp_path))
    window = browser(lambda: open_memory(tmp_path, LATER).within(GROUP))

    window.open("/people")

    assert "This scope has no pages of people and things yet" in window.page
    assert "Bethany" not in window.page


def test_chinese_owner_reads_chinese(tmp_path: Path) -> None:
    """
    The headings of the page and those of the screen.
    """
    write_week(tmp_path / "workspace")
    chinese = "language=zh"
    reflect(open_memory(tmp_path, LATER, chinese))
    window = browser(lambda: open_memory(tmp_path, LATER, chinese))

    listed = window.open("/people")
    page = window.open(window.links()["杨建平"])

    assert "人物：3" in listed
    assert "经过" in page
    assert "你还没有在这里写过" in page


def test_many_people_fit_on_a_page(tmp_path: Path) -> None:
    """
    The first of each group are shown, it says how many more there are, and all are found.
    """
    people = [
        KnownEntity(f"memory/bank/people/p{n}.md", "person", (f"Person {n}", "P" * 40))
        for n in range(900)
    ]
    write_week(tmp_path / "workspace")
    memory = open_memory(tmp_path)
    reflect(memory)
    rows = [[each.path, each.sort, list(each.names)] for each in people]
    file = memory.workspace.layout.bank_names_file
    told = {**json.loads(file.read_text()), "rows": rows}
    memory.workspace.write_private(file, json.dumps(told).encode())
    window = browser(lambda: open_memory(tmp_path, LATER))

    window.open("/people")

    assert "People: 900" in window.page
    assert "… and 800 more" in window.page
    assert len(window.page.encode()) < 150_000
    assert "Person 899<" in window.open("/people?name=person+899")
