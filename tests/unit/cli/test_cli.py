"""What people see when they call a command the wrong way."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import small_talk
from builders_memory import open_memory
from killing import ROOT

from strata.cli import run
from strata.events import GatewayEvent
from strata.gateway.draining import take_in


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["frobnicate"], "No such command 'frobnicate'; see `strata --help`"),
        (["get"], "Missing argument 'PATH[:LINE]'; see `strata get --help`"),
        (
            ["prompt"],
            (
                "Missing argument '{memory-sync|memory-tidy}'. Choose from: memory-sync, "
                "memory-tidy; see `strata prompt --help`"
            ),
        ),
        (["tidy", "x"], "Got unexpected extra argument (x); see `strata tidy --help`"),
    ],
)
def test_wrong_usage_names_the_help(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A wrong call is one line that names where to read on, and exit code 2.
    """
    code = run(arguments)

    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    assert printed.err == f"strata: {expected}\n"


def test_wrong_usage_is_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """
    A program that asked for JSON gets the error as JSON too.
    """
    run(["--json", "frobnicate"])

    assert "frobnicate" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (["rules"], "text"),
        (["prompt", "memory-sync"], "text"),
        (["event", "gateway_start"], "lines"),
    ],
)
def test_texts_are_json_for_programs(
    tmp_path: Path, arguments: list[str], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    What is a text to be read for people is one JSON document for programs as well.
    """
    (tmp_path / "memory").mkdir()
    places = ["--workspace", str(tmp_path), "--state-dir", str(tmp_path / "state")]

    code = run([*places, *arguments, "--json", "--set", "embedding.model=none"])

    assert code == 0
    assert list(json.loads(capsys.readouterr().out)) == [key]


def test_near_miss_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """
    A command that was mistyped is met with the one that was meant.
    """
    assert run(["snyc"]) == 2

    assert "did you mean sync?" in capsys.readouterr().err


def test_no_command_gives_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """
    The help stands as it is, not as one long line about a mistake.
    """
    assert run([]) == 2

    printed = capsys.readouterr().err
    assert printed.startswith("Usage: strata ")
    assert "see `strata" not in printed


def test_terminal_that_lacks_a_character_still_shows_the_note(tmp_path: Path) -> None:
    """
    A terminal in GBK knows no emoji; they become question marks.
    """
    (tmp_path / "memory").mkdir()
    note = tmp_path / "memory" / "2026-11-20.md"
    note.write_text("# 2026-11-20\n\n- 发布了 🎉\n", encoding="utf-8")

    shown = _strata(tmp_path, "get", "memory/2026-11-20.md", PYTHONIOENCODING="gbk")

    assert (shown.returncode, shown.stderr) == (0, b"")
    assert "- 发布了 ?" in shown.stdout.decode("gbk")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments", [["status"], ["query", "pnpm"], ["--json", "review"], ["rules"]]
)
def test_output_that_cannot_be_written_is_no_bug(
    tmp_path: Path, arguments: list[str], unbuffered: str
) -> None:
    """
    A full disk behind the output is an expected failure, told once.
    """
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-11-20.md").write_text("- Use pnpm.\n")
    without_model = {"STRATA_EMBEDDING_MODEL": "none", "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        shown = _strata(tmp_path, *arguments, stdout=full, **without_model)

    assert shown.returncode == 1
    assert shown.stderr == b"strata: the output: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("arguments", [["status"], ["query", "pnpm"], ["rules"]])
def test_closed_streams_are_no_bug(
    tmp_path: Path, arguments: list[str], closed: str
) -> None:
    """
    Who starts a command without a stream hears nothing there, and it does its work.
    """
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-11-20.md").write_text("- Use pnpm.\n")
    command = shlex.join(_command(tmp_path, *arguments))

    shown = subprocess.run(
        ["/bin/sh", "-c", f"{command} {closed}"],
        cwd=ROOT,
        env={**os.environ, "STRATA_EMBEDDING_MODEL": "none"},
        capture_output=True,
        check=False,
    )

    assert shown.returncode == 0
    assert b"bug" not in shown.stderr


def test_question_comes_first_and_leaves_nothing_to_others(tmp_path: Path) -> None:
    """
    The folder of Strata's own is its owner's alone and hidden from git, whoever makes it.
    """
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-11-20.md").write_text("- The code is blue.\n")

    asked = _strata(tmp_path, "query", "which code", "--set", "embedding.model=none")

    private = tmp_path / ".strata"
    assert asked.returncode == 0
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert (private / ".gitignore").read_text() == "*\n"


def test_bad_event_does_not_keep_its_batch_back(tmp_path: Path) -> None:
    """
    The gateway hands over events of several agents at once; one may have no workspace.
    """
    small_talk(tmp_path / "state").save()
    batch = [
        {"name": "session_end", "workspace": str(tmp_path / "nowhere")},
        {"name": "session_end", "session": small_talk(tmp_path).id},
    ]

    handled = _strata(tmp_path, "event", "--batch", json.dumps(batch))

    assert (handled.returncode, handled.stdout) == (1, b"1\n")
    assert b"there is no workspace at" in handled.stderr
    assert (tmp_path / "memory" / "2026-11-20.md").exists()


def test_answer_is_to_the_event_that_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    An event that has waited is handled with the next one, whose answer stays its own.
    """
    memory = open_memory(tmp_path)
    take_in(memory, [GatewayEvent("quiet", memory.now, "5e551011")])
    places = [f"--workspace={memory.workspace.root}", f"--state-dir={tmp_path}/state"]

    for name, answer in (("session_end", "0\n"), ("quiet", "0 5\n")):
        batch = [{"name": name, "session": "5e551012"}]
        assert run([*places, "event", "--batch", json.dumps(batch)]) == 0
        assert capsys.readouterr().out == answer


def test_batch_is_answered_when_the_words_stand_in_the_note(tmp_path: Path) -> None:
    """
    The gateway goes on before the index is current; it is by the end of the process.
    """
    small_talk(tmp_path / "state").save()
    batch = [{"name": "before_compaction", "session": small_talk(tmp_path).id}]
    note = tmp_path / "memory" / "2026-11-20.md"

    with subprocess.Popen(
        _command(tmp_path, "event", "--batch", json.dumps(batch)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"0\n"
        written = note.exists()
        assert process.stdout.read() == b""

    assert written
    assert process.returncode == 0
    status = json.loads(_strata(tmp_path, "status", "--json").stdout)
    assert status["index"].startswith("1 chunk of 1 file")
    assert "changed since" not in status["index"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["cron", "--job", "memory-sink"], b"memory-sync"),
        (["moonrise"], b"moonrise"),
        ([], b"session_end"),
    ],
)
def test_event_that_is_none_is_refused_at_once(
    tmp_path: Path, arguments: list[str], word: bytes
) -> None:
    """
    What nobody could ever handle is wrong usage, and is not kept to be tried again.
    """
    refused = _strata(tmp_path, "event", *arguments)

    assert refused.returncode == 2
    assert word in refused.stderr
    assert list(tmp_path.rglob("spool/*.json")) == []


def _strata(
    workspace: Path, *arguments: str, stdout: Any = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        _command(workspace, *arguments),
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )


def _command(workspace: Path, *arguments: str) -> list[str]:
    folders = ["--workspace", str(workspace), "--state-dir", str(workspace / "state")]
    shared = [*folders, "--set", "timezone=UTC"]
    return [sys.executable, "-m", "strata", *shared, *arguments]


@pytest.mark.parametrize("by", ["option", "environment"])
def test_help_without_a_workspace_follows_the_language_that_is_set(
    by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Where there is no memory yet, a language that is set all the same is spoken.
    """
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    place = ["--workspace", str(tmp_path / "none"), "--state-dir", str(tmp_path)]
    if by == "environment":
        monkeypatch.setenv("STRATA_LANGUAGE", "zh")
    else:
        place += ["--set", "language=zh"]

    told, code = io.StringIO(), 0
    with contextlib.redirect_stdout(told):
        code = run([*place, "sync", "--help"])

    assert code == 0
    assert "用法" in told.getvalue()
