"""Whether any memory file may have changed, asked of the system instead of every file."""

from __future__ import annotations

import os
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from strata.search.indexing.scanning import LONG_TERM, is_memory, is_memory_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# From <sys/inotify.h>: created, deleted, modified, moved, touched, and the folder itself.
_EVENTS = 0x100 | 0x200 | 0x2 | 0x40 | 0x80 | 0x4 | 0x400 | 0x800
_ONLY_FOLDERS = 0x01000000
_HEADER = struct.Struct("iIII")
_OVERFLOW = 0x4000


class Watch:
    """
    Watches the folders of *workspace* through Linux's inotify.

    The kernel notes an event before the write that caused it returns, so a quiet watch
    means that nothing was written on this machine. It is never quiet elsewhere, where
    links lead out of the folders, and before it is *enabled*; *works* tells whether the
    last attempt to watch was a success.
    """

    def __init__(self, workspace: Path) -> None:
        self.enabled = self.works = False
        self._root = os.path.realpath(workspace)
        self._descriptor = -1
        self._root_number = -1

    def is_quiet(self) -> bool:
        """Tell whether surely nothing has changed since `renewed`."""
        if self._descriptor < 0:
            return False
        try:
            events = os.read(self._descriptor, 65536)
        except BlockingIOError:
            return True
        except OSError:
            events = b""
        if events and not any(self._matters(*each) for each in _parsed(events)):
            return self.is_quiet()
        self.close()
        return False

    @contextmanager
    def renewed(self, *, whole: bool = True) -> Iterator[None]:
        """Watch anew while all files are looked at; without *whole*, go on as before."""
        if self.enabled and whole:
            self._renew()
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Watch no longer; from now on it is not quiet."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1

    def _renew(self) -> None:
        import ctypes  # noqa: PLC0415 - only where the index is kept open

        self.close()
        try:
            self._begin(ctypes.CDLL(None, use_errno=True))
            self.works = True
        except (OSError, AttributeError):
            self.works = False
            self.close()

    def _begin(self, system: Any) -> None:  # Any: a library of functions
        self._descriptor = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        for folder in _folders(self._root, ""):
            path = os.fsencode(f"{self._root}/{folder}")
            number = system.inotify_add_watch(
                self._descriptor, path, _EVENTS | _ONLY_FOLDERS
            )
            if number < 0:
                raise OSError("the system watches no more folders")
            if not folder:
                self._root_number = number

    def _matters(self, number: int, mask: int, name: str) -> bool:
        """Tell whether an event may be about memory: an agent writes beside it, too."""
        beside = number == self._root_number and name not in {*LONG_TERM, "memory"}
        return bool(mask & _OVERFLOW) or not (beside and name)


def _folders(root: str, folder: str) -> Iterator[str]:
    """Give every folder that may hold memory; raise `OSError` where links do."""
    yield folder
    with os.scandir(f"{root}/{folder}") as entries:
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            inner = is_memory_folder(path)
            if (inner or is_memory(path)) and entry.is_symlink():
                raise OSError("what a link leads to is not watched")
            if inner and entry.is_dir():
                yield from _folders(root, path)


def _parsed(events: bytes) -> Iterator[tuple[int, int, str]]:
    at = 0
    while at < len(events):
        number, mask, _, size = _HEADER.unpack_from(events, at)
        at += _HEADER.size
        yield number, mask, os.fsdecode(events[at : at + size].rstrip(b"\0"))
        at += size
