"""One process at a time has the index open."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from strata.errors import Busy, WorkspaceUnavailable
from strata.search.indexing.lock import exclusive

HOLD = """
import sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
from strata.search.indexing.lock import exclusive
with exclusive(Path(sys.argv[1]), patience_seconds=1):
    print("held", flush=True)
    sys.stdin.read()
"""
ROOT = Path(__file__).parents[3]


def holder(file: Path) -> subprocess.Popen[str]:
    """
    Another process that holds the lock on *file* until it is killed or told to go on.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file), str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_second_process_is_refused(tmp_path: Path) -> None:
    """
    While another process holds the lock, it is refused after the time given.
    """
    with holder(tmp_path / "lock") as other:
        started = time.monotonic()
        with (
            pytest.raises(Busy, match="try again"),
            exclusive(tmp_path / "lock", patience_seconds=0.1),
        ):
            pass
        waited = time.monotonic() - started
        other.kill()

    assert 0.1 <= waited < 5


def test_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    """
    The lock of a process that was killed is free at once.
    """
    with holder(tmp_path / "lock") as other:
        other.kill()

    with exclusive(tmp_path / "lock", patience_seconds=0):
        pass


def test_lock_is_free_after_an_error(tmp_path: Path) -> None:
    """
    An error inside frees the lock.
    """

    def fail() -> None:
        with exclusive(tmp_path / "lock", patience_seconds=0):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    with exclusive(tmp_path / "lock", patience_seconds=0):
        pass


def test_lock_needs_a_folder(tmp_path: Path) -> None:
    """
    Where no lock file can be made, the error says so.
    """
    (tmp_path / "file").write_text("")

    with (
        pytest.raises(WorkspaceUnavailable, match="can be written"),
        exclusive(tmp_path / "file" / "lock", patience_seconds=0),
    ):
        pass
