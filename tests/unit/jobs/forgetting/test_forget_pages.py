"""A page of the bank that undo kept holds no line of a forgotten day, in whatever part."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from builders_bank import write_note
from builders_encryption import holding
from builders_memory import open_memory
from builders_retain import reflected

from strata.jobs.entity import decide
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

EVENING, NIGHT = "2026-11-18T21:00:00+00:00", "2026-11-18T23:00:00+00:00"
NOTES = {
    16: ("[finding] Anna cannot eat nuts.", "[finding] Ben Adler has a dog."),
    17: ("[finding] Anna lives in Porto.", "[finding] Ben Adler sings."),
    18: (
        "[preference] I prefer Anna to bake the marzipan cake.",
        "[preference] 我喜欢张伟做的红烧肉。",
        "User said: Anna flew to Madrid.",
        "[finding] Anna lives in Braga now, not in Porto.",
        "[finding] 张伟住在苏州。",
    ),
}
PARTS = (
    "I prefer Anna to bake the marzipan cake. (1 day for, 0 against,",
    "2026-11-18: User said: Anna flew to Madrid. (src: ",
    "2026-11-17 to 2026-11-18: Anna lives in Porto. (src: ",
    "@Anna: I emailed the invoice to Anna. (src: 2026-11-18#L",
)
RETAINED = "B @Anna: I emailed the invoice to Anna."
FORGOTTEN = ("marzipan", "红烧肉", "Madrid", "Braga", "苏州", "invoice")


def with_copies(root: Path) -> Memory:
    """
    The memory of three days, with pages of all of them among what undo keeps.
    """
    for day, lines in NOTES.items():
        write_note(root / "workspace", day, lines)
    at = datetime(2026, 11, 18, 10, tzinfo=UTC)
    talk = Conversation(root / "state", "18871d67", "agent:main:d18", at)
    talk.user("Send Anna the bill.").agent("Done, I emailed the invoice to Anna.")
    talk.user("Thanks, bye").save()
    note = root / "workspace/memory/2026-11-18.md"
    note.write_text(f"{note.read_text()}\n## Retain\n- {RETAINED}\n")
    memory = open_memory(root, EVENING)
    sync(memory)
    reflected(memory)
    decide(memory, "merge", "Anna", "Ben Adler")
    return open_memory(root, NIGHT)


def kept(memory: Memory) -> str:
    """
    All that undo keeps, as one text.
    """
    found = (memory.workspace.root / ".strata/undo").rglob("*.before")
    return "".join(each.read_text() for each in found)


@pytest.mark.parametrize("lasting", [1, 2])
def test_forgotten_day_is_gone_from_every_part_of_a_page(
    tmp_path: Path, lasting: int
) -> None:
    """
    What the owner thinks with its weight, what was with its days, and what was retained.
    """
    memory = with_copies(tmp_path)
    before = kept(memory)
    for part in PARTS:
        assert f"\n- {part}" in before
    day = datetime(2026, 11, 19 - lasting, tzinfo=UTC)
    until = datetime(2026, 11, 19, tzinfo=UTC)

    receipt = forget(memory, Target(since=day, until=until))

    assert receipt.proof.holds
    assert holding(memory.workspace.root, *FORGOTTEN) == []
    assert "Anna cannot eat nuts. (src:" in kept(memory)
