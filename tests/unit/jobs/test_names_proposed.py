"""Two names that a model takes for one wait for the owner's word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders_bank import bank_files, write_note
from builders_described import WEI, ZHANG, described, says, with_model
from builders_memory import open_memory

from strata.errors import NotAccepted, NotFound
from strata.history.entities import name_decisions
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.digest import news
from strata.jobs.entity import decide
from strata.jobs.reflect import reflect
from strata.jobs.review import review
from strata.jobs.undo import known_runs, undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

LATER = "2026-11-20T13:00:00+00:00"
LATEST = "2026-11-20T14:00:00+00:00"
PAIR = {"names": ["Zhang Wei", "张伟"], "lines": ["on the bill"]}


def asked(tmp_path: Path, *pairs: dict[str, Any]) -> Memory:
    """
    The memory in which a model took each of *pairs* for one.
    """
    memory, _ = described(tmp_path, says({}, list(pairs)))
    reflect(memory)
    return open_memory(tmp_path, LATER)


def waiting(memory: Memory) -> list[str]:
    """
    What waits for the owner's word.
    """
    return [each.text for each in statements(memory) if each.kind == "waiting"]


def test_model_makes_nobody_one(tmp_path: Path) -> None:
    """
    The pages stay two; the review and the digest ask, with the line that says so.
    """
    memory = asked(tmp_path, PAIR)

    assert {WEI, ZHANG} <= set(bank_files(memory.workspace.root))
    assert waiting(memory) == ["Zhang Wei = 张伟"]
    assert name_decisions(memory.journal) == []
    (told,) = statements(memory)
    assert "on the bill.” (2026-11-06#L7)" in told.record["reason"]
    assert [each.id for each in news(memory).waiting] == [told.id]


def test_accepted_names_are_merged_until_that_is_undone(tmp_path: Path) -> None:
    """
    As `strata entity merge` does it, journaled in the same way.
    """
    memory = asked(tmp_path, PAIR)
    before = bank_files(memory.workspace.root)
    (told,) = statements(memory)

    report = review(memory, "accept", [told.id[:6]])

    assert name_decisions(memory.journal) == [("merge", "Zhang Wei", "张伟")]
    assert len({WEI, ZHANG} & set(bank_files(memory.workspace.root))) == 1
    assert {WEI, ZHANG} <= set(report.paths)
    assert [each.kind for each in report.statements] == ["merged"]
    assert waiting(memory) == []
    assert [each.run.kind for each in known_runs(memory)] == ["entity"]
    undo(open_memory(tmp_path, LATEST))
    assert bank_files(memory.workspace.root) == before
    assert waiting(memory) == ["Zhang Wei = 张伟"]


def test_declined_names_are_kept_apart_and_not_asked_about_again(
    tmp_path: Path,
) -> None:
    """
    Nor proposed by a model that says so once more.
    """
    memory, model = described(tmp_path, says({}, [PAIR]))
    reflect(memory)
    (told,) = statements(memory)

    review(open_memory(tmp_path, LATER), "decline", [told.id])

    assert name_decisions(memory.journal) == [("split", "Zhang Wei", "张伟")]
    assert {WEI, ZHANG} <= set(bank_files(memory.workspace.root))
    assert waiting(memory) == []
    write_note(tmp_path / "workspace", 9, ["[finding] Zhang Wei has a red van."])
    again = reflect(with_model(tmp_path, model, LATEST))
    assert again.described > 0
    assert again.proposed == []


def test_owner_who_decides_by_name_is_not_asked_any_more(tmp_path: Path) -> None:
    """
    In whatever order the names are told.
    """
    memory = asked(tmp_path, PAIR)

    decide(memory, "merge", "张伟", "Zhang Wei")

    assert waiting(memory) == []


def test_all_accepts_no_names(tmp_path: Path) -> None:
    """
    Ids do: two people are not made one by the way.
    """
    memory = asked(tmp_path, PAIR)

    with pytest.raises(NotFound):
        review(memory, "accept", ["all"])

    assert waiting(memory) == ["Zhang Wei = 张伟"]


@pytest.mark.parametrize("action", ["edit", "pin"])
def test_names_are_accepted_or_declined(tmp_path: Path, action: str) -> None:
    """
    Nothing else can be done about them.
    """
    memory = asked(tmp_path, PAIR)
    (told,) = statements(memory)

    with pytest.raises(NotAccepted, match="two names"):
        review(memory, action, [told.id], "Zhang Wei")


ALIKE = [
    "The ASR1603 and the ASR1605 both came back, the ASR box too.",
    "Jonas Weber and Jonas Wegner, Kate Lund and Katie Lund sat at one table.",
    "张伟明和张伟都来了。",
]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("ASR1603", "ASR1605", "both came back"),
        ("Jonas Weber", "Jonas Wegner", "at one table"),
        ("Kate Lund", "Katie Lund", "at one table"),
        ("张伟明", "张伟", "都来了"),
        ("Zhang Wei", "Ruth Calloway", "on the bill"),
        ("Zhang Wei", "Nobody Else", "on the bill"),
        ("Zhang Wei", "Zhang Wei", "on the bill"),
        ("Zhang Wei", "boiler", "repairs the boiler"),
        ("Zhang Wei", "张伟", "wants cash"),
        ("Zhang Wei", "张伟", "no such words"),
    ],
)
def test_names_that_only_look_alike_are_never_proposed(
    tmp_path: Path, one: str, other: str, words: str
) -> None:
    """
    Nor those of two sorts, of nobody, or without a line that names both.
    """
    for day in (9, 10, 11):
        texts = [f"[finding] {each} ({day})" for each in ALIKE]
        write_note(tmp_path / "workspace", day, texts)

    memory = asked(tmp_path, {"names": [one, other], "lines": [words]})

    assert waiting(memory) == []
