"""A note whose name is no UTF-8, as old archives unpack it, is a note like any other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from builders_encryption import ALL_NOTES, KEY, own_memory, use_key
from builders_git import git
from builders_memory import open_memory

from strata.cli.showing import printable
from strata.jobs.audit_scan import fix
from strata.jobs.encryption import switch_off, switch_on
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.jobs.undo import undo
from strata.workspace.audit import AuditLog

WORDS = "We use Redis for the queue"
LINES = f"# x\n\n- {WORDS}.\n- Only the owner deploys on Fridays.\n"
# 周报 in the GBK of an old Windows, a folder and a file.
NAMES = [b"memory/\xd6\xdc\xb1\xa8.md", b"memory/\xd6\xdc/\xb1\xa8.md"]


@pytest.fixture
def notes(tmp_path: Path) -> list[Path]:
    root = os.fsencode(tmp_path / "workspace")
    found = [Path(os.fsdecode(os.path.join(root, name))) for name in NAMES]  # noqa: PTH118 - bytes
    for note in found:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(LINES)
    return found


def test_what_stands_there_is_forgotten(tmp_path: Path, notes: list[Path]) -> None:
    """
    Forgetting ends, is proved, and leaves a receipt and a log that can be read.
    """
    memory = open_memory(tmp_path)
    memory.watch_over("cli", "forget")

    receipt = forget(memory, Target(WORDS))

    assert receipt.proof.holds
    assert not any("Redis" in note.read_text() for note in notes)
    kept = memory.workspace.layout.private / "receipts" / f"{receipt.id}.json"
    assert len(json.loads(kept.read_bytes())["lines"]) == 2
    assert AuditLog(memory.workspace.layout.audit_folder).verify().problems == []


def test_it_leaves_the_history_of_git_too(tmp_path: Path, notes: list[Path]) -> None:
    """
    The index of git still knows the files by the names that they have.
    """
    workspace = tmp_path / "workspace"
    git(workspace, "init", "-q")
    git(workspace, "add", "-A", "memory")
    git(workspace, "commit", "-qm", "one")

    receipt = forget(open_memory(tmp_path), Target(WORDS), git=True)

    assert receipt.proof.holds
    assert len(notes) == 2
    assert git(workspace, "status", "--porcelain") == ""


def test_a_change_there_is_undone(tmp_path: Path, notes: list[Path]) -> None:
    """
    What a run took out of such a file comes back.
    """
    for note in notes:
        note.write_text(LINES + "- Only the owner deploys on Fridays.\n")
    before = [note.read_bytes() for note in notes]
    memory = open_memory(tmp_path)

    fix(memory)
    after = [note.read_bytes() for note in notes]
    undo(memory)

    assert after == [LINES.encode()] * 2
    assert before == [note.read_bytes() for note in notes]


def test_it_is_encrypted_and_decrypted(
    tmp_path: Path, notes: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Encrypted notes of such names say the same afterwards.
    """
    use_key(monkeypatch, KEY)
    memory = open_memory(tmp_path, "2026-11-20T12:00:00+00:00", ALL_NOTES)
    with own_memory(memory.workspace.root):
        switch_on(memory)
        sealed = [note.read_bytes() for note in notes]
        switch_off(memory)

    assert not any(b"Redis" in each for each in sealed)
    assert [note.read_text() for note in notes] == [LINES, LINES]


def test_its_name_can_be_printed() -> None:
    """
    A screen shows a mark for each byte that is no sign.
    """
    assert printable(os.fsdecode(b"caf\xe9.md")) == "caf\ufffd.md"
