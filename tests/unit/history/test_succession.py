"""Which statement took the place of which, from the owner's words and from the night's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders_memory import NIGHT, captured, open_memory

from strata.history.succession import Succession, succession
from strata.jobs.deciding.verdict_list import find_statement, statements
from strata.jobs.review import review
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

MORNING = "2026-11-21T09:00:00+00:00"
NEW = "Use pnpm 11 in acme-dashboard, never npm."


def reworded(root: Path) -> tuple[Memory, str, str]:
    """
    The memory in which the line about pnpm was put otherwise, with both texts.
    """
    captured(root)
    tidy(open_memory(root, NIGHT))
    memory = open_memory(root, MORNING)
    old = next(each for each in statements(memory) if "pnpm" in each.text)
    review(memory, "edit", [old.id], NEW)
    return memory, old.text, old.id


def test_new_wording_knows_the_old_one_and_the_other_way_round(tmp_path: Path) -> None:
    """
    What the owner put otherwise is known from both sides, by id and with its text.
    """
    memory, old, old_id = reworded(tmp_path)
    new_id = next(each.id for each in statements(memory) if each.text == NEW)

    assert succession(memory.journal, {new_id}) == Succession(before={old_id: old})
    assert succession(memory.journal, {old_id}) == Succession(after={new_id: NEW})


def test_what_was_undone_took_no_place(tmp_path: Path) -> None:
    """
    A new wording that was undone comes neither before nor after anything.
    """
    memory, _, old_id = reworded(tmp_path)

    undo(memory)

    assert find_statement(memory, old_id).line
    assert succession(memory.journal, {old_id}) == Succession()
