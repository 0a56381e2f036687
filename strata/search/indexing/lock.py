"""One process at a time has the index open, and hears when another one waits for it."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from strata.errors import Busy, WorkspaceUnavailable
from strata.messages import Notice
from strata.workspace.folders import make_private_folder

if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable, Iterator
    from pathlib import Path

_LOOK_AGAIN_SECONDS = 0.01
# No system has room for more in the address of a socket.
_LONGEST_ADDRESS = 100


@contextmanager
def exclusive(file: Path, *, patience_seconds: float) -> Iterator[None]:
    """
    Hold the lock on *file* while the block runs; it goes when the process dies.

    Raise `Busy` if another process keeps it for longer than *patience_seconds*, and
    `WorkspaceUnavailable` where the file cannot be made. Not reentrant.
    """
    make_private_folder(file.parent)
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise WorkspaceUnavailable(
            Notice("index.no-lock", file=file, strerror=error.strerror)
        ) from None
    deadline = time.monotonic() + patience_seconds
    try:
        while not _taken(descriptor):
            if time.monotonic() >= deadline:
                raise Busy(Notice("index.held", file=file))
            _knock(file)
            time.sleep(_LOOK_AGAIN_SECONDS)
        # That of a process that was killed: who has the lock has the only bell.
        _bell(file).unlink(missing_ok=True)
        yield
    finally:
        os.close(descriptor)


class Bell:
    """
    Calls *answer* from a thread, once, when somebody waits for the lock on *file*.

    It is a socket: no program that reads all files there waits for it, as one would at a
    named pipe. Only the holder of the lock may have one. Raise `OSError` where the system
    or the file system has no such sockets, or the path no room in an address.
    """

    def __init__(self, file: Path, answer: Callable[[], None]) -> None:
        self._answer = answer
        self._place = _bell(file)
        self._turn = threading.Lock()
        self._over = False
        self._socket = _socket(self._place, hears=True)
        self._number = self._place.stat().st_ino
        self._waker = _socket(self._place)
        threading.Thread(target=self._listen, daemon=True).start()

    def remove(self) -> None:
        """Listen no longer; *answer* is not called any more."""
        with self._turn:
            if not self._over:
                self._over = True
                # While the lock is held: the next holder makes its own.
                self._take_down()
                with suppress(OSError):
                    self._waker.send(b"\0")

    def _listen(self) -> None:
        self._socket.recv(1)
        with self._turn:
            removed, self._over = self._over, True
            self._socket.close()
            self._waker.close()
        if not removed:
            self._take_down()
            self._answer()

    def _take_down(self) -> None:
        """Remove our own bell: where the folder was deleted, another hangs there."""
        with suppress(OSError):
            if self._place.stat().st_ino == self._number:
                self._place.unlink()


def _socket(place: Path, *, hears: bool = False) -> socket:
    """Return a socket that *hears* what is sent to *place*, or sends and never waits."""
    try:
        # What `socket` is made of, and 7 ms sooner there.
        from _socket import AF_UNIX, SOCK_DGRAM, socket  # noqa: PLC0415
    except ImportError:
        raise OSError("there are no sockets in the file system") from None
    made = socket(AF_UNIX, SOCK_DGRAM)
    try:
        with _address(place) as address:
            if hears:
                made.bind(address)
                place.chmod(0o600)
            else:
                made.settimeout(0)
                made.connect(address)
    except OSError:
        made.close()
        raise
    return made


@contextmanager
def _address(place: Path) -> Iterator[str]:
    """Give the address of *place*, where it is long by way of the open folder."""
    if len(os.fsencode(place)) <= _LONGEST_ADDRESS:
        yield str(place)
        return
    folder = os.open(place.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{folder}/{place.name}"
    finally:
        os.close(folder)


def _knock(file: Path) -> None:
    """Tell who holds the lock on *file*, if that one listens, that somebody waits."""
    with suppress(OSError):
        speaking = _socket(_bell(file))
        with suppress(OSError):
            speaking.send(b"\0")
        speaking.close()


def _bell(file: Path) -> Path:
    return file.with_suffix(".bell")


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
