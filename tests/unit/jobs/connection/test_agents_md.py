"""The rules of recall are in the owner's language, and their commands can be run."""

from __future__ import annotations

import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from builders_memory import open_memory
from click.testing import CliRunner

from strata.cli import commands, texts
from strata.jobs.connection import agents_md

if TYPE_CHECKING:
    from pathlib import Path

CHINESE = (
    "# 2026-11-20\n\n- [决策] 数据库只用 PostgreSQL 16。\n- [偏好] 周报用中文写。\n"
)
ENGLISH = "# 2026-11-21\n\n- [preference] Use pnpm, never npm.\n" * 9


def write_note(root: Path, name: str, text: str) -> None:
    folder = root / "workspace" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")


def test_rules_are_in_the_language_of_the_notes(tmp_path: Path) -> None:
    """
    Who writes Chinese gets Chinese rules, and they stay so when other notes follow.
    """
    write_note(tmp_path, "2026-11-20", CHINESE)
    memory = open_memory(tmp_path)

    agents_md.put_in(memory)
    write_note(tmp_path, "2026-11-21", ENGLISH)

    assert "## 记忆" in memory.workspace.read(agents_md.NAME)
    assert agents_md.is_current(memory)


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "## Memory"), ("zh", "## 记忆")]
)
def test_setting_has_the_last_word(tmp_path: Path, language: str, heading: str) -> None:
    """
    A language that is set changes the block that stands there, whatever the notes are.
    """
    write_note(tmp_path, "2026-11-20", CHINESE if language == "en" else ENGLISH)
    agents_md.put_in(open_memory(tmp_path))
    memory = open_memory(tmp_path, "2026-11-22T12:00:00Z", f"language={language}")

    assert not agents_md.is_current(memory)
    assert agents_md.block(memory).startswith(heading)


@pytest.mark.parametrize("name", ["memory-sync", "memory-tidy"])
def test_commands_for_an_agent_survive_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """
    A path with a blank is quoted wherever an agent is told to run something.
    """
    program = tmp_path / "我的 strata" / "scripts" / "strata"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "ran $1"\n', encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(texts, "BUNDLE", program.parent.parent)

    told = CliRunner().invoke(commands, ["prompt", name]).output.split("\n")
    rules = agents_md.rules(open_memory(tmp_path), program).split("`")

    lines = [line for line in (*told, *rules) if str(program) in line]
    assert len(lines) == 4
    for line in lines:
        ran = subprocess.run(
            ["/bin/sh", "-c", line], capture_output=True, text=True, check=False
        )
        assert ran.stdout == f"ran {shlex.split(line)[1]}\n"
