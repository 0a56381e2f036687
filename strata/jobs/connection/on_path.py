"""May a shell find `strata`? A link for it is offered once, and else an alias is told."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from strata.workspace import shell_path
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from pathlib import Path

_DECLINED = "declined"


def place_for(state: Path) -> Path | None:
    """Return where a link may be offered, None where that is no use or was declined."""
    own = OwnFolder(state)
    installed = own.load()
    declined = installed is not None and installed.link == _DECLINED
    if declined or shell_path.found(own.launcher):
        return None
    return shell_path.free_place()


def settle(state: Path, place: Path, *, agreed: bool) -> None:
    """Link `strata` at *place* where that was *agreed*, and do not ask again else."""
    own = OwnFolder(state)
    with own.installed() as installed:
        if installed is None:
            return
        # Recorded before it is done, so that `uninstall` knows of it in any case.
        installed.link = str(place) if agreed else _DECLINED
        own.save(installed)
        if agreed:
            shell_path.link(place, own.launcher)


def alias_for(state: Path) -> str:
    """Return the line for a shell's profile that does the same, "" where it is found."""
    launcher = OwnFolder(state).launcher
    if shell_path.found(launcher):
        return ""
    return f"alias strata={shlex.quote(str(launcher))}"
