"""Which files are memory, what their places say, and how they lie on the disk now."""

from __future__ import annotations

import os
import re
import stat
import zlib
from typing import TYPE_CHECKING, NamedTuple

from strata.hits import Tier
from strata.notes.headings import as_day
from strata.workspace.layout import SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

_WEEKLY = re.compile(r"memory/weekly/(\d{4}-\d\d-\d\d)[^/]*\.md")
_DAILY = re.compile(
    r"memory/(?:archive/(?:\d{4}/)?|daily/)?(\d{4}-\d\d-\d\d)[^/]*\.md", re.IGNORECASE
)
_SURROGATE = re.compile("[\ud800-\udfff]")
LONG_TERM = ("MEMORY.md", "USER.md")
# OpenClaw's own dreaming writes its working papers below memory/; they are no memory.
_NOT_MEMORY = re.compile(
    r"memory/(?:dreaming|\.[^/]+)/|(?:^|/)\.|(?:^|/)DREAMS\.md$|MEMORY\.md\.bak-"
)


class FileState(NamedTuple):  # thousands are made and compared at every start
    """What the file system says of a memory file; *path* is relative, with slashes."""

    path: str
    modified_ns: int
    size: int


def is_memory(path: str) -> bool:
    """Tell whether *path*, relative to the workspace and with slashes, is searched."""
    if path in LONG_TERM:
        return True
    return (
        path.startswith("memory/")
        and path.lower().endswith(".md")
        and _NOT_MEMORY.search(path) is None
    )


def is_memory_folder(path: str) -> bool:
    """Tell whether files below the folder *path* can be memory."""
    below = path == "memory" or path.startswith("memory/")
    return below and _NOT_MEMORY.search(f"{path}/") is None


def tier_of(path: str) -> Tier:
    """Name the tier of the memory file *path*."""
    if path in LONG_TERM:
        return Tier.LONG_TERM
    if path.startswith("memory/bank/"):
        return Tier.BANK
    if path.startswith("memory/weekly/"):
        return Tier.WEEKLY
    return Tier.DAILY if _DAILY.fullmatch(path) else Tier.OTHER


def day_of(path: str) -> date | None:
    """Return the day that a daily or weekly note is named for."""
    match = _WEEKLY.fullmatch(path) or _DAILY.fullmatch(path)
    return as_day(match[1]) if match else None


def decode(content: bytes) -> str:
    """Read *content* as UTF-8; what is not UTF-8 becomes U+FFFD, never an error."""
    # The codec that drops the mark at the start is Python and takes twice as long.
    return content.decode("utf-8", errors="replace").removeprefix("\ufeff")


def split_lines(text: str) -> list[str]:
    """
    Split *text* at line feeds alone and drop the carriage returns before them.

    `str.splitlines` would also split at form feeds and U+2028, and every number after
    one would differ from the editor's.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def checksum(text: str) -> int:
    """Return a number by which a changed text is noticed."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def scan(workspace: Path) -> dict[str, FileState]:
    """
    Return every memory file below *workspace* by its path.

    Links are followed as long as they stay in the workspace.
    """
    found = _below(os.path.realpath(workspace), "", set())
    return {state.path: state for state in found}


def inside(root: str, path: str) -> bool:
    """
    Tell whether *path* lies below *root*, an absolute path, once links are followed.

    What is hidden there, as `.strata` is, and the memories of others are no part of it.
    """
    real, start = os.path.realpath(path), root.rstrip(os.sep) + os.sep
    if real == root or not real.startswith(start):
        return real == root
    below = real.removeprefix(start)
    theirs = below.startswith((".", SCOPES + os.sep))
    return not theirs and f"{os.sep}." not in below


def _below(root: str, folder: str, seen: set[str]) -> Iterator[FileState]:
    place = os.path.realpath(f"{root}/{folder}")
    if place in seen or not inside(root, place):
        return
    seen.add(place)
    for entry in _entries(place):
        path = f"{folder}/{entry.name}" if folder else entry.name
        if (folder and _is_dated(entry.name)) or is_memory(path):
            state = _state(root, path, entry)
            if state is not None:
                yield state
        elif is_memory_folder(path) and entry.is_dir():
            yield from _below(root, path, seen)


def _is_dated(name: str) -> bool:
    """Tell at once of most names that they are a note's, wherever one may be."""
    return name[0] in "12" and name.endswith(".md")


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            # A name that is no Unicode can be neither cited nor shown.
            found = [each for each in entries if not _SURROGATE.search(each.name)]
    except OSError:
        return []
    return sorted(found, key=lambda entry: entry.name)


def _state(root: str, path: str, entry: os.DirEntry[str]) -> FileState | None:
    try:
        if entry.is_symlink() and not inside(root, entry.path):
            return None
        found = entry.stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileState._make((path, found.st_mtime_ns, found.st_size))
