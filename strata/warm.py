"""A question is handed to a process that has the index open already, where one runs."""

# Without pathlib, which takes 5 of the 60 ms in which a question is to be answered.
# ruff: noqa: PTH100, PTH109, PTH111, PTH116, PTH118, PTH120

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress

# Answered in the same words by whoever is asked; all others change something, or are rare.
COMMANDS = frozenset({"query", "get"})
# What decides about an answer beside the command line.
_PREFIX = "STRATA_"
_DECISIVE = frozenset({"HOME", "TZ", "TZDIR", "QDRANT_API_KEY"})
# Whether an agent runs the command, and then from which chat of whom, as OpenClaw says:
# {"sender": {"id": …}, "chat": {"id": …}}; the plugin adds the key of the conversation.
ASKERS = SHELL, CHANNEL, SESSION = (
    "OPENCLAW_SHELL",
    "OPENCLAW_CHANNEL_CONTEXT",
    "OPENCLAW_STRATA_SESSION",
)
# Where the caller's memory is, and who asks.
OPENCLAW = ("OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH", *ASKERS)
_FOLDERS = ("--workspace", "--state-dir")
_SOCKET = os.path.join(".strata", "ask.sock")
# No system has room for more in an address.
_LONGEST_ADDRESS = 100
_PATIENCE_SECONDS = 3.0
BROKEN_PIPE = 141


def socket_address(workspace: str) -> str | None:
    """Return where the process of *workspace* listens; none where that is too long."""
    path = os.path.join(workspace, _SOCKET)
    return path if len(os.fsencode(path)) <= _LONGEST_ADDRESS else None


def pack(*parts: str) -> bytes:
    """Write *parts*, none of which has a zero byte, as one message."""
    return "\0".join(parts).encode("utf-8", "surrogatepass")


def unpack(message: bytes) -> list[str]:
    """Read what `pack` wrote."""
    return message.decode("utf-8", "surrogatepass").split("\0")


def decisive_environment() -> str:
    """Return the variables on which an answer depends, one a line."""
    return "\n".join(
        f"{name}={value}"
        for name, value in sorted(os.environ.items())
        if name.startswith(_PREFIX) or name in _DECISIVE
    )


def answered(arguments: list[str]) -> int | None:
    """
    Have a warm process answer *arguments*, print what it says, and return its exit code.

    None where there is no such process, or it does not answer for this workspace.
    """
    folders = _named_folders(arguments)
    if COMMANDS.isdisjoint(arguments) or folders is None:
        return None
    for workspace in _workspaces(folders.get("--workspace")):
        address = socket_address(workspace)
        if address and _is_ours(address):
            reply = _asked(address, arguments)
            if reply is not None:
                return _told(*reply)
    return None


def _named_folders(arguments: list[str]) -> dict[str, str] | None:
    """Return the folders that are named, none where one is relative to where we are."""
    found: dict[str, str] = {}
    for place, argument in enumerate(arguments):
        name, sign, value = argument.partition("=")
        if name in _FOLDERS:
            found[name] = value if sign else "".join(arguments[place + 1 : place + 2])
    return found if all(map(os.path.isabs, found.values())) else None


def _workspaces(named: str | None) -> list[str]:
    """Return where the workspace may be; the process itself knows which it serves."""
    if named:
        return [named]
    here = os.getcwd()
    parents = []
    while here not in parents:
        parents.append(here)
        here = os.path.dirname(here)
    state = os.environ.get("OPENCLAW_STATE_DIR") or "~/.openclaw"
    return [*parents, os.path.join(os.path.expanduser(state), "workspace")]


def _is_ours(address: str) -> bool:
    try:
        found = os.stat(address)
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid()


def _asked(address: str, arguments: list[str]) -> list[str] | None:
    """Return exit code, stdout and stderr, none where the process answers nothing."""
    # What `socket` is made of, and 7 ms sooner there; imported where somebody listens.
    from _socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket  # noqa: PLC0415

    package = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get(name, "") for name in OPENCLAW]
    message = pack(package, os.getcwd(), *places, decisive_environment(), *arguments)
    connection = socket(AF_UNIX, SOCK_STREAM)
    received = []
    try:
        connection.settimeout(_PATIENCE_SECONDS)
        connection.connect(address)
        connection.sendall(message)
        connection.shutdown(SHUT_WR)
        while part := connection.recv(65536):
            received.append(part)
    except OSError:
        return None
    finally:
        connection.close()
    reply = unpack(b"".join(received))
    return reply if len(reply) == 3 else None  # noqa: PLR2004 - as documented


def _told(code: str, out: str, errors: str) -> int:
    sys.stderr.write(errors)
    try:
        sys.stdout.write(out)
        sys.stdout.flush()
    except OSError as error:
        return unwritten(error)
    return int(code)


def unwritten(error: OSError) -> int:
    """Return the exit code where stdout failed by *error*, and let no more be tried."""
    with suppress(OSError):
        # Where somebody else collects the output it has no number, and nothing is open.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        # The reader has gone, as `strata query … | head -1` does; close without noise.
        return BROKEN_PIPE
    sys.stderr.write(f"strata: the output: {error.strerror}\n")
    return 1
