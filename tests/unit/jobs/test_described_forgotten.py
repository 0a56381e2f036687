"""What was forgotten is in no answer of a model either, and in no copy of a page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from builders_bank import write_note
from builders_described import (
    RUTH,
    VET,
    VET_LINES,
    described,
    line,
    says,
    vet,
    with_model,
)
from builders_encryption import holding
from builders_memory import open_memory

from strata.jobs.entity import decide
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.reflect import reflect

if TYPE_CHECKING:
    from pathlib import Path

FOURTH = datetime(2026, 11, 4, tzinfo=UTC)
LATER = "2026-11-20T13:00:00+00:00"
LATEST = "2026-11-20T14:00:00+00:00"


def test_forgotten_person_leaves_no_answer(tmp_path: Path) -> None:
    """
    Of the one who is gone nothing is left; what was said of others stays.
    """
    told = {
        "Ruth Calloway": {"summary": [line(VET, *VET_LINES)]},
        "张伟": {"summary": [line("张伟每周三来修水管。", "水管")]},
    }
    memory, _ = described(tmp_path, says(told))
    reflect(memory)

    receipt = forget(memory, Target(entity="Ruth Calloway"))

    root = memory.workspace.root
    assert receipt.proof.holds
    assert holding(root, "Ruth", "Calloway", "calloway", "Hexham", "hexham") == []
    assert "## Summary" in memory.workspace.read("memory/bank/people/张伟.md")


@pytest.mark.parametrize(
    "target",
    [
        Target(text="Ruth Calloway charges 45 for a visit."),
        Target(since=FOURTH, until=FOURTH + timedelta(days=1)),
    ],
)
def test_answer_that_rests_on_what_was_forgotten_is_gone(
    tmp_path: Path, target: Target
) -> None:
    """
    Also from the pages that undo keeps, in words that no note has; the rest of the page
    stays, and is asked about again.
    """
    summary = [
        line("Ruth Calloway is the vet in Hexham, charges 45 for a visit.", *VET_LINES),
        line("Ruth Calloway is the vet in Hexham.", "is the vet"),
    ]
    memory, model = described(tmp_path, vet(*summary))
    reflect(memory)
    assert "in Hexham, charges 45" in memory.workspace.read(RUTH)
    decide(memory, "merge", "Ruth Calloway", "Bethany Tulley")
    later = open_memory(tmp_path, LATER)

    receipt = forget(later, target)

    root = memory.workspace.root
    assert receipt.proof.holds
    assert holding(root, "charges 45") == []
    assert holding(root, "is the vet in Hexham") != []
    assert "## Summary" not in later.workspace.read(RUTH)
    heard = len(model.prompts)
    write_note(tmp_path / "workspace", 9, ["[finding] Ruth Calloway has a red van."])
    model.reply = vet(line("Ruth Calloway is the vet in Hexham.", "is the vet"))
    reflect(with_model(tmp_path, model, LATEST))
    (asked,) = model.prompts[heard:]
    assert "charges" not in asked
    assert "## Summary" in later.workspace.read(RUTH)


def test_what_a_note_says_word_for_word_stays_there(tmp_path: Path) -> None:
    """
    Though a summary had it beside what was forgotten.
    """
    copied = line("Ruth Calloway is the vet in Hexham.", *VET_LINES)
    memory, _ = described(tmp_path, vet(copied))
    reflect(memory)

    forget(memory, Target(text="Ruth Calloway charges 45 for a visit."))

    assert "is the vet in Hexham" in memory.workspace.read("memory/2026-11-02.md")


def test_answer_is_dropped_where_something_was_forgotten_meanwhile(
    tmp_path: Path,
) -> None:
    """
    It may tell of it, whatever it is about.
    """

    def reply(prompt: str) -> str:
        forget(open_memory(tmp_path, LATER), Target(entity="Ruth Calloway"))
        return vet(line(VET, *VET_LINES))(prompt)

    memory, _ = described(tmp_path, reply)

    reflect(memory)

    assert holding(memory.workspace.root, "Ruth", "Calloway", "Hexham") == []


def test_nothing_is_asked_of_pages_that_are_older_than_a_forgetting(
    tmp_path: Path,
) -> None:
    """
    The pages were made; the model hears nothing of what is gone since.
    """
    memory, model = described(tmp_path, vet())
    asking = memory.workspace.layout.private / "locks" / "asking.lock"
    assert not asking.exists()
    reflect(memory)
    heard = len(model.prompts)

    forget(open_memory(tmp_path, LATER), Target(entity="Ruth Calloway"))
    reflect(with_model(tmp_path, model, LATEST))

    assert all("Calloway" not in each for each in model.prompts[heard:])


def test_proposal_goes_with_whom_it_names(tmp_path: Path) -> None:
    """
    No line of the review has the name.
    """
    pair = [{"names": ["Zhang Wei", "张伟"], "lines": ["on the bill"]}]
    memory, _ = described(tmp_path, says({}, pair))
    assert reflect(memory).proposed == [("Zhang Wei", "张伟")]

    forget(memory, Target(entity="Zhang Wei"))

    assert list(memory.journal.records("proposed")) == []
    assert holding(memory.workspace.root, "Zhang Wei", "zhang wei") == []
