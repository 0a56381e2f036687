"""One process at a time has the index open, and hears when another one waits for it."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from strata.errors import Busy, WorkspaceUnavailable
from strata.workspace.folders import make_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
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


class Bell:
    """
    Calls *answer* from a thread, once, when somebody waits for the lock on *file*.

    Only the holder of the lock may have one: a second listener would take its knocks.
    Raise `OSError` where the system or the file system has no named pipes.
    """

    def __init__(self, file: Path, answer: Callable[[], None]) -> None:
        self._answer = answer
        self._pipe = _pipe(file)
        self._turn = threading.Lock()
        self._over = False
        self._descriptor = _opened_pipe(self._pipe)
        threading.Thread(target=self._listen, daemon=True).start()

    def remove(self) -> None:
        """Listen no longer; *answer* is not called any more."""
        with self._turn:
            if not self._over:
                self._over = True
                # While the lock is held: the next holder makes its own.
                self._pipe.unlink(missing_ok=True)
                # The thread wakes up, and closes what it reads from.
                os.write(self._descriptor, b"\0")

    def _listen(self) -> None:
        os.read(self._descriptor, 1)
        with self._turn:
            removed, self._over = self._over, True
            os.close(self._descriptor)
        if not removed:
            self._pipe.unlink(missing_ok=True)
            self._answer()


def _opened_pipe(pipe: Path) -> int:
    if sys.platform == "win32":
        raise OSError("there are no named pipes")
    with suppress(FileExistsError):
        os.mkfifo(pipe, 0o600)
    # For writing too, or reading would end when the first who knocked has gone.
    return os.open(pipe, os.O_RDWR | os.O_CLOEXEC)


def _knock(file: Path) -> None:
    """Tell who holds the lock on *file*, if that one listens, that somebody waits."""
    try:
        descriptor = os.open(_pipe(file), os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, AttributeError):
        return
    with suppress(OSError):
        os.write(descriptor, b"\0")
    os.close(descriptor)


def _pipe(file: Path) -> Path:
    return file.with_suffix(".bell")


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
        _knock(file)
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
