"""OpenClaw's memory slot: Strata's where its owner chose that, and given back whole."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from strata.errors import UsageError
from strata.jobs.connection.neighbours import ALLOWED, PATHS, SLOT
from strata.messages import Notice
from strata.workspace import openclaw as openclaw_files
from strata.workspace.openclaw_config import (
    Change,
    backward,
    digest,
    listed_at,
    value_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from strata.workspace.openclaw_config import Values
    from strata.workspace.openclaw_program import OpenClaw
    from strata.workspace.own_folder import Installation, OwnFolder

# A plugin of its own: one that is not in the slot is not loaded, and ours also captures.
PLUGIN = "strata-memory"
OPENCLAWS = "memory-core"
_ENTRY = ("plugins", "entries", PLUGIN)
_ENABLED = (*_ENTRY, "enabled")
# Unless that is off, memory-core goes on dreaming beside whoever has the slot.
DREAMING = (*_ENTRY, "config", "dreaming", "enabled")


def owner_of_slot(configuration: Values) -> str:
    """Return the plugin that has the memory slot, "none" where none has."""
    return str(value_at(configuration, SLOT) or OPENCLAWS)


def is_anothers(owner: str) -> bool:
    """Say whether *owner* of the slot is neither Strata nor OpenClaw, nor nobody."""
    return owner not in {PLUGIN, OPENCLAWS, "none"}


def wanted_slot(configuration: Values, folder: Path) -> list[Change]:
    """
    Return what gives the slot to our plugin in *folder*.

    Raise `UsageError` where the slot is another plugin's.
    """
    owner = owner_of_slot(configuration)
    if is_anothers(owner):
        raise UsageError.of("install.slot-taken", owner=owner)
    changes = _changes(configuration, folder)
    return [change for change in changes if change.before != change.value]


def _changes(configuration: Values, folder: Path) -> list[Change]:
    why = Notice("install.slot-plugin")
    known: list[tuple[tuple[str, ...], object, Notice]] = [
        (PATHS, _with(configuration, PATHS, str(folder)), why),
        (_ENABLED, True, why),
        (DREAMING, False, Notice("install.dreaming")),
        (SLOT, PLUGIN, Notice("install.slot")),
    ]
    if isinstance(value_at(configuration, ALLOWED), list):
        listed = _with(configuration, ALLOWED, PLUGIN)
        known.insert(1, (ALLOWED, listed, Notice("install.plugin-list")))
    return [
        Change(path, value, why, value_at(configuration, path))
        for path, value, why in known
    ]


def _with(configuration: Values, path: tuple[str, ...], each: str) -> list[str]:
    listed = listed_at(configuration, path)
    return listed if each in listed else [*listed, each]


def is_loadable(configuration: Values, own: OwnFolder) -> bool:
    """Say whether OpenClaw would load our plugin of the slot, unless it is denied."""
    allowed = value_at(configuration, ALLOWED)
    return (
        own.slot.is_dir()
        and str(own.slot) in listed_at(configuration, PATHS)
        and value_at(configuration, _ENABLED) is not False
        and (not isinstance(allowed, list) or PLUGIN in allowed)
    )


def prepare(own: OwnFolder, changes: Sequence[Change], configuration: bytes) -> None:
    """Write our plugin of the slot, and keep the *configuration* from before it."""
    own.write_slot()
    if not any(change.path == SLOT for change in changes):
        return
    if all(change.path in {PATHS, ALLOWED} or _is_ours(change) for change in changes):
        own.keep_before_slot(configuration)
    else:
        # What stood there before is not what would be there without the slot.
        own.keep_before_slot(None)


def _is_ours(change: Change) -> bool:
    return change.path == SLOT or change.path[: len(_ENTRY)] == _ENTRY


def give_back(openclaw: OpenClaw, own: OwnFolder, done: Installation) -> None:
    """Give the slot back to whoever had it, byte for byte where nothing changed since."""
    state = openclaw.state
    now = openclaw_files.configuration(state)
    before = own.before_slot()
    if before is not None and done.slot == digest(now):
        file = openclaw_files.configuration_file(state)
        own.replace_configuration(file, before)
    elif patch := backward(_ours(done.changes, now, own.slot), now):
        openclaw.run("config", "patch", "--stdin", given=json.dumps(patch))
    if done.after != digest(now):
        own.forget_original()
    done.after = digest(openclaw_files.configuration(state))
    done.changes = [
        _without(change, own.slot) for change in done.changes if not _is_ours(change)
    ]
    done.slot = ""
    own.save(done)
    own.remove_slot()


def _ours(recorded: Iterable[Change], now: Values, folder: Path) -> list[Change]:
    """Return the changes to take back, also where nobody recorded that they were made."""
    known = {change.path: change for change in recorded if _is_ours(change)}
    added = {str(folder), PLUGIN}
    lists = [
        Change(path, listed, Notice("install.slot"), left)
        for path in (PATHS, ALLOWED)
        if (listed := listed_at(now, path))
        and (left := [each for each in listed if each not in added]) != listed
    ]
    single = [change for change in _changes({}, folder) if _is_ours(change)]
    return [*lists, *(known.get(change.path, change) for change in single)]


def _without(change: Change, folder: Path) -> Change:
    if change.path not in {PATHS, ALLOWED}:
        return change
    added = {str(folder), PLUGIN}
    return replace(change, value=[each for each in change.value if each not in added])
