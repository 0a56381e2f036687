"""What the owner only told of is no fact of the world because an agent retained it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from builders import Conversation
from builders_bank import bank_files
from builders_memory import open_memory
from builders_retain import ENGLISH, reflected, write_retain

from strata.jobs.deciding.verdict_list import statements
from strata.jobs.review import review
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

EVENING = "2026-11-18T21:00:00+00:00"
ROOF, PORTO = "Tom reckons the barn roof leaks.", "Bethany Tulley lives in Porto."


def told(root: Path) -> Memory:
    """
    The memory of a talk that tells of a roof, says where one lives, and retains both.
    """
    at = datetime(2026, 11, 18, 10, tzinfo=UTC)
    talk = Conversation(root / "state", "18871d67", "agent:main:d18", at)
    talk.user(f"Can you look at the invoice for the barn roof? {ROOF}").agent("Ok.")
    talk.user("Yes.").agent("Noted.").user(PORTO).agent("Yes")
    talk.user("Thanks, bye").agent("Bye").save()
    memory = open_memory(root, EVENING)
    sync(memory)
    write_retain(memory, 18, [f"W @Tom: {ROOF}", f"W @Bethany Tulley: {PORTO}"])
    return reflected(memory)


def bank(memory: Memory) -> str:
    """
    All pages of the bank, as one text.
    """
    return b"".join(bank_files(memory.workspace.root).values()).decode()


def test_what_was_only_told_of_waits(tmp_path: Path) -> None:
    """
    What the same talk says plainly counts.
    """
    memory = told(tmp_path)

    assert f"- User said: {ROOF}" in memory.workspace.read(ENGLISH)
    assert ROOF not in bank(memory)
    assert f"{PORTO} (src: 2026-11-18#L5, 2026-11-18#L9)" in bank(memory)
    waits = [each.text for each in statements(memory) if each.kind == "waiting"]
    assert waits == [ROOF]


def test_it_is_a_fact_with_the_owners_word(tmp_path: Path) -> None:
    """
    Accepted, it holds.
    """
    memory = told(tmp_path)
    (waits,) = (each for each in statements(memory) if each.kind == "waiting")

    review(memory, "accept", [waits.id])

    assert f"- @Tom: {ROOF} (src: 2026-11-18#L8)" in bank(reflected(memory))
