"""The memory files of a workspace as they lie on the disk right now."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from strata.search.indexing.places import is_memory, is_memory_folder
from strata.workspace.layout import SCOPES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class FileState(NamedTuple):  # thousands are made and compared at every start
    """What the file system says of a memory file; *path* is relative, with slashes."""

    path: str
    modified_ns: int
    size: int


def scan(workspace: Path) -> dict[str, FileState]:
    """
    Return every memory file below *workspace* by its path.

    Links are followed as long as they stay in the workspace.
    """
    root = os.path.realpath(workspace)
    found = _below(root, "", set())
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
            found = [entry for entry in entries if _is_text(entry.name)]
    except OSError:
        return []
    return sorted(found, key=lambda entry: entry.name)


def _is_text(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= each <= "\udfff" for each in name)


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
