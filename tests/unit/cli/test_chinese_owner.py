"""An owner who writes Chinese is spoken to in Chinese, by every command."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import fake_openclaw
import pytest
from builders import Conversation

from strata.cli import run

if TYPE_CHECKING:
    from pathlib import Path

NOON = "2026-11-20T12:00:00+08:00"
# What is no sentence: commands, quotations, options, paths and addresses.
_CODE = re.compile(
    r"`[^`\n]*`|'[^'\n]*'|“[^”\n]*”|\"[^\"\n]*\"|--?[a-z][\w-]*|[\w.~⟦-]*[/#:._][^\s，。；]*"
)
_ENGLISH = re.compile(r"[A-Za-z][a-z’']*(?:,? [A-Za-z][a-z’']*){3,}")


def english_in(told: str) -> list[str]:
    """
    Runs of four or more English words, outside what is quoted or a name.
    """
    return _ENGLISH.findall(_CODE.sub("·", told))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    A small Chinese memory, made once and copied for each command.
    """
    root = tmp_path_factory.mktemp("chinese")
    (root / "workspace").mkdir()
    talk = Conversation(root / "state")
    talk.user("以后一律用 pnpm，不要用 npm。").agent("好的。")
    talk.user("我们决定用 PostgreSQL 16，因为报表需要事务。").agent("明白。")
    talk.save()
    assert run([*options(root), "sync"]) == 0
    assert run([*options(root), "remember", "周报每周五下午发。"]) == 0
    return root


def options(root: Path) -> list[str]:
    """
    What names the memory below *root*, at noon in Shanghai.
    """
    folders = ["--state-dir", root / "state", "--workspace", root / "workspace"]
    zone = ["--set", "timezone=Asia/Shanghai"]
    return [*map(str, folders), "--now", NOON, *zone]


@pytest.fixture
def chosen(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """
    The options that name a small Chinese memory, beside a stand-in for OpenClaw.
    """
    root = tmp_path / "root"
    shutil.copytree(built, root)
    configured = {"agents": {"defaults": {"workspace": str(root / "workspace")}}}
    (root / "state" / "openclaw.json").write_text(json.dumps(configured))
    program = fake_openclaw.make(root / "state")
    monkeypatch.setenv("STRATA_OPENCLAW", str(program))
    return options(root)


RUNS = [
    "install --dry-run",
    "install",
    "install --yes --model none",
    "uninstall --yes",
    "setup --no-model",
    "setup --no-model --yes",
    "why 用哪个包管理器？ --expect pnpm",
    "why 用哪个包管理器？ --expect 仙人掌",
    "why 报表",
    "query 包管理器 --explain",
    "query 仙人掌几时浇水 --explain",
    "audit log",
    "audit verify",
    "audit verify --head 123",
    "audit scan",
    "audit scan --fix",
    "doctor",
    "doctor --fix",
    "sync",
    "sync --since 30d --dry-run",
    "update",
    "update --rebuild",
    "model",
    "model test",
    "status",
]


@pytest.mark.parametrize("command", RUNS)
def test_every_command_speaks_chinese(
    command: str, chosen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Nothing that a command prints for people is an English sentence.
    """
    capsys.readouterr()

    run([*chosen, *command.split()])

    printed = capsys.readouterr()
    assert english_in(printed.out + printed.err) == []
