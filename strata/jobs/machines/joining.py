"""Joining: this machine begins, or stops, to share its memory with others."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import ScopeNotAllowed, UsageError, WorkspaceUnavailable
from strata.jobs.machines.exchange import Exchanged, exchange
from strata.jobs.undoing.runs import alone
from strata.workspace.machines import Machines
from strata.workspace.settings_file import change_setting
from strata.workspace.tombstones import KEY_BYTES, Seal

if TYPE_CHECKING:
    from strata.memory import Memory

_SETTING = "machines.folder"
# What is hashed with the key of a memory, to tell that from another one.
_MEMORY = "which memory this is"


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as the others know it; *last* is the moment of what it told last."""

    id: str
    is_own: bool
    records: int
    last: datetime | None


def join(memory: Memory, folder: str, key: str = "") -> Exchanged:
    """
    Share *memory* through *folder*, which the first machine makes and others find.

    *key* is that of another machine, by which both know what was forgotten; the first
    needs none. Raise a `StrataError`, and change nothing, where the folder is of another
    memory, or things were forgotten here under a key of its own.
    """
    if memory.parent:
        raise ScopeNotAllowed.of("machines.private")
    place = Path(folder).expanduser().resolve()
    if place.is_relative_to(memory.workspace.root):
        raise UsageError.of("machines.inside", folder=place)
    if memory.settings.machines_folder:
        raise UsageError.of("machines.joined", folder=memory.settings.machines_folder)
    machines = Machines(memory.workspace, memory.state_folder, str(place))
    with alone(memory):
        found = machines.check()
        seal = Seal(_decoded(key)) if key else memory.tombstones.seal
        told = {"memory": seal.of(_MEMORY), "agent": memory.agent}
        if found and found != told:
            of_another = found.get("agent") != memory.agent
            raise WorkspaceUnavailable.of(
                "machines.other-agent" if of_another else "machines.other-key",
                folder=place,
                agent=found.get("agent"),
            )
        if key:
            _take_key(memory, _decoded(key))
        else:
            memory.tombstones.prepare()
            told["memory"] = memory.tombstones.seal.of(_MEMORY)
        machines.make_folder()
        if not found:
            machines.write_check(told)
        change_setting(memory.workspace, _SETTING, str(place))
        return exchange(_with_folder(memory, str(place)))


def leave(memory: Memory) -> None:
    """Share no longer; what others brought stays, and so does what they have."""
    machines = _joined(memory)
    with alone(memory):
        change_setting(memory.workspace, _SETTING, "")
        machines.leave()


def key_of(memory: Memory) -> str:
    """Return the key that another machine needs to join."""
    _joined(memory)
    return base64.b32encode(memory.tombstones.key()).decode().rstrip("=").lower()


def known_machines(memory: Memory) -> list[Machine]:
    """Return the machines of which this one has heard, itself first."""
    machines = _joined(memory)
    logs = machines.logs().values()
    found = [
        Machine(
            log.machine,
            log.machine == machines.own,
            len(log.records),
            _moment(log.records[-1]["at"]) if log.records else None,
        )
        for log in logs
    ]
    return sorted(found, key=lambda each: (not each.is_own, each.id))


def _joined(memory: Memory) -> Machines:
    if memory.machines is None:
        raise UsageError.of("machines.alone")
    return memory.machines


def _take_key(memory: Memory, key: bytes) -> None:
    try:
        memory.tombstones.adopt(key)
    except FileExistsError as error:
        raise WorkspaceUnavailable.of("machines.own-key", file=error.filename) from None


def _decoded(key: str) -> bytes:
    text = key.strip().upper()
    try:
        found = base64.b32decode(text + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != KEY_BYTES:
        raise UsageError.of("machines.no-key")
    return found


def _with_folder(memory: Memory, folder: str) -> Memory:
    other = replace(memory, settings=replace(memory.settings, machines_folder=folder))
    other.__dict__.update(
        {name: value for name, value in memory.__dict__.items() if name != "settings"}
    )
    other.__dict__.pop("machines", None)
    return other


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(f"{at}+00:00")
