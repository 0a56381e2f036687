"""A terminal in which a real command runs, is answered, and is stopped with Ctrl+C."""

from __future__ import annotations

import os
import pty
import re
import select
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PATIENCE_SECONDS = 120.0


class Terminal:
    """
    Runs *command* with *environment* in a terminal of its own.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process, self._screen = pty.fork()
        if self._process == 0:
            os.execve(command[0], [*command], {**environment})  # noqa: S606 - as typed
        self._shown = ""

    def answer(self, question: str, reply: str) -> None:
        """
        Type *reply* once *question* is on the screen.
        """
        self.wait_for(re.escape(question))
        os.write(self._screen, f"{reply}\n".encode())

    def interrupt(self) -> None:
        """
        Press Ctrl+C.
        """
        os.write(self._screen, b"\x03")

    def wait_for(self, pattern: str) -> str:
        """
        What on the screen fits *pattern*, once something does.
        """
        until = time.monotonic() + _PATIENCE_SECONDS
        while not (found := re.search(pattern, self._shown)):
            if time.monotonic() > until or not self._read():
                raise AssertionError(f"{pattern!r} never came, but {self._shown}")
        return found[0]

    def rest(self) -> str:
        """
        All that was on the screen, once the command has ended.
        """
        while self._read():
            pass
        os.waitpid(self._process, 0)
        os.close(self._screen)
        return self._shown

    def _read(self) -> bool:
        ready, _, _ = select.select([self._screen], [], [], _PATIENCE_SECONDS)
        try:
            part = os.read(self._screen, 4096) if ready else b""
        except OSError:
            # Linux says that nobody writes any more with an error.
            part = b""
        self._shown += part.decode(errors="replace")
        return bool(part)
