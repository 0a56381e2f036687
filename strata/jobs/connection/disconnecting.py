"""uninstall: OpenClaw's configuration and AGENTS.md as they were; the Markdown stays."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.errors import NotFound, OpenClawFailed, StrataError
from strata.jobs.connection import agents_md
from strata.jobs.connection.connecting import PENDING
from strata.jobs.connection.schedules import unregister
from strata.memory import Memory
from strata.messages import Notice
from strata.workspace import openclaw as openclaw_files
from strata.workspace.folders import PRIVATE
from strata.workspace.openclaw_config import backward, digest
from strata.workspace.own_folder import OwnFolder, installed_openclaw
from strata.workspace.shell_path import unlink
from strata.workspace.vault import vault_of

if TYPE_CHECKING:
    from strata.workspace.openclaw_program import OpenClaw
    from strata.workspace.own_folder import Installation


@dataclass(slots=True)
class Farewell:
    """What was undone, what a person must still do, and what *stays*, for good."""

    done: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    stays: list[str] = field(default_factory=list)


def disconnect(state: Path) -> Farewell:
    """Undo what `install` did to OpenClaw in *state*."""
    own = OwnFolder(state)
    with own.installed() as installed:
        if installed is None:
            if own.plugin.is_dir():
                own.remove()  # somebody was killed who uninstalled
            raise NotFound(Notice("install.not-installed", state=state))
        return _disconnected(state, own, installed)


def _disconnected(state: Path, own: OwnFolder, installed: Installation) -> Farewell:
    openclaw = installed_openclaw(state)
    farewell = Farewell()
    _unschedule(openclaw, installed, farewell)
    _restore_configuration(openclaw, own, installed, farewell)
    for workspace, added in list(installed.agents.items()):
        _take_out_block(workspace, state, added, farewell)
        farewell.stays.append(_staying(Path(workspace)))
        del installed.agents[workspace]
    _unlink(own, installed, farewell)
    installed.changes = []
    if installed.schedules:
        own.save(installed)
    else:
        own.remove()
    farewell.stays.append(Notice("install.program-stays", bundle=BUNDLE))
    if own.root.exists() and not installed.schedules:
        farewell.stays.append(Notice("install.forgotten-stays", folder=own.root))
    return farewell


def _staying(workspace: Path) -> Notice:
    """Tell what memory leaves in *workspace*, how to read it and how to remove it."""
    vault = vault_of(workspace / PRIVATE)
    encrypted = vault is not None and vault.encrypts
    read = Notice(
        f"install.read-{'encrypted' if encrypted else 'plain'}", bundle=BUNDLE
    )
    remove = shlex.join(["rm", "-r", str(workspace / PRIVATE)])
    return Notice("install.stays-in", workspace=workspace, read=read, remove=remove)


def _unlink(own: OwnFolder, installed: Installation, farewell: Farewell) -> None:
    place = Path(installed.link)
    if installed.link and unlink(place, own.launcher):
        farewell.done.append(Notice("install.unlinked", place=place))
    installed.link = ""


def _unschedule(
    openclaw: OpenClaw, installed: Installation, farewell: Farewell
) -> None:
    if not installed.schedules:
        return
    try:
        number = unregister(openclaw)
    except OpenClawFailed as error:
        if error.no_gateway and installed.schedules == PENDING:
            installed.schedules = ""  # they wait for a gateway still
            return
        farewell.left.append(Notice("install.jobs-remain", error=error))
        return
    installed.schedules = ""
    farewell.done.append(Notice("install.jobs-removed", number=number))


def _restore_configuration(
    openclaw: OpenClaw, own: OwnFolder, installed: Installation, farewell: Farewell
) -> None:
    if not installed.changes:
        return
    file = openclaw_files.configuration_file(openclaw.state)
    now = openclaw_files.configuration(openclaw.state)
    original = own.original()
    if original is not None and digest(now) == installed.after:
        own.replace_configuration(file, original)
        farewell.done.append(Notice("install.restored", name=file.name))
        return
    patch = backward(installed.changes, now)
    if patch:
        openclaw.run("config", "patch", "--stdin", given=json.dumps(patch))
    farewell.done.append(Notice("install.keys-restored", name=file.name))


def _take_out_block(
    workspace: str, state: Path, added: str | None, farewell: Farewell
) -> None:
    try:
        memory = Memory.open(workspace=workspace, state_dir=str(state), locked=True)
        agents_md.take_out(memory, added)
    except StrataError as error:
        farewell.left.append(error.told)
        return
    farewell.done.append(
        Notice("install.block-out", workspace=workspace, name=agents_md.NAME)
    )
