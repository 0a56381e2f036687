"""A child process that is killed, for real, at a chosen step of its work with files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Python announces these to audit hooks just before they happen; each is a moment at which
# a power cut would leave the disk in another state.
EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.chmod", "os.truncate")

_PRELUDE = f"""
import os, signal, sys
left, folder = [int(sys.argv[1])], sys.argv[2]
def step(event, arguments):
    if event not in {EVENTS!r} or not str(arguments[0]).startswith(folder):
        return
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
sys.path.insert(0, {str(ROOT)!r})
sys.addaudithook(step)
sys.argv = ["strata", *sys.argv[3:]]
"""


def run_killed_at(
    step: int, folder: Path, program: str, *arguments: str, **environment: str
) -> bool:
    """
    Run *program* until its *step*-th change below *folder*; say whether it was killed.

    A program that ends before that step has ended by itself and must have succeeded.
    """
    finished = subprocess.run(
        [sys.executable, "-c", _PRELUDE + program, str(step), str(folder), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    if finished.returncode == -signal.SIGKILL:
        return True
    assert finished.returncode == 0, finished.stderr
    return False
