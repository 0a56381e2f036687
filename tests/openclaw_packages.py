"""
OpenClaw of both eras, from npm into a cache beside the code, each installed once.

Runs on a bare Python, so that it can begin before Strata's own environment is made.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE = Path(__file__).resolve().parents[1] / ".openclaw-test"
NODE = "24"
# The first keeps conversations in SQLite, the second as JSON lines.
VERSIONS = ("2026.9.6", "2026.7.1")


def installed(version: str) -> Path:
    """
    Return the folder with `openclaw` and `node` of *version*, once both are there.

    Whoever comes first installs them, and the others wait.
    """
    folder = CACHE / version
    programs = folder / "node_modules" / ".bin"
    CACHE.mkdir(exist_ok=True)
    with alone(CACHE / f"{version}.lock"):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            # Node first: OpenClaw refuses to be installed by the Node 20 of many hosts.
            for package in (f"node@{NODE}", f"openclaw@{version}"):
                npm_install(folder, package, first_on_path=programs)
            (folder / "complete").touch()
    return programs


def npm_install(folder: Path, package: str, *, first_on_path: Path) -> None:
    """
    Install *package* in *folder*, with the programs of *first_on_path* before all others.
    """
    options = ["--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(
        ["npm", "install", "--prefix", str(folder), *options, package],
        env={**os.environ, "PATH": f"{first_on_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """
    Let all other processes wait that come to the file *lock*.
    """
    with lock.open("w") as file:
        # The system drops it with the process, however that ends.
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    for each in sys.argv[1:] or VERSIONS:
        installed(each)
