"""Command lines that other processes hand over are answered here, where all is warm."""

from __future__ import annotations

import os
import socket
import struct
import threading
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from strata import warm
from strata.cli import commands
from strata.cli.options import CALLER, Caller, parted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.cli.mcp_tools import Toolbox

_LARGEST_MESSAGE = 1_000_000
_PATIENCE_SECONDS = 1.0
_PACKAGE = Path(warm.__file__).parent


class Listener:
    """
    Answers those commands of `warm.COMMANDS` that are meant for the workspace of *toolbox*.

    What fails is not answered: the caller does it again by itself, and tells why. Only
    processes of the same user are heard.
    """

    def __init__(self, toolbox: Toolbox, workspace: Path) -> None:
        self._toolbox = toolbox
        self._address = warm.socket_address(str(workspace))
        self._code = code_stamp()
        self._socket: socket.socket | None = None
        self._number = 0

    def start(self) -> None:
        """Listen, unless another process does for this workspace, or this one already."""
        if self._socket or not self._address or not hasattr(socket, "AF_UNIX"):
            return
        with suppress(OSError):
            if not _is_served(self._address):
                self._socket = _bound(self._address)
                self._number = Path(self._address).stat().st_ino
                threading.Thread(
                    target=self._serve, args=(self._socket,), daemon=True
                ).start()

    def stop(self) -> None:
        """Listen no longer."""
        if self._socket and self._address:
            with suppress(OSError):
                if Path(self._address).stat().st_ino == self._number:
                    Path(self._address).unlink()
            # The thread that accepts wakes up and ends.
            self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
        self._socket = None

    def answer(self, message: bytes) -> bytes:
        """Return exit code, stdout and stderr of what *message* asks, or nothing."""
        package, folder, *rest = warm.unpack(message)
        places = dict(zip(warm.OPENCLAW, rest, strict=False))
        environment, *given = rest[len(places) :]
        shared, rest = parted(given)
        known = (
            Path(package) == _PACKAGE
            and environment == warm.decisive_environment()
            and code_stamp() == self._code
        )
        if not known or warm.COMMANDS.isdisjoint(rest[:1]):
            return b""
        with self._toolbox.turn(_PATIENCE_SECONDS), _environment(places):
            return self._run(shared + rest, Path(folder))

    def _run(self, arguments: list[str], folder: Path) -> bytes:
        out, errors = StringIO(), StringIO()
        token = CALLER.set(Caller(folder, self._toolbox.adopt))
        try:
            with redirect_stdout(out), redirect_stderr(errors):
                code = commands.main(
                    arguments, prog_name="strata", standalone_mode=False
                )
        finally:
            CALLER.reset(token)
        return warm.pack(str(code or 0), out.getvalue(), errors.getvalue())

    def _serve(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(
                    target=self._handle, args=(connection,), daemon=True
                ).start()

    def _handle(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            if not _is_ours(connection):
                return
            connection.settimeout(_PATIENCE_SECONDS)
            with connection.makefile("rb") as file:
                message = file.read(_LARGEST_MESSAGE)
            # Whatever goes wrong, the caller finds it out by itself and says it.
            reply = b""
            with suppress(Exception):
                reply = self.answer(message)
            connection.sendall(reply)


def _is_served(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
    return True


def _bound(address: str) -> socket.socket:
    """Listen at *address*, which at no moment leads to a deaf or open socket."""
    draft = Path(f"{address}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(str(draft))
        draft.chmod(0o600)
        listening.listen(64)
        draft.rename(address)
    except OSError:
        listening.close()
        draft.unlink(missing_ok=True)
        raise
    return listening


def _is_ours(connection: socket.socket) -> bool:
    """Tell whether the caller is the same user; elsewhere the folder's rights decide."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    size = struct.calcsize("3i")
    peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    user: int = struct.unpack("3i", peer)[1]
    return user == os.geteuid()


def code_stamp() -> tuple[int, ...]:
    """Return what changes when another version of Strata is put in our place."""
    search = ("answering", "indexing", "language", "stores")
    others = ("cli", "embedding_models", "jobs", "judges", "search")
    rooms = (*others, *(f"search/{room}" for room in search))
    files = (_PACKAGE / name for name in ("bundle.py", *rooms))
    return tuple(file.stat().st_mtime_ns for file in files)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Have *values*, and without them nothing, in the environment for a while."""
    before = {name: os.environ.get(name, "") for name in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str]) -> None:
    for name, value in values.items():
        os.environ.pop(name, None)
        if value:
            os.environ[name] = value
