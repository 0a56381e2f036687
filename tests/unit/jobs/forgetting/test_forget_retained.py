"""What an agent retained of a statement goes with it, and stays where another says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders_encryption import holding
from builders_memory import open_memory
from builders_retain import CHINESE, ENGLISH, SAID, reflected, retained

from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

NIGHT = "2026-11-19T22:00:00+00:00"


def told(memory: Memory, path: str, word: str) -> str:
    """
    What the entry of the note at *path* says in which *word* stands first.
    """
    lines = memory.workspace.read(path).splitlines()
    return next(each for each in lines if word in each).partition("] ")[2]


@pytest.mark.parametrize(
    ("path", "word", "words"),
    [
        (ENGLISH, "Porto", ("moved to Porto", "moved to")),
        (ENGLISH, "Electron", ("stand Electron", "Electron")),
        (CHINESE, "深圳", ("搬到了深圳", "搬到")),
        (CHINESE, "红眼", ("不喜欢红眼", "红眼")),
    ],
)
def test_part_of_it_that_was_retained_goes_along(
    tmp_path: Path, path: str, word: str, words: tuple[str, ...]
) -> None:
    """
    From the note, the bank and the journal; nothing else of that day does.
    """
    memory = reflected(retained(tmp_path, SAID))
    text = told(memory, path, word)

    receipt = forget(open_memory(tmp_path, NIGHT), Target(text=text))

    assert receipt.proof.holds
    assert holding(memory.workspace.root, *words) == []
    left = memory.workspace.read(path)
    assert sum(each in left for each in SAID[18] + SAID[19]) == len(SAID[18]) - 1


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("W @Anna Kost: Anna Kost moved to Porto.", True),
        ("S Anna Kost moved to Porto and the roof leaks.", False),
        ("S The roof leaks.", False),
        ("W @Ben: The shed is dry.", True),
    ],
)
def test_what_another_entry_says_too_stays(
    tmp_path: Path, line: str, *, stays: bool
) -> None:
    """
    A line goes where any part of it rests on what goes, and on nothing else.
    """
    note = tmp_path / "workspace/memory/2026-11-18.md"
    note.parent.mkdir(parents=True)
    note.write_text(
        "# 2026-11-18\n\n## 10:06 session:18871d67 | 6 messages\n"
        "- [finding] The roof leaks, the shed is dry.\n"
        "- [finding] Anna Kost moved to Porto.\n- [finding] The shed is dry.\n"
        f"\n## Retain\n- {line}\n"
    )
    memory = reflected(open_memory(tmp_path, NIGHT))

    forget(memory, Target(text="The roof leaks, the shed is dry."))

    assert (line in note.read_text()) is stays
