"""What was forgotten can be proved gone later, by whoever knows none of its words."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from builders_memory import captured, open_memory

from strata.errors import NotFound
from strata.jobs.forgetting.forget import forget, plan
from strata.jobs.forgetting.proving import kept_receipt, kept_receipts, prove_again
from strata.jobs.forgetting.target import Target
from strata.jobs.remember import remember

if TYPE_CHECKING:
    from pathlib import Path

MORNING = "2026-11-21T09:00:00+00:00"
LATER = "2026-11-23T09:00:00+00:00"
SECRET = "We keep PostgreSQL 16, because the reports need ACID."
TOWN = "Quokkaville"
DAILY = "memory/2026-11-20.md"


def test_receipt_is_kept_and_proved_again(tmp_path: Path) -> None:
    """
    What was told then is told again, and memory is looked through as it is now.
    """
    captured(tmp_path)
    receipt = forget(open_memory(tmp_path, MORNING), Target(text=SECRET))
    later = open_memory(tmp_path, LATER)

    proof = prove_again(later, receipt.id)

    assert kept_receipts(later) == [receipt]
    assert kept_receipt(later, receipt.id).document() == receipt.document()
    assert proof.holds
    assert proof.checks == ["lines", "journal"]
    with pytest.raises(NotFound, match="no receipt"):
        prove_again(later, "0" * 12)


def test_what_a_backup_brought_back_is_no_longer_proved(tmp_path: Path) -> None:
    """
    The place is named, and it is no matter in which words of before it stands there.
    """
    captured(tmp_path)
    receipt = forget(open_memory(tmp_path, MORNING), Target(text=SECRET))
    note = tmp_path / "workspace" / DAILY
    note.write_text(note.read_text() + f"- {SECRET}\n")
    line = len(note.read_text().splitlines())

    proof = prove_again(open_memory(tmp_path, LATER), receipt.id)

    assert not proof.holds
    assert proof.left == [f"{DAILY}:{line}"]


def test_what_the_owner_said_anew_is_no_sign_of_it(tmp_path: Path) -> None:
    """
    A forgetting is about what was said until then.
    """
    captured(tmp_path)
    receipt = forget(open_memory(tmp_path, MORNING), Target(text=SECRET))
    remember(open_memory(tmp_path, LATER), SECRET)

    proof = prove_again(open_memory(tmp_path, LATER), receipt.id)

    assert "PostgreSQL" in open_memory(tmp_path).workspace.read("MEMORY.md")
    assert proof.holds


def test_a_broken_receipt_hides_no_other(tmp_path: Path) -> None:
    """
    Half a file, or one of somebody else, is passed over.
    """
    captured(tmp_path)
    memory = open_memory(tmp_path, MORNING)
    receipt = forget(memory, Target(text=SECRET))
    folder = memory.workspace.layout.private / "receipts"
    (folder / "half.json").write_text('{"id": "ha')
    (folder / "other.json").write_text('{"proof": []}')

    assert [each.id for each in kept_receipts(memory)] == [receipt.id]


def test_no_cache_of_this_process_keeps_the_words(tmp_path: Path) -> None:
    """
    Nothing that lives on after a forgetting, such as the dashboard, has them in mind.
    """
    memory = open_memory(tmp_path, MORNING)
    remember(memory, f"We decided that the office goes to {TOWN}, near the old port.")
    plan(memory, Target(text=f"Our office goes to {TOWN}."))
    known = caches_holding(TOWN)

    forget(memory, Target(entity=TOWN))

    assert known
    assert caches_holding(TOWN) == []


def caches_holding(word: str) -> list[str]:
    """
    The functions of ours that remember something with *word* in it.
    """
    kind = "_lru_cache_wrapper"
    caches = [each for each in gc.get_objects() if type(each).__name__ == kind]
    ours = [each for each in caches if str(each.__module__).startswith("strata.")]
    held = {each.__qualname__: str(gc.get_referents(each)) for each in ours}
    return [name for name, said in held.items() if word.lower() in said.lower()]
