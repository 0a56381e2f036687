"""The link by which a shell finds `strata`: made by consent, and only in free places."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from strata.bundle import BUNDLE
from strata.workspace.folders import clear_errors

NAME = "strata"
FOLDER = Path("~/.local/bin")


def found(launcher: Path) -> bool:
    """Say whether a shell that is asked for `strata` runs *launcher*, or this bundle."""
    known, own = shutil.which(NAME), BUNDLE / "scripts" / NAME
    return known is not None and Path(known).resolve() in {launcher.resolve(), own}


def free_place() -> Path | None:
    """Return where a link would be found, None where it would not or something is there."""
    folder = FOLDER.expanduser()
    searched = [Path(each) for each in os.get_exec_path() if each]
    place = folder / NAME
    taken = os.path.lexists(place) or shutil.which(NAME)
    return None if taken or folder not in searched else place


def link(place: Path, launcher: Path) -> None:
    """Link *launcher* at *place*, unless something stands there by now."""
    with clear_errors(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(launcher)


def unlink(place: Path, launcher: Path) -> bool:
    """Remove the link at *place*; say whether it was still ours."""
    ours = place.is_symlink() and place.readlink() == launcher
    if ours:
        place.unlink()
    return ours
