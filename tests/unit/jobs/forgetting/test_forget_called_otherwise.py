"""Who is forgotten goes from lines, too, that call them by another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders_bank import bank_files, write_note
from builders_encryption import holding
from builders_memory import open_memory

from strata.cli import run
from strata.jobs.entity import decide
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.target import Target
from strata.jobs.reflect import reflect

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from strata.memory import Memory

LATER = "2026-11-20T13:00:00+00:00"
# In one talk with the name in full, and in one that names two whom it may mean.
TALKS = {
    2: ["[finding] Anna Kost lives in Porto.", "[finding] Anna has a horse."],
    3: ["[finding] Anna Kost works for Galp.", "[finding] My sister Anna sails."],
    5: ["[finding] Anna Lee sings.", "[finding] Anna Lee has a dog."],
    6: ["[finding] Anna Lee lives in Faro."],
    8: ["[finding] Anna has a new phone number.", "[finding] The barn is dry."],
}
CHINESE = {
    2: ["[发现] 杨建平住在杭州。", "[发现] 建平养了一匹马。"],
    3: ["[发现] 杨建平在银行上班。"],
}


def memory_of(root: Path, talks: dict[int, list[str]]) -> Memory:
    """
    The memory of *talks*, one a day, with its bank.
    """
    for day, lines in talks.items():
        write_note(root / "workspace", day, lines)
    memory = open_memory(root)
    reflect(memory)
    return open_memory(root, LATER)


def going(memory: Memory, name: str) -> set[str]:
    """
    What would leave the notes if *name* was forgotten.
    """
    planned = plan(memory, Target(entity=name))
    return {
        said.text
        for document, lines in planned.lines
        if document.path.startswith("memory/2026")
        for said in lines
    }


def test_lines_that_say_only_a_short_name_go(tmp_path: Path) -> None:
    """
    The plan lists them, and nothing of them is left; those of the other Anna stay.
    """
    memory = memory_of(tmp_path, TALKS)

    listed = going(memory, "Anna Kost")
    receipt = forget(memory, Target(entity="Anna Kost"))

    assert listed == {
        "Anna Kost lives in Porto.",
        "Anna has a horse.",
        "Anna Kost works for Galp.",
        "My sister Anna sails.",
    }
    assert receipt.proof.holds
    assert holding(memory.workspace.root, "Kost", "a horse", "sails", "Galp") == []
    left = b"".join(bank_files(memory.workspace.root).values()).decode()
    assert "Anna Lee sings." in left
    assert "Anna has a new phone number." in memory.workspace.read(
        "memory/2026-11-08.md"
    )


def test_what_may_mean_another_is_named_and_stays(tmp_path: Path) -> None:
    """
    Of two Annas nobody knows which has a new number.
    """
    memory = memory_of(tmp_path, TALKS)

    unsure = plan(memory, Target(entity="Anna Kost")).chosen.unsure

    assert [each.shown for each in unsure] == ["Anna has a new phone number."]


def test_preview_says_what_stays_and_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    With the place, so that it can be forgotten by its words.
    """
    memory_of(tmp_path, TALKS)
    folders = ["--workspace", str(tmp_path / "workspace")]
    folders += ["--state-dir", str(tmp_path / "state"), "--now", LATER]

    run([*folders, "forget", "--entity", "Anna Kost", "--dry-run"])

    told = capsys.readouterr().out
    assert "  memory/2026-11-02.md:5 - [finding] Anna has a horse.\n" in told
    _, stays = told.split("nobody can tell whether it is the same one")
    assert "  memory/2026-11-08.md:4 Anna has a new phone number.\n" in stays


def test_short_name_in_chinese_goes(tmp_path: Path) -> None:
    """
    The given name alone is the same one.
    """
    memory = memory_of(tmp_path, CHINESE)

    receipt = forget(memory, Target(entity="杨建平"))

    assert receipt.proof.holds
    assert holding(memory.workspace.root, "建平", "一匹马") == []


def test_whom_the_owner_keeps_apart_is_another(tmp_path: Path) -> None:
    """
    Neither taken nor named.
    """
    memory = memory_of(tmp_path, {day: TALKS[day] for day in (2, 3, 8)})
    decide(memory, "split", "Anna", "Anna Kost")

    planned = plan(memory, Target(entity="Anna Kost"))

    assert going(memory, "Anna Kost") == {
        "Anna Kost lives in Porto.",
        "Anna Kost works for Galp.",
    }
    assert planned.chosen.unsure == []
