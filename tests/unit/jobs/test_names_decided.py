"""Which names are one is what the owner says last, until it is undone."""

from __future__ import annotations

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
from builders_memory import open_memory

from strata.errors import NotFound, UsageError
from strata.history.entities import name_decisions
from strata.jobs.entity import decide
from strata.jobs.reflect import reflect
from strata.jobs.undo import known_runs, undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

LATER = "2026-11-20T13:00:00+00:00"
LATEST = "2026-11-20T14:00:00+00:00"
SPLIT = ("split", "Bethany Tulley", "Craig Mather")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    The memory of a week of notes, of which there are no pages yet.
    """
    write_week(tmp_path / "workspace")
    return open_memory(tmp_path)


def test_merged_names_have_one_page(memory: Memory) -> None:
    """
    With the statements of both, until that is undone.
    """
    root = memory.workspace.root
    reflect(memory)
    before = bank_files(root)

    report = decide(memory, "merge", "Bethany Tulley", "Craig Mather")

    assert {BETHANY, CRAIG} & set(report.gone)
    (one,) = {BETHANY, CRAIG} & set(bank_files(root))
    assert "tack room" in memory.workspace.read(one)
    assert "Faro" in memory.workspace.read(one)
    undo(open_memory(root.parent, LATER))
    assert bank_files(root) == before


def test_last_word_on_two_names_counts(memory: Memory) -> None:
    """
    Split after merge are two again.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root)
    decide(memory, "merge", "Bethany Tulley", "Craig Mather")

    decide(open_memory(memory.workspace.root.parent, LATER), *SPLIT)

    assert bank_files(memory.workspace.root) == before


def test_renamed_page_can_be_renamed_again(memory: Memory) -> None:
    """
    By the name that it has now; the old ones still lead to it.
    """
    reflect(memory)
    decide(memory, "rename", "Bethany Tulley", "Beth Marlow")

    later = open_memory(memory.workspace.root.parent, LATER)
    decide(later, "rename", "Beth Marlow", "Lisbeth Marlow")

    assert "memory/bank/people/lisbeth-marlow.md" in bank_files(memory.workspace.root)
    assert {"Lisbeth Marlow", "Bethany Tulley"} <= names(later)


def test_renamed_page_can_be_merged(memory: Memory) -> None:
    """
    By the name that it has now.
    """
    reflect(memory)
    decide(memory, "rename", "Bethany Tulley", "Beth Marlow")

    later = open_memory(memory.workspace.root.parent, LATER)
    decide(later, "merge", "Beth Marlow", "Craig Mather")

    assert CRAIG not in bank_files(memory.workspace.root)


def test_doubtful_name_is_settled_as_the_report_says(memory: Memory) -> None:
    """
    Two whom a name may mean are told, and one of them is chosen by it.
    """
    root = memory.workspace.root
    write_note(root, 8, ["[finding] Craig Henshaw is the farrier."])
    write_note(root, 9, ["[finding] Craig Henshaw wants cash."])
    write_note(root, 10, ["[finding] Craig plays football on Saturdays."])
    report = reflect(memory)
    assert report.doubts == [("craig", ("craig henshaw", "craig mather"))]

    settled = decide(memory, "merge", "Craig", "Craig Mather")

    assert settled.doubts == []
    assert "football" in memory.workspace.read(CRAIG)


@pytest.mark.parametrize("action", ["merge", "split"])
def test_one_name_is_not_two(memory: Memory, action: str) -> None:
    """
    Nor is a name that nobody has ever said one.
    """
    reflect(memory)

    with pytest.raises(UsageError):
        decide(memory, action, "Craig Mather", "craig mather")
    with pytest.raises(NotFound, match="Craig Mather"):
        decide(memory, action, "Craig Nobody", "Zelda")


@pytest.mark.parametrize("word", ["tack", "ey", "room", "Quentin", "lives in Porto"])
def test_word_that_is_no_name_is_refused(memory: Memory, word: str) -> None:
    """
    Though it stands in the notes: nothing would be one with it.
    """
    reflect(memory)

    with pytest.raises(NotFound, match="has a page"):
        decide(memory, "merge", "Craig Mather", word)

    assert known_runs(memory) == []


@pytest.mark.parametrize("name", ["Betany Tully", "Zelda Marshes"])
def test_name_that_is_mistyped_is_answered_with_whom_it_may_mean(
    memory: Memory, name: str
) -> None:
    """
    By the look of it, also where that one has no page.
    """
    reflect(memory)

    with pytest.raises(NotFound, match=r"Bethany Tulley|Zelda Marsh"):
        decide(memory, "merge", name, "Craig Mather")


def test_name_without_a_page_may_be_merged(memory: Memory) -> None:
    """
    It was said once, and is one more name of somebody from then on.
    """
    reflect(memory)

    decide(memory, "merge", "zelda marsh", "Bethany Tulley")

    assert "Zelda Marsh" in names(memory)


def test_names_that_differ_in_a_number_are_not_merged(memory: Memory) -> None:
    """
    They would stay two, so nothing is said to be done.
    """
    for day in (8, 9):
        lines = [f"[finding] The ASR1603 and the ASR1605 ran on day {day}."]
        write_note(memory.workspace.root, day, lines)
    reflect(memory)

    with pytest.raises(UsageError, match="differ in a number"):
        decide(memory, "merge", "ASR1603", "ASR1605")


def test_decision_that_changes_no_page_is_a_run_and_undone(memory: Memory) -> None:
    """
    It counts from then on, until it is taken back; and that may be taken back as well.
    """
    root = memory.workspace.root.parent
    reflect(memory)
    report = decide(memory, *SPLIT)
    assert report.paths == []
    assert [each.run.kind for each in known_runs(memory)] == ["entity"]

    undone = undo(open_memory(root, LATER))

    assert undone.by
    assert name_decisions(memory.journal) == []
    with pytest.raises(NotFound):
        undo(open_memory(root, LATER))
    undo(open_memory(root, LATEST), undone.by)
    assert name_decisions(memory.journal) == [SPLIT]


def test_decision_is_undone_after_the_page_changed(memory: Memory) -> None:
    """
    The pages are made of the notes again: of what was said before and of what came since.
    """
    root = memory.workspace.root
    reflect(memory)
    decide(memory, "merge", "Bethany Tulley", "Craig Mather")
    write_note(root, 9, ["[finding] Craig Mather has a boat."])
    reflect(open_memory(root.parent, LATER))

    report = undo(open_memory(root.parent, LATEST))

    assert {BETHANY, CRAIG} <= set(bank_files(root))
    assert {BETHANY, CRAIG} <= set(report.paths)
    assert "boat" in memory.workspace.read(CRAIG)
    assert "boat" not in memory.workspace.read(BETHANY)
