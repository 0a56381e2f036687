"""A child process that fetches files, ended as soon as it makes no progress."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

_LOOK_EVERY_SECONDS = 0.1
_LINES_OF_OUTPUT = 200


@dataclass(frozen=True, slots=True)
class Patience:
    """
    How long a download may take, in seconds.

    *answer* is for the first sign of life, *progress* for any later byte, *total* for all.
    *report* is the time between two lines that say how far it is.
    """

    answer: float = 8
    progress: float = 20
    total: float = 1800
    report: float = 5


class FetchFailed(Exception):
    """A source could not deliver; the message says why, in half a line."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """A command that fetches about *megabytes* into *folder*, and its environment."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    megabytes: int
    cwd: Path


def run_watched(fetch: Fetch, *, patience: Patience, say: Callable[[str], None]) -> str:
    """
    Run *fetch* to its end and give back what it printed; raise `FetchFailed`.

    Progress is what can be seen: a printed line, or a byte more in the folder. A child
    that shows neither is ended with all its children, whatever it waits for.
    """
    process = subprocess.Popen(  # noqa: S603 - the command is ours, not a user's
        fetch.command,
        cwd=fetch.cwd,
        env=dict(fetch.environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
        errors="replace",
    )
    lines: list[str] = []
    reader = threading.Thread(target=_collect, args=(process, lines), daemon=True)
    reader.start()
    try:
        _wait(process, lines, fetch, patience, say)
        reader.join(timeout=1)
    finally:
        _end(process)
    output = "\n".join(lines)
    if process.returncode != 0:
        raise FetchFailed(_reason(lines))
    return output


def _collect(process: subprocess.Popen[str], lines: list[str]) -> None:
    if process.stdout is None:
        return
    with process.stdout as stream, suppress(ValueError):
        for line in stream:
            lines.append(line.rstrip())
            del lines[:-_LINES_OF_OUTPUT]


def _wait(
    process: subprocess.Popen[str],
    lines: list[str],
    fetch: Fetch,
    patience: Patience,
    say: Callable[[str], None],
) -> None:
    """Return when the child has ended; raise `FetchFailed` when patience has."""
    started = moved = reported = time.monotonic()
    seen = _signs(lines, fetch.folder)
    allowed = patience.answer
    while process.poll() is None:
        time.sleep(_LOOK_EVERY_SECONDS)
        now, signs = time.monotonic(), _signs(lines, fetch.folder)
        if signs != seen:
            seen, moved, allowed = signs, now, patience.progress
        if now - moved > allowed:
            raise FetchFailed(f"no answer for {allowed:g} seconds")
        if now - started > patience.total:
            raise FetchFailed(f"not finished after {patience.total:g} seconds")
        if now - reported > patience.report:
            reported = now
            say(f"  … {signs[1] >> 20} of about {fetch.megabytes} MB")


def _signs(lines: list[str], folder: Path) -> tuple[int, int]:
    return len(lines), sum(_sizes(folder))


def _sizes(folder: Path) -> Iterator[int]:
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                yield os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118 - quick


def _end(process: subprocess.Popen[str]) -> None:
    """End the child and whatever it started; a child that has ended is left alone."""
    if process.poll() is not None:
        return
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _reason(lines: list[str]) -> str:
    """Pick the line that says why: pip's first error, or the end of its traceback."""
    spoken = [line.strip() for line in lines if line.strip()]
    errors = [line for line in spoken if line.startswith("ERROR: ")]
    errors = [] if "ERROR: Exception:" in errors else errors
    chosen = (errors[:1] or spoken[-1:] or ["it ended without a word"])[0]
    return chosen.removeprefix("ERROR: ")
