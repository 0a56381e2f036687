"""
The logs by which several machines come to one memory, each written by one machine alone.

A machine appends what it did to its own log and puts a copy of that into a folder that
some synchroniser carries; what others put there it copies to itself. As no file has two
writers, nothing can conflict, and whatever comes late, twice or out of order is either
news or not.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.errors import KeyUnavailable, WorkspaceUnavailable
from strata.workspace import stored
from strata.workspace.folders import clear_errors, make_private_folder, unreadable
from strata.workspace.replacing import draft, swap, sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.workspace.files import Workspace

    # Any: it is what JSON holds.
    Record = dict[str, Any]

LOG, TOLD, NOTE, BURIED = "log", "told", "note", "buried"
VERSION = 1
_NAME = re.compile(r"[a-z0-9-]{1,40}-[0-9a-f]{6}\Z")
_CHECK = "memory.json"


@dataclass(frozen=True, slots=True)
class Log:
    """
    What *machine* did, in order; *generation* grows whenever something left the log.

    *records* have a number each, which is never given twice, and the moment they are of.
    """

    machine: str
    name: str
    generation: int = 0
    records: tuple[Record, ...] = ()

    @property
    def length(self) -> tuple[int, int]:
        """What is more the newer a version of one log is."""
        return self.generation, len(self.records)

    @property
    def last_number(self) -> int:
        """The number of the last record, 0 where there is none."""
        return int(self.records[-1]["n"]) if self.records else 0

    def of(self, event: str) -> list[Record]:
        """Return the records of *event*."""
        return [each for each in self.records if each["event"] == event]


@dataclass(slots=True)
class State:
    """
    What this machine knew after the last exchange, without any words.

    *seen* has how long the version of each machine's log was that was taken, *notes* for
    each note the digest of its text and that of each part with the edits it comes from.
    """

    seen: dict[str, list[int]] = field(default_factory=dict)
    notes: dict[str, Record] = field(default_factory=dict)


class Machines:
    """The logs of the machines that share *workspace* through *folder*."""

    def __init__(self, workspace: Workspace, state: Path, folder: str) -> None:
        self._workspace = workspace
        place = hashlib.sha256(str(workspace.root).encode()).hexdigest()[:16]
        self._id_file = state / "strata" / "machines" / place
        self._copies = workspace.layout.machines_folder
        self.folder = Path(folder).expanduser()

    @cached_property
    def own(self) -> str:
        """The id of this machine, in OpenClaw's state folder; made where there is none."""
        with suppress(FileNotFoundError):
            found = self._id_file.read_text().strip()
            if _NAME.match(found):
                return found
        host = re.sub(r"[^a-z0-9]+", "-", socket.gethostname().casefold()).strip("-")
        made = f"{host[:30] or 'machine'}-{os.urandom(3).hex()}"
        make_private_folder(self._id_file.parent)
        with clear_errors(self._id_file):
            fresh = draft(self._id_file.parent, made.encode(), mode=0o600)
            swap(fresh, self._id_file)
        return made

    @property
    def is_there(self) -> bool:
        """Whether the folder that all share can be reached."""
        return self.folder.is_dir()

    def renew(self) -> None:
        """Be another machine where all that this one told is lost, and others have it."""
        name = f"{self.own}.jsonl"
        if not (self._copies / name).exists() and not (self.folder / name).exists():
            self._id_file.unlink(missing_ok=True)
            del self.own

    def make_folder(self) -> None:
        """Make the folder that all share, for its owner alone."""
        make_private_folder(self.folder)

    def check(self) -> Record:
        """Return what the folder says of its memory, nothing where it is new."""
        with suppress(FileNotFoundError, ValueError):
            found = json.loads((self.folder / _CHECK).read_text())
            return found if isinstance(found, dict) else {}
        return {}

    def write_check(self, content: Record) -> None:
        """Let the folder say of which memory it is."""
        self._put(self.folder / _CHECK, json.dumps(content).encode())

    def logs(self) -> dict[str, Log]:
        """Return every log of which this machine has a copy, its own among them."""
        files = sorted(self._copies.glob("*.jsonl"))
        found = (self._log(each, each.read_bytes()) for each in files)
        logs = {each.machine: each for each in found if each}
        logs.setdefault(self.own, Log(self.own, self.own.rpartition("-")[0]))
        return logs

    def state(self) -> State:
        """Return what was known after the last exchange; lost, all is looked at anew."""
        with suppress(FileNotFoundError, ValueError, TypeError, KeyError):
            return State(**json.loads(stored.read(self._copies / "state.json")))
        return State()

    def keep_state(self, state: State) -> None:
        """Keep *state* for the next exchange."""
        if state != self.state():
            content = json.dumps({"seen": state.seen, "notes": state.notes})
            file = self._copies / "state.json"
            self._workspace.write_private(file, content.encode())

    def pull(self, state: State) -> list[Log]:
        """Return the logs in the shared folder that say more than those copied before."""
        found = (log for log in self._shared().values() if log)
        return [e for e in found if list(e.length) > state.seen.get(e.machine, [-1])]

    def locked(self) -> list[str]:
        """Return the machines whose logs are encrypted with a key that this one lacks."""
        return [name for name, log in self._shared().items() if log is None]

    def _shared(self) -> dict[str, Log | None]:
        """Return the logs in the shared folder; None stands for one without its key."""
        found: dict[str, Log | None] = {}
        for file in sorted(self.folder.glob("*.jsonl")):
            try:
                if log := self._log(file, file.read_bytes()):
                    found[log.machine] = log
            except KeyUnavailable:
                found[file.stem] = None
            except OSError as error:
                raise unreadable(file, error) from None
        return found

    def keep(self, log: Log) -> None:
        """Keep *log* here; the copies of others hold what may be known of them."""
        file = self._copies / f"{log.machine}.jsonl"
        self._workspace.write_private(file, _bytes_of(log))

    def extend(self, log: Log, more: Sequence[Record]) -> Log:
        """Return *log*, this machine's own, with *more* at its end, kept here."""
        if not more:
            return log
        longer = replace(log, records=(*log.records, *more))
        self.keep(longer)
        return longer

    def push(self) -> None:
        """Put this machine's log into the shared folder, where that has another one."""
        copy = self._copies / f"{self.own}.jsonl"
        with suppress(FileNotFoundError):
            content, target = copy.read_bytes(), self.folder / copy.name
            if not target.exists() or target.read_bytes() != content:
                self._put(target, content)

    def leave(self) -> None:
        """Forget what others told; what they brought stays in notes and journal."""
        for file in [*self._copies.glob("*.jsonl"), self._copies / "state.json"]:
            self._workspace.remove_private(file)
        # Who joins again is another machine: the old one may have a double.
        self._id_file.unlink(missing_ok=True)
        self.__dict__.pop("own", None)

    def _log(self, file: Path, content: bytes) -> Log | None:
        """Return the log in *content*; a last line that has not come whole waits."""
        if not _NAME.match(file.stem):
            return None
        whole = content[: content.rfind(b"\n") + 1].splitlines(keepends=True)
        # By its name here it can be decrypted, wherever the bytes lie.
        place = self._copies / file.name
        records = []
        for line in whole:
            try:
                record = json.loads(stored.plain_stored_line(line, place))
            except ValueError:
                # What follows a damaged line may rest on it.
                break
            if not isinstance(record, dict):
                break
            records.append(record)
        if not records or records[0].get("machine") != file.stem:
            return None
        head = records[0]
        if head.get("event") != LOG or head.get("version") != VERSION:
            return None
        rest = tuple(records[1:])
        return Log(file.stem, str(head["name"]), int(head["generation"]), rest)

    def _put(self, target: Path, content: bytes) -> None:
        with clear_errors(target):
            # Beside it: the folder may be on another disk. No synchroniser is told
            # of half a file.
            swap(draft(target.parent, content, mode=0o600, prefix=".strata-"), target)
            sync_folder(target.parent)


def _bytes_of(log: Log) -> bytes:
    head = {
        "event": LOG,
        "version": VERSION,
        "machine": log.machine,
        "name": log.name,
        "generation": log.generation,
    }
    return b"".join(_lines([head, *log.records]))


def _lines(records: Iterable[Record]) -> Iterable[bytes]:
    for record in records:
        text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
        yield f"{text}\n".encode()


def refuse_same(machine: str) -> WorkspaceUnavailable:
    """Return the error for two machines that write under one id."""
    return WorkspaceUnavailable.of("machines.same-id", machine=machine)
