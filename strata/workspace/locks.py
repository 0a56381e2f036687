"""One writer at a time, across processes."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.errors import Busy
from strata.messages import Notice
from strata.workspace.folders import clear_errors, make_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def exclusive(
    lock_file: Path, *, timeout_seconds: float, doing: str, makes_folder: bool = True
) -> Iterator[None]:
    """
    Hold *lock_file* for the body of the ``with`` statement.

    The lock is the operating system's and ends with the process, also after ``kill -9``.
    Raise `Busy` where another process still holds it after *timeout_seconds*, and
    FileNotFoundError where its folder is missing and this not *makes_folder*.
    """
    # filelock imports asyncio (45 ms of CPU), which a query has no use for.
    from filelock import FileLock, Timeout  # noqa: PLC0415

    lock = FileLock(lock_file, timeout=timeout_seconds, mode=0o600)
    while not lock.is_locked:
        if makes_folder:
            make_private_folder(lock_file.parent)
        elif not lock_file.parent.is_dir():
            raise FileNotFoundError(lock_file)
        with clear_errors(lock_file):
            try:
                lock.acquire()
            except FileNotFoundError:
                continue  # whoever held it has taken the folder away
            except Timeout:
                busy = Notice("files.busy", doing=Notice(f"doing.{doing}"))
                raise Busy(busy) from None
    try:
        yield
    finally:
        lock.release()
