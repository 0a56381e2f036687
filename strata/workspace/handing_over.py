"""What leaves memory for a place of the owner's: it is there whole, or not at all."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.errors import WorkspaceUnavailable
from strata.workspace.folders import clear_errors, make_private_folder
from strata.workspace.replacing import STALE_SECONDS, draft, sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    Put = Callable[[str, bytes], None]


@contextmanager
def new_file(target: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """
    Give a file, its owner's alone, that stands at *target* once the block has ended well.

    Whatever kills us leaves what was there. Raise `WorkspaceUnavailable` where something
    is, unless it is a file that may be *overwritten*.
    """
    require_room(target, overwrite=overwrite)
    with clear_errors(target):
        fresh = _fresh(target)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            require_room(target, overwrite=overwrite)
            fresh.replace(target)
            sync_folder(target.parent)
        finally:
            fresh.unlink(missing_ok=True)


@contextmanager
def new_folder(target: Path) -> Iterator[Put]:
    """
    Give what puts a file of some bytes at a place below *target*.

    The folder is there once the block has ended well. Raise `WorkspaceUnavailable` where
    something is, unless it is an empty folder.
    """
    require_room(target, folder=True)
    with clear_errors(target):
        fresh = _fresh(target)
        fresh.mkdir(mode=0o700)

        def put(path: str, content: bytes) -> None:
            place = fresh / path
            make_private_folder(place.parent)
            # A power cut may cost an export, and no more: each is made in a moment.
            draft(place.parent, content, mode=0o600, durable=False).rename(place)

        try:
            yield put
            fresh.rename(target)
            sync_folder(target.parent)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


def require_room(
    target: Path, *, overwrite: bool = False, folder: bool = False
) -> None:
    """Raise `WorkspaceUnavailable` where no new file, or *folder*, can be at *target*."""
    if not target.parent.is_dir():
        raise WorkspaceUnavailable.of("export.no-folder", folder=target.parent)
    if not os.path.lexists(target):
        return
    if folder and not _is_empty(target):
        raise WorkspaceUnavailable.of("export.folder-exists", target=target)
    if not folder and not (overwrite and _is_file(target)):
        key = "export.exists" if _is_file(target) else "export.in-the-way"
        raise WorkspaceUnavailable.of(key, target=target)


def _fresh(target: Path) -> Path:
    """Return a place beside *target*, where nothing is that a killed process left."""
    beside = f".{target.name}.strata-"
    for left in target.parent.glob(f"{beside}*"):
        if time.time() - left.lstat().st_mtime > STALE_SECONDS:
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)
    return target.parent / f"{beside}{os.urandom(8).hex()}"


def _is_file(target: Path) -> bool:
    return target.is_file() or target.is_symlink()


def _is_empty(target: Path) -> bool:
    return target.is_dir() and not target.is_symlink() and not any(target.iterdir())
