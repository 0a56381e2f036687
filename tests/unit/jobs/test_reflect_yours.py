"""What the owner wrote below a page, or in its place, stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_bank import (
    BETHANY,
    CRAIG,
    bank_files,
    write_below,
    write_note,
    write_week,
)
from builders_memory import open_memory

from strata.jobs.entity import decide
from strata.jobs.reflect import reflect
from strata.notes.bank_marks import YOURS, yours_in

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MINE = "Ask her about the boat. 问她船的事。\n\n---\n# Mine\n- [[x]]  \n"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    The memory of a week of notes, of which there are no pages yet.
    """
    write_week(tmp_path / "workspace")
    return open_memory(tmp_path)


def test_what_the_owner_wrote_stays(memory: Memory) -> None:
    """
    Byte for byte, however often the page above it changes.
    """
    reflect(memory)
    write_below(memory, BETHANY, MINE)
    write_note(memory.workspace.root, 9, ["[finding] Bethany Tulley has a boat."])

    report = reflect(memory)

    assert report.changed == [BETHANY]
    page = memory.workspace.read(BETHANY)
    assert "has a boat" in page
    assert yours_in(page) == MINE


def test_what_the_owner_wrote_stays_in_a_dry_run_and_a_second_one(
    memory: Memory,
) -> None:
    """
    It is no change.
    """
    reflect(memory)
    write_below(memory, BETHANY, MINE)

    assert reflect(memory, dry_run=True).paths == []
    assert reflect(memory).paths == []


def test_what_the_owner_wrote_moves_with_the_page(memory: Memory) -> None:
    """
    Who was a project is a person now: the words are below the page of the person.
    """
    old = "memory/bank/projects/bethany-tulley.md"
    reflect(memory)
    write_below(memory, BETHANY, MINE)
    memory.workspace.move(BETHANY, old)

    report = reflect(memory)

    assert (report.new, report.gone) == ([BETHANY], [old])
    assert yours_in(memory.workspace.read(BETHANY)) == MINE


def test_what_the_owner_wrote_stays_where_the_name_changes(memory: Memory) -> None:
    """
    A page that is called otherwise is still the page.
    """
    reflect(memory)
    write_below(memory, BETHANY, MINE)

    decide(memory, "rename", "Bethany Tulley", "Beth Marlow")

    assert yours_in(memory.workspace.read("memory/bank/people/beth-marlow.md")) == MINE


def test_what_the_owner_wrote_stays_where_two_pages_become_one(
    memory: Memory,
) -> None:
    """
    Of both, for nothing that a person wrote is lost.
    """
    reflect(memory)
    write_below(memory, BETHANY, "Mine of her.\n")
    write_below(memory, CRAIG, "Mine of him.\n")

    decide(memory, "merge", "Bethany Tulley", "Craig Mather")

    words = b"".join(bank_files(memory.workspace.root).values())
    assert b"Mine of her." in words
    assert b"Mine of him." in words


def test_what_the_owner_wrote_outlives_what_was_said(memory: Memory) -> None:
    """
    Of somebody of whom nothing is said any more only that is left.
    """
    reflect(memory)
    write_below(memory, CRAIG, "Mine of him.\n")
    write_note(memory.workspace.root, 7, ["[finding] The gate code is 4471."])

    reflect(memory)

    words = b"".join(bank_files(memory.workspace.root).values())
    assert b"Mine of him." in words


def test_file_of_a_person_at_the_place_of_a_page_is_left_alone(
    memory: Memory,
) -> None:
    """
    It is neither written nor removed, and the report does not count it.
    """
    mine = f"# Bethany\n{YOURS}\nMine.\n"
    memory.workspace.update(BETHANY, lambda _: mine)
    memory.workspace.update("memory/bank/people/nobody.md", lambda _: mine)

    told = reflect(memory, dry_run=True)
    done = reflect(memory)

    assert BETHANY not in {*told.paths, *done.paths}
    assert "memory/bank/people/nobody.md" not in {*told.paths, *done.paths}
    assert memory.workspace.read(BETHANY) == mine
    assert memory.workspace.read("memory/bank/people/nobody.md") == mine


def test_page_that_a_windows_editor_saved_is_still_a_page(memory: Memory) -> None:
    """
    With other line ends it is still ours, and what was written below stays.
    """
    reflect(memory)
    write_below(memory, BETHANY, "Mine.\n")
    file = memory.workspace.root / BETHANY
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    write_note(memory.workspace.root, 9, ["[finding] Bethany Tulley has a boat."])

    reflect(memory)

    assert "has a boat" in memory.workspace.read(BETHANY)
    assert "Mine." in memory.workspace.read(BETHANY)
