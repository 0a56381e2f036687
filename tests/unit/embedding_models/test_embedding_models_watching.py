"""A download that stands still is ended, and says why in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from strata.embedding_models.sources import (
    Fetch,
    FetchFailed,
    Patience,
    run_watched,
)

if TYPE_CHECKING:
    from pathlib import Path

SHORT = Patience(answer=3, progress=10, total=60)


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        (
            ["Collecting x", "ERROR: no such thing", "ERROR: none at all"],
            "no such thing",
        ),
        (
            ["ERROR: Exception:", "Traceback", "OSError: disk full"],
            "OSError: disk full",
        ),
        (["a warning", "", "it answered 404"], "it answered 404"),
        ([], "it ended without a word"),
    ],
)
def test_failed_child_is_quoted_in_one_line(
    printed: list[str], reason: str, tmp_path: Path
) -> None:
    """
    Of all that a child prints, the line that says why is passed on.
    """
    program = "import sys; print(*sys.argv[1:], sep='\\n'); sys.exit(1)"
    command = [sys.executable, "-c", program, *printed]
    fetch = Fetch(command, dict(os.environ), tmp_path, 1, tmp_path)

    with pytest.raises(FetchFailed) as caught:
        run_watched(fetch, patience=SHORT, say=print)

    assert reason == str(caught.value)


def test_child_that_stops_half_way_is_ended(tmp_path: Path) -> None:
    """
    A download that began and then stands still is given up, with all its processes.
    """
    program = (
        "import pathlib, subprocess, sys, time; "
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "pathlib.Path(sys.argv[1]).write_text(str(child.pid)); "
        "print('started', flush=True); time.sleep(60)"
    )
    note = tmp_path / "pid"
    command = [sys.executable, "-c", program, str(note)]
    fetch = Fetch(command, dict(os.environ), tmp_path, 1, tmp_path)
    patience = Patience(answer=20, progress=1, total=60)

    with pytest.raises(FetchFailed, match="no answer for 1 seconds"):
        run_watched(fetch, patience=patience, say=print)

    deadline = time.monotonic() + 10
    while is_running(note.read_text()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(note.read_text())


def test_sign_before_the_first_look_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    On a busy machine a child may have shown all it ever shows before it is looked at.
    """
    note = tmp_path / "part"
    program = (
        "import pathlib, sys, time; pathlib.Path(sys.argv[1]).write_text('a byte');"
        "time.sleep(60)"
    )
    command = [sys.executable, "-c", program, str(note)]
    fetch = Fetch(command, dict(os.environ), tmp_path, 1, tmp_path)

    class LateReader(threading.Thread):
        def start(self) -> None:
            while not note.exists() or not note.stat().st_size:
                time.sleep(0.01)
            super().start()

    monkeypatch.setattr("strata.embedding_models.sources.threading.Thread", LateReader)
    with pytest.raises(FetchFailed, match="no answer for 1 seconds"):
        run_watched(
            fetch, patience=Patience(answer=20, progress=1, total=60), say=print
        )


def is_running(pid: str) -> bool:
    """
    Tell whether the process lives; a zombie has only not been counted yet.
    """
    done = subprocess.run(
        ["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()[:1] not in {"", "Z"}
