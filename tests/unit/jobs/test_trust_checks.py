"""The doctor tells what of forgetting and of the log is not as it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strata.jobs.checks.findings import Finding, Level
from strata.jobs.doctor import examine, mend
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.target import Target
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-20T12:00:00+00:00"
NOTE = "# 2026-11-20\n\n- The door code is under the mat\n- Tea is at five\n"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    (tmp_path / "state" / "agents" / "main" / "sessions").mkdir(parents=True)
    (tmp_path / "workspace" / "memory").mkdir(parents=True)
    (tmp_path / "workspace" / "memory" / "2026-11-20.md").write_text(NOTE)
    return reopened(tmp_path)


def reopened(root: Path) -> Memory:
    opened = Memory.open(
        workspace=str(root / "workspace"),
        state_dir=str(root / "state"),
        now=NOW,
        overrides=["timezone=UTC"],
    )
    opened.watch_over("you", "test")
    return opened


def found(memory: Memory, name: str) -> list[Finding]:
    return [each for each in examine(memory) if each.name == name]


def forgetting_cut_off(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("strata.jobs.forgetting.forget.remove", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(memory, Target("The door code is under the mat"))


def test_nothing_forgotten_is_nothing_to_say(memory: Memory) -> None:
    """
    Who never forgot anything hears nothing of it; an untouched log is whole.
    """
    assert found(memory, "forgotten") == []
    assert [each.level for each in found(memory, "audit log")] == [Level.OK]


def test_forgetting_that_was_cut_off_is_finished(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """
    The doctor tells of it, and mends it: the words go, and all is well.
    """
    note = memory.workspace.root / "memory" / "2026-11-20.md"
    forgetting_cut_off(memory, monkeypatch)
    assert "door code" in note.read_text()

    [finding] = found(reopened(tmp_path), "forgotten")
    mended = mend([finding])

    assert finding.level is Level.PROBLEM
    assert "1 of what you had forgotten" in finding.says
    assert "2026-11-20" in finding.says
    assert mended == ["forgotten: mended"]
    assert "door code" not in note.read_text()
    assert "Tea is at five" in note.read_text()
    assert [each.level for each in found(reopened(tmp_path), "forgotten")] == [Level.OK]


def test_lost_key_is_named(memory: Memory, tmp_path: Path) -> None:
    """
    Without it nobody can tell what was forgotten: that needs a person.
    """
    forget(memory, Target("The door code is under the mat"))
    key = tmp_path / "state" / "strata" / "forgotten" / "key"
    key.unlink()

    [finding] = found(reopened(tmp_path), "forgotten")

    assert finding.level is Level.PROBLEM
    assert str(key) in finding.says
    assert "backup" in finding.remedy
    assert finding.fix is None


def test_changed_log_is_named(memory: Memory) -> None:
    """
    A record that somebody rewrote is a problem, with the command that lists them.
    """
    for number in range(3):
        memory.workspace.update(f"memory/2026-11-0{number + 1}.md", lambda _: "x\n")
    log = memory.workspace.layout.audit_folder / "log.jsonl"
    log.write_text(log.read_text().replace("2026-11-02", "2026-11-09"))

    [finding] = found(memory, "audit log")

    assert finding.level is Level.PROBLEM
    assert "was changed" in finding.says
    assert "strata audit verify" in finding.remedy
    assert [
        f for f in examine(memory, ask_gateway=False) if f.name == "audit log"
    ] == []
