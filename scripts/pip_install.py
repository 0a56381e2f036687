"""Locked packages, installed by pip, with a bar that moves and errors in one line."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from telling import tell

if TYPE_CHECKING:
    from pathlib import Path

_OPTIONS = [
    "--require-hashes",
    "--no-deps",  # the lock is complete
    "--only-binary=:all:",  # nothing is compiled, and no package's own code runs
    "--no-user",  # whatever pip's configuration says
    "--disable-pip-version-check",
    "--no-input",
    "--progress-bar=off",
    "--retries=2",
    "--timeout=15",
]


class InstallFailed(Exception):
    """pip could not install the packages; the message says why and what to do."""


def install(python: str, lock: Path, label: str) -> None:
    """
    Install the files that *lock* names by their SHA-256 into the environment of *python*.

    A bar with *label* shows how far it is, where people watch.
    """
    command = [python, "-I", "-m", "pip", "install", *_OPTIONS, f"--requirement={lock}"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
    )
    try:
        lines = _follow(process, _count(lock), label)
    finally:
        process.kill()
        process.wait()
    if process.returncode != 0:
        raise InstallFailed(explained(lines))


def explained(lines: list[str]) -> str:
    """Say in one line what pip meant by *lines*, and what to do about it."""
    said = "\n".join(lines)
    if "DO NOT MATCH THE HASHES" in said:
        where = next((line for line in lines if " from " in line and ":" in line), "")
        return tell("wrong-hash", where=where.rstrip(":"))
    if "No space left" in said:
        return tell("disk-full")
    if "(from versions: none)" in said or "Connection" in said or "Retrying" in said:
        return tell("no-network", reason=_reason(lines))
    return tell("not-installed", reason=_reason(lines))


def _reason(lines: list[str]) -> str:
    errors = [line for line in lines if line.startswith("ERROR: ")]
    # What pip does not expect comes as a traceback, whose last line says what it is.
    if not errors or "ERROR: Exception:" in errors:
        errors = lines[-1:] or [tell("no-word")]
    return errors[0].removeprefix("ERROR: ")


def _count(lock: Path) -> int:
    text = lock.read_text(encoding="utf-8")
    return len({line.split("==")[0] for line in text.splitlines() if "==" in line})


def _follow(process: subprocess.Popen[str], count: int, label: str) -> list[str]:
    """Show how far pip is, and give back all it said."""
    lines: list[str] = []
    collected = 0
    waiting = False
    for line in process.stdout or ():
        lines.append(line.strip())
        collected += line.startswith(("Collecting ", "Requirement already satisfied"))
        if line.startswith("WARNING: Retrying") and not waiting:
            waiting = True
            sys.stderr.write(f"{tell('retrying')}\n")
        _show(label, min(collected, count), count)
    _show("", 0, 0)
    process.wait()
    return lines


def _show(label: str, done: int, of: int) -> None:
    if not sys.stderr.isatty():
        return
    bar = "█" * (24 * done // of) if of else ""
    sys.stderr.write(f"\r\x1b[K{label}  {bar:·<24} {done}/{of}" if of else "\r\x1b[K")
    sys.stderr.flush()
