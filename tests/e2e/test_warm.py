"""A command line that a warm process answers says what it would say by itself."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from builders_search import NOTES, write_notes

from strata import warm
from strata.cli.listening import Listener
from strata.cli.mcp_tools import Toolbox
from strata.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "AF_UNIX"), reason="there are no private sockets"
)
ROOT = Path(__file__).parents[2]
NOW = "2026-11-20T12:00:00+00:00"
READERS = 20


class Counting(Listener):
    """
    A listener that remembers what it answered.
    """

    def __init__(self, toolbox: Toolbox, workspace: Path) -> None:
        super().__init__(toolbox, workspace)
        self.answered: list[bool] = []

    def answer(self, message: bytes) -> bytes:
        try:
            reply = super().answer(message)
        except BaseException:
            self.answered.append(False)
            raise
        self.answered.append(bool(reply))
        return reply


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """
    A workspace with the usual notes.
    """
    return write_notes(tmp_path / "w", NOTES)


@pytest.fixture
def listener(workspace: Path) -> Iterator[Counting]:
    """
    A warm process of it; this one.
    """

    def open_memory() -> Memory:
        place = str(workspace)
        settings = ["embedding.model=none", "timezone=UTC"]
        return Memory.open(
            workspace=place, state_dir=place, now=NOW, overrides=settings
        )

    (workspace / ".strata").mkdir(mode=0o700)
    listening = Counting(Toolbox(open_memory), workspace)
    listening.start()
    yield listening
    listening.stop()


def command(workspace: Path, *arguments: str) -> list[str]:
    shared = ("--workspace", str(workspace), "--state-dir", str(workspace))
    settings = ("--set", "embedding.model=none", "--set", "timezone=UTC")
    strata = (sys.executable, "-m", "strata")
    return [*strata, *shared, *settings, "--now", NOW, *arguments]


def run(
    workspace: Path, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command(workspace, *arguments),
        cwd=ROOT,
        env=os.environ | (environment or {}),
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("query", "which database do we keep?"),
        ("query", "--json", "数据库迁移推迟到什么时候"),
        ("query", "--json", "--explain", "last week's backup -pnpm"),
        ("query", "--exit-code", "--since", "2031-01-01", "zeppelin"),
        ("--json", "get", "memory/2026-11-19.md:4", "-l", "2"),
    ],
)
def test_answer_is_the_same(
    workspace: Path, listener: Counting, arguments: tuple[str, ...]
) -> None:
    """
    Output, complaints and exit code are the same, byte for byte.
    """
    warm_answer = run(workspace, *arguments)
    listener.stop()
    cold_answer = run(workspace, *arguments)

    assert listener.answered == [True]
    assert warm_answer.stdout == cold_answer.stdout
    assert warm_answer.stderr == cold_answer.stderr
    assert warm_answer.returncode == cold_answer.returncode


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (("query", "-n", "0", "database"), {}, "from 1 to 100"),
        (("get", "/etc/passwd"), {}, "no memory file"),
        (("status", "query"), {}, "unexpected extra argument"),
        (("query", "database"), {"STRATA_SEARCH_RESULTS": "many"}, "search.results"),
    ],
)
def test_failure_is_told_by_the_command_itself(
    workspace: Path,
    listener: Counting,
    arguments: tuple[str, ...],
    environment: dict[str, str],
    said: str,
) -> None:
    """
    What cannot be answered is done again without the warm process, which stays.
    """
    told = run(workspace, *arguments, environment=environment)

    assert listener.answered == [False]
    assert said in told.stderr.decode()
    assert told.returncode in {1, 2}


def test_other_commands_stay_at_home(workspace: Path, listener: Counting) -> None:
    """
    A command that changes something never leaves its process.
    """
    done = run(workspace, "update")

    assert (done.returncode, listener.answered) == (0, [])


def test_other_workspace_is_not_answered(
    tmp_path: Path, workspace: Path, listener: Counting
) -> None:
    """
    Who stands in one workspace and asks for another's memory gets that one's.
    """
    other = write_notes(tmp_path / "other", {"MEMORY.md": "- The cat is called Mao.\n"})
    done = subprocess.run(
        [*command(other, "query", "name of the cat")],
        cwd=workspace,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "Mao" in done.stdout
    assert listener.answered == []


def test_agent_is_found_by_its_folder(workspace: Path, listener: Counting) -> None:
    """
    Without --workspace, the folder in which the caller stands is looked at.
    """
    settings = ("--set", "embedding.model=none", "--set", "timezone=UTC")
    (workspace / "openclaw.json").write_text(
        f'{{"agents": {{"defaults": {{"workspace": "{workspace}"}}}}}}'
    )
    done = subprocess.run(
        [sys.executable, "-m", "strata", *settings, "query", "PostgreSQL"],
        cwd=workspace / "memory",
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "OPENCLAW_STATE_DIR": str(workspace)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "PostgreSQL 16" in done.stdout, done.stderr
    assert listener.answered == [True]


def test_socket_is_private(workspace: Path, listener: Counting) -> None:
    """
    Only the owner may connect, and the second process of a workspace does not listen.
    """
    address = workspace / ".strata" / "ask.sock"
    before = address.stat()
    second = Listener(listener._toolbox, workspace)
    second.start()
    second.stop()

    assert stat.S_IMODE(before.st_mode) == 0o600
    assert address.stat() == before


def test_dead_socket_is_passed_over(workspace: Path) -> None:
    """
    What a killed process leaves behind neither hinders a question nor the next listener.
    """
    (workspace / ".strata").mkdir(mode=0o700)
    address = warm.socket_address(str(workspace))
    assert address
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(address)

    assert b"PostgreSQL" in run(workspace, "query", "which database?").stdout


@pytest.mark.slow
def test_twenty_ask_while_one_writes(workspace: Path, listener: Counting) -> None:
    """
    Twenty questions at once, while notes change and are indexed, are answered in full.
    """
    readers = [
        subprocess.Popen(
            command(workspace, "query", "why do we keep PostgreSQL?"),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(READERS)
    ]
    for number in range(4):
        note = workspace / "memory" / f"2026-11-1{number}.md"
        note.write_text(f"# A day\n\n- Service {number} was moved to Valkey 8.\n")
        assert run(workspace, "update").returncode == 0

    for reader in readers:
        told, said = reader.communicate(timeout=120)
        assert (reader.returncode, said) == (0, b"")
        assert b"PostgreSQL 16" in told
    assert any(listener.answered)
    assert b"memory/2026-11-13.md" in run(workspace, "query", "Service 3").stdout
