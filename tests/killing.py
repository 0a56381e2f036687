"""A process that ends at a chosen step of its work with files, for real or as if."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from strata.workspace.files import Workspace
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]


def run_killed_at(
    step: int, folder: Path, program: str, *arguments: str, **environment: str
) -> bool:
    """
    Run *program* until its *step*-th change below *folder*; say whether it was killed.

    A program that ends before that step has ended by itself and must have succeeded.
    """
    with tempfile.NamedTemporaryFile() as errors:
        request = {
            "step": step,
            "folder": str(folder),
            "program": program,
            "arguments": arguments,
            "environment": {**os.environ, **environment},
            "directory": str(Path.cwd()),
            "errors": errors.name,
        }
        server = _server()
        assert server.stdin
        assert server.stdout
        print(json.dumps(request), file=server.stdin, flush=True)
        answer = server.stdout.readline()
        assert answer, "the server of forks has ended"
        if int(answer) == -signal.SIGKILL:
            return True
        assert int(answer) == 0, errors.read().decode()
    return False


@cache
def _server() -> subprocess.Popen[str]:
    """
    Start what forks, once for all tests of this process.
    """
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "killing_server.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A process with threads cannot be forked safely, and numpy would start some.
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
    )
    # It ends as soon as nobody can ask it any more.
    atexit.register(server.communicate)
    return server


class Killed(BaseException):
    """
    The process ends here.
    """


@contextmanager
def killed_before(change: int) -> Iterator[None]:
    """
    End the process before its *change*-th change on disk; 0 lets it live.
    """
    left = [change]
    places = [(Workspace, "update"), (Workspace, "move"), (Journal, "append")]
    real = [getattr(owner, name) for owner, name in places]

    def dying(method: Callable[..., object]) -> Callable[..., object]:
        def die_or(*arguments: object, **options: object) -> object:
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return method(*arguments, **options)

        return die_or

    for (owner, name), method in zip(places, real, strict=True):
        setattr(owner, name, dying(method))
    try:
        yield
    finally:
        for (owner, name), method in zip(places, real, strict=True):
            setattr(owner, name, method)
