"""A name of which nobody can be all that is said is asked about, and decided by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_bank import bank_caches, bank_files, names, write_note
from builders_encryption import holding
from builders_memory import open_memory

from strata.errors import NotFound
from strata.history.entities import name_decisions
from strata.history.names import PROPOSED
from strata.jobs.banking.listing import doubts
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.digest import news
from strata.jobs.entity import decide
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.reflect import reflect
from strata.jobs.review import review
from strata.jobs.undo import known_runs, undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.history.statements import Statement
    from strata.memory import Memory

LATER = "2026-11-20T13:00:00+00:00"
LATEST = "2026-11-20T14:00:00+00:00"
SISTER, ACCOUNTING = "sister Anna", "Anna from accounting"
# In each conversation one of the two, but for the one on the fifth.
TALKS = {
    2: ["[finding] My sister Anna cannot eat nuts.", "[finding] Anna lives in Porto."],
    3: [
        "[finding] Anna from accounting wants the receipts.",
        "[finding] Anna works from Monday to Thursday.",
    ],
    5: ["[finding] Anna has a new phone number."],
    6: ["[finding] My sister Anna has a horse.", "[finding] Anna rides on Sundays."],
    9: ["[finding] Anna from accounting pays the bills on Fridays."],
}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """
    The memory of a week in which two people are called Anna.
    """
    for day, lines in TALKS.items():
        write_note(tmp_path / "workspace", day, lines)
    return open_memory(tmp_path)


def page_of(memory: Memory, name: str) -> str:
    """
    The page that *name* has.
    """
    return memory.workspace.read(f"memory/bank/people/{name}.md")


def test_question_has_the_lines_of_both_sides(memory: Memory) -> None:
    """
    With their places, and nothing is split by itself.
    """
    report = reflect(memory)

    (asked,) = report.twofold
    assert asked.name == "Anna"
    assert [side for side, _ in asked.sides] == [SISTER, ACCOUNTING]
    (one, other) = (lines for _, lines in asked.sides)
    assert one == (
        "“My sister Anna cannot eat nuts.” (2026-11-02#L4)",
        "“My sister Anna has a horse.” (2026-11-06#L4)",
    )
    assert other[0].endswith("(2026-11-03#L4)")
    assert all(
        line.removeprefix("[finding] ") in page_of(memory, "anna")
        for lines in TALKS.values()
        for line in lines
    )


def test_two_have_a_page_each_until_that_is_undone(memory: Memory) -> None:
    """
    Each with what was said in conversations that tell of whom; the rest waits in doubt.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root), bank_caches(memory.workspace.root)

    report = decide(memory, "split", SISTER, ACCOUNTING)

    assert report.twofold == []
    sister, other = (
        page_of(memory, each) for each in ("sister-anna", "anna-from-accounting")
    )
    assert "Porto" in sister
    assert "receipts" in other
    assert "Porto" not in other
    assert "receipts" not in sister
    assert "phone number" not in sister + other
    assert doubts(memory) == {"anna": (ACCOUNTING, SISTER)}
    undo(open_memory(memory.workspace.root.parent, LATER))
    again = open_memory(memory.workspace.root.parent, LATEST)
    assert bank_files(memory.workspace.root) == before[0]
    assert bank_caches(memory.workspace.root) == before[1]
    assert len(reflect(again, dry_run=True).twofold) == 1


def test_one_is_not_asked_about_again_until_that_is_undone(memory: Memory) -> None:
    """
    The page stays as it is.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root)

    report = decide(memory, "merge", SISTER, ACCOUNTING)

    assert report.twofold == []
    assert bank_files(memory.workspace.root) == before
    assert name_decisions(memory.journal) == [("merge", SISTER, ACCOUNTING)]
    later = open_memory(memory.workspace.root.parent, LATER)
    write_note(later.workspace.root, 12, ["[finding] My dentist Anna has moved."])
    assert reflect(later).twofold == []
    undo(later)
    assert len(reflect(later, dry_run=True).twofold) == 1


def test_what_is_no_name_yet_becomes_nobody_else(memory: Memory) -> None:
    """
    Nothing is decided and nothing is done where a merge would change nothing.
    """
    write_note(memory.workspace.root, 10, ["[finding] Zelda Marsh has a boat."])
    reflect(memory)

    with pytest.raises(NotFound, match="do not become one by that"):
        decide(memory, "merge", SISTER, "Zelda Marsh")

    assert name_decisions(memory.journal) == []
    assert known_runs(memory) == []


def waiting(memory: Memory) -> list[Statement]:
    """
    What waits for the owner's word.
    """
    return [each for each in statements(memory) if each.kind == "waiting"]


def test_question_waits_in_the_review_and_the_digest_once(memory: Memory) -> None:
    """
    With the lines of both, however often the pages are made.
    """
    reflect(memory)
    later = open_memory(memory.workspace.root.parent, LATER)
    reflect(later)

    (asked,) = waiting(later)
    assert asked.text == f"{SISTER} = {ACCOUNTING}"
    assert "nuts.” (2026-11-02#L4)" in asked.record["reason"]
    assert "receipts.” (2026-11-03#L4)" in asked.record["reason"]
    assert [each.id for each in news(later).waiting] == [asked.id]
    assert len(list(later.journal.records(PROPOSED))) == 1


@pytest.mark.parametrize(
    ("action", "decided", "pages"),
    [
        ("decline", "split", {"sister-anna", "anna-from-accounting"}),
        ("accept", "merge", {"anna"}),
    ],
)
def test_answer_in_the_review_is_the_decision_about_names(
    memory: Memory, action: str, decided: str, pages: set[str]
) -> None:
    """
    No keeps two apart, yes leaves one; undone, the question waits again.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root)
    (asked,) = waiting(memory)

    review(open_memory(memory.workspace.root.parent, LATER), action, [asked.id])

    assert name_decisions(memory.journal) == [(decided, SISTER, ACCOUNTING)]
    root = memory.workspace.root
    people = {path.stem for path in (root / "memory/bank/people").iterdir()}
    assert people == pages
    assert waiting(memory) == []
    undo(open_memory(memory.workspace.root.parent, LATEST))
    assert bank_files(memory.workspace.root) == before
    assert [each.id for each in waiting(memory)] == [asked.id]


def test_question_is_the_same_in_other_words(memory: Memory) -> None:
    """
    Where more lines tell one side otherwise, it waits once, in the words that tell now.
    """
    reflect(memory)
    (before,) = waiting(memory)
    for day in (12, 13, 14):
        lines = [
            "[finding] Anna, my sister, sails.",
            f"[finding] Anna sang {day} times.",
        ]
        write_note(memory.workspace.root, day, lines)

    later = open_memory(memory.workspace.root.parent, LATER)
    reflect(later)

    (asked,) = waiting(later)
    assert asked.id == before.id
    assert asked.text == f"Anna, my sister = {ACCOUNTING}"
    review(open_memory(memory.workspace.root.parent, LATEST), "accept", [asked.id])
    assert waiting(later) == []


@pytest.mark.parametrize("action", ["merge", "split"])
def test_answer_holds_in_other_words(memory: Memory, action: str) -> None:
    """
    Whoever is one, or two, is so by what they are, not by how often that was said how.
    """
    reflect(memory)
    decide(memory, action, SISTER, ACCOUNTING)
    for day in (12, 13, 14):
        lines = [
            "[finding] Anna, my sister, sails.",
            f"[finding] Anna sang {day} times.",
        ]
        write_note(memory.workspace.root, day, lines)

    later = open_memory(memory.workspace.root.parent, LATER)

    assert reflect(later).twofold == []
    assert waiting(later) == []


def test_question_ends_when_it_no_longer_arises(memory: Memory) -> None:
    """
    And waits again where it arises again.
    """
    reflect(memory)
    (before,) = waiting(memory)
    notes = {day: f"memory/2026-11-0{day}.md" for day in (3, 9)}
    texts = {path: memory.workspace.read(path) for path in notes.values()}
    for path, text in texts.items():
        told = text.replace("Anna from accounting", "Ben Adler")
        (memory.workspace.root / path).write_text(told)

    later = open_memory(memory.workspace.root.parent, LATER)
    reflect(later)

    assert waiting(later) == []
    for path, text in texts.items():
        (later.workspace.root / path).write_text(text)
    again = open_memory(memory.workspace.root.parent, LATEST)
    reflect(again)
    assert [each.id for each in waiting(again)] == [before.id]


def test_nobody_is_asked_about_who_is_forgotten(memory: Memory) -> None:
    """
    With the words of one side the question goes.
    """
    reflect(memory)

    receipt = forget(memory, Target(entity="accounting"))

    assert receipt.proof.holds
    assert waiting(memory) == []
    assert holding(memory.workspace.root, "accounting") == []


def test_two_are_the_same_from_nothing(memory: Memory) -> None:
    """
    Deleted, the pages of two of one name come back byte for byte.
    """
    reflect(memory)
    decide(memory, "split", SISTER, ACCOUNTING)
    before = bank_files(memory.workspace.root)
    for path in before:
        (memory.workspace.root / path).unlink()

    reflect(open_memory(memory.workspace.root.parent, LATER))

    assert bank_files(memory.workspace.root) == before
    assert {SISTER, ACCOUNTING} <= names(memory)
