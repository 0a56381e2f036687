"""Whom and what a model says an entry tells of goes with the entry, and to the bank."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from builders import Conversation
from builders_bank import bank_files, names
from builders_encryption import KEY as KEY_OF_MEMORY
from builders_encryption import holding, use_key
from builders_extraction import Proposing, Rows, open_with, proposed, sync_with

from strata.jobs.banking.knowing import heard_names
from strata.jobs.change_entry import edit
from strata.jobs.encryption import switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.reflect import reflect
from strata.jobs.undo import undo
from strata.workspace.files import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

KEY = "AKIAIOSFODNN7EXAMPLE"
DAY = {"name": "the open day", "type": "thing"}
IMRAN = {"name": "Imran Sheikh", "type": "person", "also": ["Goldleaf", "Rembrandt"]}
SAID: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "The cap for the open day is 60 people.": (
        "finding",
        [DAY, {"name": "the summer fair", "type": "thing"}],
    ),
    "Money from the open day goes to the air ambulance.": ("decision", [DAY]),
    "The lane is closed on the open day, they come by the field.": ("finding", [DAY]),
    "Mail that comes from Goldleaf is from Imran Sheikh.": (
        "finding",
        [IMRAN, {"name": f"token {KEY}", "type": "thing"}],
    ),
    "Imran Sheikh only works from drawings.": ("finding", [IMRAN]),
    "The painter is paid in cash on Fridays.": ("finding", [IMRAN]),
}


def answer(rows: Rows) -> list[dict[str, object]]:
    """
    Each line as a fact of what was said, with whom and what it tells of.
    """
    facts = proposed(rows, *((text, kind, text) for text, (kind, _) in SAID.items()))
    return [fact | {"of": SAID[str(fact["text"])][1]} for fact in facts]


@pytest.fixture
def memory(workspace: Path, state: Path) -> Memory:
    talk = Conversation(state)
    for text in SAID:
        talk.user(text).agent("Noted.")
    talk.save()
    sync_with(workspace, state, Proposing(answer))
    opened = open_with(workspace, state, None)
    return replace(opened, workspace=Workspace(workspace))


def told(memory: Memory) -> list[Any]:
    """
    What the journal has of each entry.
    """
    records = memory.journal.records("captured")
    return [each.get("of") for record in records for each in record["entries"]]


def test_journal_keeps_who_was_named(memory: Memory) -> None:
    """
    Whom nobody named is not there, nor a secret, nor a name that no words give somebody.
    """
    day = {"name": "the open day", "sort": "thing", "also": []}
    imran = {"name": "Imran Sheikh", "sort": "person", "also": []}

    assert told(memory) == [
        *([day], [day], [day]),
        *([imran | {"also": ["Goldleaf"]}], [imran], [imran]),
    ]


def test_pages_are_theirs(memory: Memory) -> None:
    """
    The set description has one, and the line without a name stands on that of the man.
    """
    reflect(memory)

    files = bank_files(memory.workspace.root)
    imran = files["memory/bank/people/imran-sheikh.md"].decode()
    assert "memory/bank/things/open-day.md" in files
    assert "The painter is paid in cash on Fridays." in imran
    assert 'aliases: ["Goldleaf"]' in imran


def test_deleted_folder_comes_back_without_a_model(memory: Memory) -> None:
    """
    Byte for byte: notes and journal have all of it.
    """
    reflect(memory)
    before = bank_files(memory.workspace.root)
    shutil.rmtree(memory.workspace.root / "memory/bank")
    shutil.rmtree(memory.workspace.root / ".strata/cache")

    reflect(replace(memory))

    assert bank_files(memory.workspace.root) == before


def test_forgotten_person_leaves_no_name(memory: Memory) -> None:
    """
    Nor the line that says only what he does, for it tells of that person.
    """
    reflect(memory)

    receipt = forget(memory, Target(entity="Imran Sheikh"))
    reflect(memory)

    assert receipt.proof.holds
    assert "Imran" not in json.dumps(told(memory))
    assert "painter" not in "".join(memory.workspace.read(p) for p in notes(memory))
    assert not {each for each in names(memory) if "Imran" in each}


def test_alias_that_is_forgotten_goes_alone(memory: Memory) -> None:
    """
    The entries that do not say it stay, and tell of the same.
    """
    forget(memory, Target("Goldleaf"))

    assert "Goldleaf" not in json.dumps(told(memory))
    assert len([each for each in told(memory) if each]) == 5


def notes(memory: Memory) -> list[str]:
    return [path for _, path in memory.workspace.layout.daily_notes()]


def test_they_are_encrypted_with_the_journal(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    None of our files has a name in the clear, and the pages are the same.
    """
    use_key(monkeypatch, KEY_OF_MEMORY)
    reflect(memory)
    before = names(memory)

    switch_on(memory)

    encrypted = replace(memory)
    reflect(encrypted)
    assert holding(memory.workspace.layout.private, "Goldleaf") == []
    assert names(encrypted) == before


def test_they_go_with_an_edit_and_come_back_with_undo(memory: Memory) -> None:
    """
    They were given for the words that stood there.
    """
    page = "memory/bank/people/imran-sheikh.md"
    edit(
        memory,
        "The painter is paid in cash on Fridays.",
        "The baker is paid in cash on Fridays.",
    )
    reflect(memory)
    edited = memory.workspace.read(page)
    undo(memory)
    reflect(memory)

    assert "in cash" not in edited
    assert "The painter is paid in cash on Fridays." in memory.workspace.read(page)


def test_answer_without_them_is_one(workspace: Path, state: Path) -> None:
    """
    Of an older answer, and of another provider: the local judge reads the entry.
    """
    talk = Conversation(state)
    for text in SAID:
        talk.user(text)
    talk.save()
    sync_with(
        workspace,
        state,
        Proposing(lambda rows: [each | {"of": []} for each in answer(rows)]),
    )
    memory = open_with(workspace, state, None)

    reflect(memory)

    assert told(memory) == [None] * len(SAID)
    assert "Imran Sheikh" in {each.name for each in heard_names(memory)}
