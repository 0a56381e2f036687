"""Settings that came later find what they would not have stored, and name the remedy."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from builders_memory import NOON, captured, open_memory

from strata.cli import run
from strata.jobs.audit_scan import fix, scan
from strata.jobs.sync import sync

if TYPE_CHECKING:
    from pathlib import Path


def test_scan_finds_what_todays_settings_would_not_store(tmp_path: Path) -> None:
    """
    A rule that came later names the old lines, and the remedy that it offers takes them.
    """
    talk = Conversation(tmp_path / "state", key="agent:main:discord:direct:77")
    talk.state.mkdir()
    owners = '{"commands": {"ownerAllowFrom": ["discord:77"]}}'
    (talk.state / "openclaw.json").write_text(owners)
    talk.user("From now on call the project Nightfall, always.").agent("Ok.")
    talk.user("Always ask Weber before a release.").agent("Ok.").save()
    sync(open_memory(tmp_path))
    rules = "trust.never_store=nightfall,person:Weber,channel:discord"
    memory = open_memory(tmp_path, NOON, rules)

    found = [each for each in scan(memory).findings if each.kind == "unwanted"]

    assert {each.remedy for each in found} == {
        "strata audit scan --fix",
        "strata forget --session 61871d67-1111-4222-8333-444444444444",
    }
    fix(memory)
    everything = b"".join(
        path.read_bytes() for path in tmp_path.glob("workspace/**/*") if path.is_file()
    )
    assert b"Nightfall" not in everything
    assert b"Weber" not in everything
    journal = memory.workspace.layout.journal_file.read_text().splitlines()
    assert all(json.loads(line)["event"] for line in journal)
    (left,) = [each for each in scan(memory).findings if each.kind == "unwanted"]
    run([*at(tmp_path), *shlex.split(left.remedy)[1:], "--yes"])
    assert [each for each in scan(memory).findings if each.kind == "unwanted"] == []


@pytest.mark.parametrize(("language", "told"), [("en", "today's"), ("zh", "不该保存")])
def test_scan_says_so_in_the_owners_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, told: str
) -> None:
    """
    The line names the place, the setting and what to run.
    """
    memory = captured(tmp_path)
    settings = [
        "--set",
        "trust.never_store=PostgreSQL",
        "--set",
        f"language={language}",
    ]

    code = run([*at(tmp_path), *settings, "audit", "scan"])

    out = capsys.readouterr().out
    assert code == 1
    assert told in out
    assert "trust.never_store → strata audit scan --fix" in out
    assert "strata forget --entity" in out
    assert "PostgreSQL" in memory.workspace.read("memory/2026-11-20.md")


def at(root: Path) -> list[str]:
    where = ["--workspace", str(root / "workspace"), "--state-dir", str(root / "state")]
    return [*where, "--now", NOON, "--set", "timezone=UTC"]
