"""A file is swapped for another: whoever looks finds the old one or the new one."""

from __future__ import annotations

import errno
import os
import shutil
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

STALE_SECONDS = 3600.0
# Nobody reads an export for longer.
UNPACKED_SECONDS = 24 * 3600.0

_BESIDE = ".strata-"


def draft(
    folder: Path, data: bytes, *, mode: int, prefix: str = "", durable: bool = True
) -> Path:
    """Write *data* to a new file in *folder*; *durable* survives a power cut."""
    path = folder / f"{prefix}{os.urandom(8).hex()}"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        path.chmod(mode)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def write_once(file: Path, content: bytes) -> None:
    """Write *file*, its owner's alone, unless it is there; it is whole at once."""
    if file.exists():
        return
    fresh = draft(file.parent, content, mode=0o600, prefix=_BESIDE)
    try:
        with suppress(FileExistsError):
            os.link(fresh, file)
            sync_folder(file.parent)
    finally:
        fresh.unlink()


def swap(fresh: Path, target: Path) -> None:
    """Put *fresh* in the place of *target*; it is gone from its own, also on failure."""
    try:
        fresh.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # The folder of notes is a mount of its own, as containers have it.
        _swap_across(fresh, target)
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, where the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_stale(folder: Path, pattern: str = "*") -> None:
    """Remove the drafts in *folder* that a process left when it was killed."""
    for path in folder.glob(pattern):
        with suppress(FileNotFoundError):
            # A folder beside the notes may be somebody's.
            if path.is_file() and _age_seconds(path) > STALE_SECONDS:
                path.unlink()


def remove_unpacked(drafts: Path, *, older_than_seconds: float) -> None:
    """Remove the folders in *drafts* in which a killed process had unpacked something."""
    for path in drafts.glob("*/"):
        with suppress(FileNotFoundError):
            if not path.is_symlink() and _age_seconds(path) >= older_than_seconds:
                shutil.rmtree(path, ignore_errors=True)


def _age_seconds(path: Path) -> float:
    return time.time() - path.stat().st_mtime


def _swap_across(fresh: Path, target: Path) -> None:
    folder = target.parent
    remove_stale(folder, f"{_BESIDE}*")
    mode = fresh.stat().st_mode & 0o7777
    near = draft(folder, fresh.read_bytes(), mode=mode, prefix=_BESIDE)
    try:
        near.replace(target)
    finally:
        near.unlink(missing_ok=True)
