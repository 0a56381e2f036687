"""Folders that only their owner can look into."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.errors import WorkspaceUnavailable
from strata.messages import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PRIVATE = ".strata"

# Before `keep_to_owner`; below zero where that was not called.
_umask = -1

FULL = {errno.ENOSPC, errno.EDQUOT}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}


def keep_to_owner() -> None:
    """Let nobody but its owner read what this process, or a library in it, makes."""
    global _umask  # noqa: PLW0603 - the umask itself is the process's
    _umask = os.umask(0o077)


def users_umask() -> int:
    """Return the umask that the user had, for what is not only the owner's; -1 is as is."""
    return _umask


@contextmanager
def for_everybody() -> Iterator[None]:
    """Make files as the user's own umask says: a model holds nobody's words."""
    if _umask < 0:
        yield
        return
    before = os.umask(_umask)
    try:
        yield
    finally:
        os.umask(before)


def make_private_folder(folder: Path) -> None:
    """Make *folder* and what is missing above it, readable by the owner alone."""
    with clear_errors(folder):
        missing = [
            path for path in (folder, *folder.parents) if not os.path.lexists(path)
        ]
        for path in reversed(missing):
            path.mkdir(mode=0o700, exist_ok=True)
            if path.name == PRIVATE:
                hide_from_git(path)


def hide_from_git(folder: Path) -> None:
    """Keep *folder* out of the repository that OpenClaw makes of a workspace."""
    ignore = folder / ".gitignore"
    with clear_errors(ignore):
        # A full disk, or a power cut, leaves it empty.
        if not ignore.exists() or not ignore.stat().st_size:
            ignore.write_text("*\n", encoding="utf-8")


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn the file system's errors about *path* into ones that say what to do."""
    try:
        yield
    except OSError as error:
        raise _explained(error, path) from None


def unreadable(path: Path | str, error: OSError) -> WorkspaceUnavailable:
    """Return the error that says why *path* cannot be read, and what to do."""
    key = "files.unreadable" if error.errno in CLOSED else "files.in-the-way"
    return WorkspaceUnavailable(Notice(key, path=path, why=error.strerror))


def _explained(error: OSError, path: Path) -> WorkspaceUnavailable:
    if error.errno in FULL:
        return WorkspaceUnavailable.of("files.disk-full", path=path)
    if error.errno in CLOSED:
        return WorkspaceUnavailable.of(
            "files.not-writable", path=path, why=error.strerror
        )
    return WorkspaceUnavailable(f"{path}: {error.strerror or error}")
