"""An owner who writes Chinese is spoken to in Chinese, by every command."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import click
import fake_openclaw
import pytest
from builders import Conversation
from builders_imports import claude_talk, write_zip
from english import english_in

from strata.cli import COMMANDS, commands, run

if TYPE_CHECKING:
    from pathlib import Path

NOON = "2026-11-20T12:00:00+08:00"


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
    said = [("user", "以后一律用 npm，不要用 pnpm。"), ("assistant", "好的。")]
    said += [("user", "我们决定花房用 Hetzner 的机器。"), ("assistant", "记下了。")]
    kept = {"conversations_memory": "喜欢喝茶。", "account_uuid": "1"}
    content = {"conversations.json": [claude_talk("一", said), {}]}
    write_zip(root / "导出.zip", {**content, "memories.json": [kept]})
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
    # Where an export goes that names no place.
    monkeypatch.chdir(root)
    return options(root)


def commands_of(path: str, group: click.Group) -> list[str]:
    """
    Every command below *group* by its words, and the group itself.
    """
    found = [path]
    for name in group.list_commands(click.Context(group)):
        inner = group.get_command(click.Context(group), name)
        words = f"{path} {name}".strip()
        found += (
            commands_of(words, inner) if isinstance(inner, click.Group) else [words]
        )
    return found


@pytest.mark.parametrize("command", commands_of("", commands))
def test_help_is_chinese(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """
    What a command is for, and each of its options, is explained in Chinese.
    """
    given = ["--set", "language=zh", "--workspace", ".", "--state-dir", "."]

    code = run([*given, *command.split(), "--help"])

    printed = capsys.readouterr().out
    assert code == 0
    assert printed.startswith("用法：strata")
    assert english_in(printed) == []


MISTAKES = [
    "frobnicate",
    "syn",
    "sync --sinc 3",
    "sync --since",
    "sync --dry-run=1",
    "get",
    "prompt",
    "query 端口 -n 0",
    "query 端口 --tier x",
    "audit log -n 0",
    "tidy x y",
    "audit frobnicate",
    "why 端口 --expect",
    "--agent nobody status",
    "sync --redo --prepare",
    "event",
    "--set foo=1 status",
    "--set language=fr status",
    "--now gestern status",
]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told_in_chinese(
    mistake: str, chosen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """
    What click finds wrong, and what the commands do, is no English sentence.
    """
    capsys.readouterr()

    code = run([*chosen, *mistake.split()])

    told = capsys.readouterr().err
    assert code == 2 or "nobody" in mistake
    assert re.search(r"[\u4e00-\u9fff]", told)
    assert english_in(told) == []


RUNS = [
    "embed --set embedding.model=nowhere",
    "encryption status",
    "encryption on",
    "encryption off",
    "encryption change-key",
    "machines status",
    "machines key",
    "machines leave",
    "machines join .",
    "machines join 共享",
    "tidy",
    "tidy --dry-run",
    "tidy --mode ask",
    "import 导出.zip",
    "import 导出.zip --dry-run",
    "import 没有.zip",
    "import state",
    "import 导出.zip --from grok",
    "undo --list",
    "undo --dry-run",
    "undo",
    "remember 周报每周五下午发。",
    "remember 我的密码是 hunter2-Zebra-88",
    "remember 明天发周报",
    "share MEMORY.md:8",
    "share 仙人掌",
    "share --list",
    "share",
    "unshare MEMORY.md:8",
    "forget 仙人掌 --dry-run",
    "forget pnpm --dry-run",
    "forget pnpm",
    "forget pnpm --yes",
    "forget",
    "inspect MEMORY.md:8",
    "inspect 仙人掌",
    "edit MEMORY.md:8 周报每周四下午发。",
    "delete MEMORY.md:8",
    "review",
    "review pin MEMORY.md:8",
    "review decline MEMORY.md:8",
    "review accept 99",
    "trace MEMORY.md:8",
    "trace pnpm",
    "get memory/2026-11-20.md",
    "get memory/2026-11-21.md",
    "--scope group:kitchen status",
    "sync --session 99",
    "sync --redo",
    "install --dry-run",
    "install",
    "install --yes --model none",
    "install --yes --slot",
    "install --dry-run --no-slot",
    "uninstall --yes",
    "setup --no-model",
    "setup --no-model --yes",
    "project",
    "project here",
    "project set memory/2026-11-20.md:4 温室",
    "project set 99 温室",
    "project rename 温室 暖房",
    "project merge 温室 暖房",
    "project what",
    "query 包管理器 --project 温室",
    "query 包管理器 --project here",
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
    "digest",
    "digest --quiet-token NO_REPLY",
    "model",
    "model test",
    "reflect",
    "reflect --dry-run",
    "recall 报表",
    "recall",
    "entity --list",
    "entity pnpm",
    "entity merge pnpm",
    "entity split pnpm 周报",
    "status",
    "export",
    "export --format html --since 30d",
    "export --since 30d",
    "export memory/kept --format markdown",
    "export nowhere/kept",
    "export . --with-index --overwrite",
    "import state --from strata",
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


def test_no_command_is_left_out() -> None:
    """
    A new command joins those that are run here; what agents and programs read stays out.
    """
    for_programs = {"mcp", "serve", "prompt", "rules", "event"}
    # It goes on until nobody looks; a real browser reads its pages in Chinese.
    in_a_browser = {"dashboard"}

    assert set(COMMANDS) - for_programs - in_a_browser <= {
        each.split()[0] for each in RUNS
    }
