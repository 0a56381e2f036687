"""Copies of a memory file as it was before a change, one file each, kept for ever."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.workspace.files import Workspace

FOLDER = "memory/archive"


def back_up(
    workspace: Workspace, now: datetime, path: str = LONG_TERM, *, after: str = ""
) -> str | None:
    """
    Copy *path*, byte for byte, and return the relative path of the copy.

    After the first copy of a day there is another one only where a line would be lost:
    what *after*, the text to come, and the copies of the day hold needs no more of them.

    *now* is the local moment that names it. A copy that is there already and says the same
    is as good as a new one, so a run that is repeated after a crash leaves no second one.
    Return None where there is no such file, or an empty one.
    """
    text = workspace.read(path)
    if not text:
        return None
    name, kept = path.rpartition("/")[2], set(after.splitlines())
    for copy in backups(workspace, now, name):
        if (known := workspace.read(copy)) == text:
            return copy
        kept.update(known.splitlines())
        if after and kept.issuperset(text.splitlines()):
            return copy
    return next(copy for copy in _names(name, now) if _copy(workspace, copy, text))


def backups(workspace: Workspace, now: datetime, name: str = LONG_TERM) -> list[str]:
    """Return the copies of the file *name* that were made on the day of *now*."""
    folder = workspace.locate(FOLDER)
    start = f"{name}.bak-{now:%Y-%m-%d}"
    if not folder.is_dir():
        return []
    found = sorted(path.name for path in folder.iterdir())
    return [f"{FOLDER}/{copy}" for copy in found if copy.startswith(start)]


def _names(name: str, now: datetime) -> Iterator[str]:
    first = f"{FOLDER}/{name}.bak-{now:%Y-%m-%d}"
    yield first
    yield f"{first}-{now:%H%M%S}"
    yield from (f"{first}-{now:%H%M%S}-{number}" for number in count(2))


def _copy(workspace: Workspace, path: str, text: str) -> bool:
    """Write *text* to *path* unless something stands there; say whether it did."""
    # Undoing a run must not take its backup away.
    with workspace.unrecorded():
        return workspace.update(path, lambda present: present or text)
