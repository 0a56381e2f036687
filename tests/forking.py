"""Programs in processes of their own, forked from one that has imported all of Strata."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).parents[1]
# `python -m strata`, without the second that its imports take.
STRATA = "from strata.__main__ import main\nmain()"


def run(
    program: str,
    *arguments: str | Path,
    directory: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    killed_at: tuple[int, Path] | None = None,
) -> subprocess.CompletedProcess[str]:
    """
    Run *program* as `python -c` does, with nothing to read on its standard input.

    With *killed_at* it dies before that change below that folder, if it comes to it.
    """
    with tempfile.NamedTemporaryFile() as output, tempfile.NamedTemporaryFile() as said:
        request = {
            "program": program,
            "arguments": [str(argument) for argument in arguments],
            "directory": str(directory),
            "environment": {**os.environ, **(environment or {})},
            "streams": [os.devnull, output.name, said.name],
            "killed_at": killed_at and [killed_at[0], str(killed_at[1])],
        }
        server = _server()
        assert server.stdin
        assert server.stdout
        print(json.dumps(request), file=server.stdin, flush=True)
        answer = server.stdout.readline()
        assert answer, "the server of forks has ended"
        return subprocess.CompletedProcess(
            [program, *arguments],
            int(answer),
            output.read().decode(),
            said.read().decode(),
        )


@cache
def _server() -> subprocess.Popen[str]:
    """
    Start what forks, once for all tests of this process.
    """
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "fork_server.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A process with threads cannot be forked safely, and numpy would start some.
        env={**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"},
    )
    # It ends as soon as nobody can ask it any more.
    atexit.register(server.communicate)
    return server
