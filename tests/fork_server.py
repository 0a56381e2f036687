"""
An interpreter that has imported what it is to run, and forks itself for each program.

It reads requests as lines of JSON and answers with the exit code of the fork, which ends
as any interpreter does: by itself, or by a real ``kill -9`` at a chosen step.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
import time
from typing import Any

import strata

# Python announces these to audit hooks just before they happen; each is a moment at which
# a power cut would leave the disk in another state.
EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.chmod", "os.truncate")


def import_all() -> None:
    """
    Import all of Strata, which no fork needs to do again.
    """
    for module in pkgutil.walk_packages(strata.__path__, "strata."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def next_program() -> dict[str, Any] | None:
    """
    Fork for each request; return it in the fork, and None when there are no more.
    """
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            request: dict[str, Any] = json.loads(line)
            return request
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    return None


def become(request: dict[str, Any]) -> None:
    """
    Have this process be as one that was started for *request* alone.
    """
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    os.chdir(request["directory"])
    for number, path in enumerate(request["streams"]):
        file = os.open(path, os.O_WRONLY if number else os.O_RDONLY)
        os.dup2(file, number)
        os.close(file)
    sys.argv = ["strata", *request["arguments"]]


def die_at(step: int, folder: str) -> None:
    """
    Kill this process just before its *step*-th change below *folder*.
    """
    left = step

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in EVENTS and str(arguments[0]).startswith(folder):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


if __name__ == "__main__":
    import_all()
    # What lives here is nobody's garbage: a fork that looks through it would copy it.
    gc.freeze()
    wanted = next_program()
    if wanted is not None:
        become(wanted)
        if wanted["killed_at"]:
            die_at(*wanted["killed_at"])
        program = compile(wanted["program"], "<program>", "exec")
        exec(program, {"__name__": "__main__", "sys": sys})  # noqa: S102
