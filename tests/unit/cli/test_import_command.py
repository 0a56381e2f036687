"""`strata import` as its owner types it, and as nobody else may."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from builders_import_formats import mem0_memory, samples
from builders_imports import chatgpt_talk, write_folder, write_zip

from strata.cli import run
from strata.imports.formats import NAMES

if TYPE_CHECKING:
    from pathlib import Path

SAID = [
    ("user", "We keep PostgreSQL 16, because the reports need ACID."),
    ("assistant", "PostgreSQL 16 stays."),
    ("user", "From now on always use pnpm, never npm, in acme-dashboard."),
]
NOW = "2026-11-20T12:00:00+00:00"


def options(root: Path) -> list[str]:
    """
    What names a memory below *root*, in which nobody has talked yet.
    """
    for name in ("workspace", "state"):
        (root / name).mkdir()
    places = ["--workspace", root / "workspace", "--state-dir", root / "state"]
    return [*map(str, places), "--now", NOW, "--set", "timezone=UTC"]


def test_documents_say_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A program reads what was written, what was left out, and by which run.
    """
    shared = options(tmp_path)
    listed = [chatgpt_talk("one", SAID), chatgpt_talk("two", [])]
    source = write_zip(tmp_path / "a.zip", {"conversations.json": listed})

    assert run([*shared, "--json", "import", str(source)]) == 0

    told = json.loads(capsys.readouterr().out)
    assert {"new": 1, "grown": 0, "same": 0} == told["talks"]
    assert {"empty": ["two"]} == told["left_out"]
    assert ["memory/2025-03-10.md"] == told["notes"]
    assert run([*shared, "query", "PostgreSQL 16"]) == 0
    assert "PostgreSQL 16" in capsys.readouterr().out
    assert run([*shared, "undo", "--run", told["run"]]) == 0
    assert "the copy of 1 conversation" in capsys.readouterr().out


def test_what_breaks_in_the_middle_is_told_and_the_rest_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A zip of which one member is damaged gives what the others hold, and one line.
    """
    shared = options(tmp_path)
    good = json.dumps([chatgpt_talk("one", SAID)])
    bad = good.replace('"one', '"two')
    files = {"conversations-000.json": good, "conversations-001.json": bad}
    source = write_zip(tmp_path / "a.zip", files)
    content = bytearray(source.read_bytes())
    place = content.index(b"PK\x03\x04", 10) + 200
    content[place : place + 40] = bytes(40)
    source.write_bytes(content)

    assert run([*shared, "import", str(source)]) == 0

    told = capsys.readouterr().out
    assert "1 new conversation of chatgpt" in told
    assert "left out: 1 " in told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_json_in_utf16_is_named_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    """
    A shell that writes UTF-16 makes a file that no format knows, alone or between others.
    """
    shared = [*options(tmp_path), "--set", f"language={language}"]
    memories = json.dumps([mem0_memory("one", "Keeps PostgreSQL 16.")])
    alone = write_folder(tmp_path / "alone", {"m.json": memories.encode("utf-16")})
    talks = [json.dumps([chatgpt_talk(name, SAID)]) for name in ("one", "two")]
    files = {
        "conversations-000.json": talks[0],
        "conversations-001.json": talks[1].encode("utf-16-be"),
    }
    mixed = write_folder(tmp_path / "mixed", files)

    for options_ in ([], ["--from", "mem0"]):
        assert run([*shared, "import", *options_, str(alone)]) != 0
        told = capsys.readouterr().err
        assert "m.json" in told
        assert {"en": "save it as UTF-8", "zh": "另存为 UTF-8"}[language] in told
    assert run([*shared, "import", str(mixed)]) == 0
    told = capsys.readouterr().out
    assert {"en": "1 new conversation", "zh": "1 个新对话"}[language] in told
    assert {"en": "UTF-16: save it as UTF-8", "zh": "UTF-16"}[language] in told


def test_what_no_version_knows_asks_for_an_update(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    An export of a form that came after this one is told so, with --from and without.
    """
    shared = options(tmp_path)
    listed = [{"thread_id": "one", "turns": [{"by": "user", "says": "Hello."}]}]
    source = write_zip(tmp_path / "a.zip", {"conversations.json": listed})

    for form in ([], ["--from", "chatgpt"]):
        assert run([*shared, "import", *form, str(source)]) != 0
        assert "update Strata" in capsys.readouterr().err


def test_exports_side_by_side_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Of a folder with exports of several tools nothing is taken; each is named as to import.
    """
    shared = options(tmp_path)
    made = samples(tmp_path / "made")
    for form in ("markdown", "openclaw", "claude-code", "gemini", "claude-mem"):
        shutil.rmtree(made[form])
    shutil.make_archive(str(tmp_path / "made" / "talks"), "zip", made["claude"])
    shutil.rmtree(made["claude"])

    assert run([*shared, "import", str(tmp_path / "made")]) != 0

    told = capsys.readouterr().err
    assert f"strata import {made['chatgpt']} (chatgpt)" in told
    assert f"strata import {made['mem0']} (mem0)" in told
    assert f"strata import {tmp_path / 'made' / 'talks.zip'} (claude)" in told
    assert not (tmp_path / "workspace" / ".strata" / "imported").exists()


def test_files_of_other_tools_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Where files of two tools lie in one folder, the other one is taken by its name.
    """
    shared = options(tmp_path)
    made = samples(tmp_path / "made")
    (made["mem0"] / "memories.json").rename(made["chatgpt"] / "memories.json")

    assert run([*shared, "import", str(made["chatgpt"])]) == 0
    assert "repeat with --from mem0" in capsys.readouterr().out
    again = [*shared, "import", "--from", "mem0", str(made["chatgpt"])]
    assert run(again) == 0
    assert (tmp_path / "workspace" / "memory" / "imported" / "mem0").is_dir()


def test_archive_that_finds_a_memory_names_a_way_that_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A workspace with a memory takes the same notes as a folder, and keeps its own.
    """
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here, there = (options(tmp_path / name) for name in ("here", "there"))
    assert run([*here, "remember", "I moved to Porto in 2024."]) == 0
    assert run([*there, "remember", "We keep PostgreSQL 16 for the reports."]) == 0
    assert run([*there, "export", str(tmp_path / "a.zip")]) == 0
    folder = str(tmp_path / "notes")
    page = tmp_path / "here" / "workspace" / "MEMORY.md"
    before = page.read_bytes()
    capsys.readouterr()

    assert run([*here, "import", str(tmp_path / "a.zip")]) != 0
    assert "--format markdown" in capsys.readouterr().err
    assert run([*there, "export", folder, "--format", "markdown"]) == 0
    assert run([*here, "import", folder]) == 0

    capsys.readouterr()
    assert run([*here, "query", "which PostgreSQL"]) == 0
    told = capsys.readouterr().out
    assert "We keep PostgreSQL 16 for the reports. (memory" in told
    assert "you'd make mistakes without" not in told
    assert before == page.read_bytes()


def test_an_agent_may_look_and_not_import(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """
    What an agent's own shell runs puts no words into the owner's mouth.
    """
    shared = options(tmp_path)
    listed = [chatgpt_talk("one", SAID)]
    source = write_zip(tmp_path / "a.zip", {"conversations.json": listed})
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("OPENCLAW_SESSION_KEY", "agent:main:main")

    code = run([*shared, "import", str(source)])

    assert code != 0
    assert "terminal" in capsys.readouterr().err
    assert not list((tmp_path / "workspace").rglob("*.md"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_formats_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    """
    Help names each, and so does the answer to a format that there is not.
    """
    spoken = ["--set", f"language={language}"]
    shared = [*options(tmp_path), *spoken]
    (tmp_path / "a.txt").write_text("hello")
    odd = str(tmp_path / "a.txt")

    assert run([*shared, "import", "--help"]) == 0
    assert run([*shared, "import", odd, "--from", "grok"]) == 2
    assert run([*shared, "import", odd]) != 0

    captured = capsys.readouterr()
    told = [captured.out, *captured.err.splitlines()]
    assert len(told) == 3
    for text in told:
        # A narrow screen breaks a line within a name.
        assert [] == [name for name in NAMES if name not in "".join(text.split())]
