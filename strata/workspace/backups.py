"""Copies of MEMORY.md as it was before a change, one file each, kept for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from strata.workspace.files import Workspace

FOLDER = "memory/archive"


def back_up(workspace: Workspace, now: datetime) -> str | None:
    """
    Copy MEMORY.md, byte for byte, and return the relative path of the copy.

    *now* is the local moment that names it. A copy that is there already and says the same
    is as good as a new one, so a run that is repeated after a crash leaves no second one.
    Return None where there is no MEMORY.md, or an empty one.
    """
    text = workspace.read(LONG_TERM)
    if not text:
        return None
    same = next(
        (path for path in backups(workspace, now) if _same(workspace, path, text)), None
    )
    return same or next(path for path in _names(now) if _copy(workspace, path, text))


def backups(workspace: Workspace, now: datetime) -> list[str]:
    """Return the copies that were made on the day of *now*."""
    folder = workspace.locate(FOLDER)
    start = f"{LONG_TERM}.bak-{now:%Y-%m-%d}"
    if not folder.is_dir():
        return []
    names = sorted(path.name for path in folder.iterdir())
    return [f"{FOLDER}/{name}" for name in names if name.startswith(start)]


def _names(now: datetime) -> Iterator[str]:
    first = f"{FOLDER}/{LONG_TERM}.bak-{now:%Y-%m-%d}"
    yield first
    yield f"{first}-{now:%H%M%S}"
    number = 2
    while True:
        yield f"{first}-{now:%H%M%S}-{number}"
        number += 1


def _same(workspace: Workspace, path: str, text: str) -> bool:
    return workspace.read(path) == text


def _copy(workspace: Workspace, path: str, text: str) -> bool:
    """Write *text* to *path* unless something stands there; say whether it did."""
    return workspace.update(path, lambda present: present or text)
