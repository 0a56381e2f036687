"""A line stands where it was judged to belong, or where the owner has put it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from builders_model import ModelLife, careful, life_with
from killing import Killed, killed_before

from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.notes.long_term import Section, placed_lines

if TYPE_CHECKING:
    from pathlib import Path

DECISION = "We settled on MLflow for tracking, because it runs on our own server."
PNPM = "From now on always use pnpm, never npm, in acme-dashboard."


@pytest.fixture
def life(tmp_path: Path) -> ModelLife:
    """
    A page that rules filled; the model would put all of it among the preferences.
    """
    life, model = life_with(tmp_path, careful(["MLflow", "pnpm"]))
    life.talk(DECISION, PNPM)
    life.model = None
    life.night()
    life.model = model
    return life


def section(life: ModelLife, words: str) -> Section | None:
    (found,) = (place for place, line in placed_lines(life.page) if words in line)
    return found


def placed(life: ModelLife) -> set[tuple[Section | None, str]]:
    """
    Where each line stands, and what it says.
    """
    return {
        (place, line.partition(" <!--")[0])
        for place, line in placed_lines(life.page)
        if line.startswith("- ")
    }


def move(life: ModelLife, words: str, heading: str) -> None:
    """
    Let the owner put the line with *words* below *heading*.
    """
    (line,) = (line for line in life.lines if words in line)
    text = life.page.replace(f"{line}\n", "")
    page = life.root / "workspace" / "MEMORY.md"
    page.write_text(text.replace(f"{heading}\n", f"{heading}\n{line}\n"))


def test_page_does_not_tell_when_a_model_came(life: ModelLife, tmp_path: Path) -> None:
    """
    A line that a model judges otherwise moves once, to where it always would have been.
    """
    always, _ = life_with(tmp_path / "always", careful(["MLflow", "pnpm"]))
    always.talk(DECISION, PNPM)
    always.night()
    assert section(life, "MLflow") is Section.DECISIONS

    life.night()

    assert life.page == always.page
    life.night()
    assert life.page == always.page


def test_line_that_the_owner_moved_stays(life: ModelLife) -> None:
    """
    Neither a heading of ours nor one of theirs takes the line back.
    """
    move(life, "MLflow", "## Important Contacts")
    move(life, "pnpm", "# Long-Term Memory")
    life.night()
    life.night()

    assert section(life, "MLflow") is Section.CONTACTS
    assert section(life, "pnpm") is None


def test_move_that_was_undone_is_not_made_again(life: ModelLife) -> None:
    """
    Who takes the night back has the line where it was.
    """
    before = placed(life)
    life.night()
    undo(life.memory())
    life.night()

    assert placed(life) == before


@pytest.mark.parametrize("change", range(1, 8))
def test_move_is_made_although_the_night_was_cut_off(
    life: ModelLife, change: int
) -> None:
    """
    Killed before any change on disk, the next night ends where one would have.
    """
    with killed_before(change), suppress(Killed):
        tidy(life.memory(hours=17))

    life.night()

    assert section(life, "MLflow") is Section.PREFERENCES
    assert len(life.lines) == len(set(life.lines))
