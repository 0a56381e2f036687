"""One process at a time has the index open."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.errors import Busy, WorkspaceUnavailable
from strata.workspace.folders import make_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LOOK_AGAIN_SECONDS = 0.01


@contextmanager
def exclusive(file: Path, *, patience_seconds: float) -> Iterator[None]:
    """
    Hold the lock on *file* while the block runs; it goes when the process dies.

    Raise `Busy` if another process keeps it for longer than *patience_seconds*, and
    `WorkspaceUnavailable` where the file cannot be made. Not reentrant.
    """
    descriptor = _opened(file)
    try:
        _wait(descriptor, file, time.monotonic() + patience_seconds)
        yield
    finally:
        os.close(descriptor)


def _opened(file: Path) -> int:
    make_private_folder(file.parent)
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise WorkspaceUnavailable(
            f"{file} cannot be opened ({error.strerror}); "
            "the index needs a folder that can be written"
        ) from None


def _wait(descriptor: int, file: Path, deadline: float) -> None:
    while not _taken(descriptor):
        if time.monotonic() >= deadline:
            raise Busy(f"another process holds {file}; try again in a moment")
        time.sleep(_LOOK_AGAIN_SECONDS)


# The system's own call and not filelock: that imports asyncio, 45 ms of every query.
if sys.platform == "win32":
    import msvcrt

    def _taken(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
