"""The way back from what a run recorded, file by file, and whether it is free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.errors import Busy
from strata.messages import Notice
from strata.workspace import stored
from strata.workspace.backups import back_up
from strata.workspace.layout import LONG_TERM
from strata.workspace.recording import digest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from strata.workspace.files import Workspace
    from strata.workspace.recording import Change


@dataclass(frozen=True, slots=True)
class Step:
    """
    One file to bring back to *path*: from *target* where it lies there now.

    Where its text has to change, *rewrites* is set, and *image* holds the bytes (none: the
    file goes). *present* is the SHA-256 of its bytes now; *obstacle* says why it should
    not be touched.
    """

    path: str
    target: str = ""
    rewrites: bool = False
    image: Path | None = None
    present: str = ""
    obstacle: str = ""


def steps_back(workspace: Workspace, changes: Iterable[Change]) -> list[Step]:
    """Return what is left to do to be where *changes* began, the last file first."""
    digests: dict[str, str] = {}
    steps = (_step(workspace, life, digests) for life in reversed(lives(changes)))
    return [step for step in steps if step]


def reverse(workspace: Workspace, step: Step, now: datetime) -> str | None:
    """Take *step*; return the path of the backup of what stood there, if one was made."""
    backup = None
    if step.obstacle or step.path == LONG_TERM:
        in_the_way = workspace.locate(step.path).is_file()
        standing = step.path if in_the_way else step.target or step.path
        backup = back_up(workspace, now, standing)
    if step.target:
        if workspace.locate(step.path).is_file():
            workspace.remove(step.path, text=workspace.read(step.path))
        workspace.move(step.target, step.path)
    if step.rewrites:
        _rewrite(workspace, step)
    return backup


@dataclass(slots=True)
class Life:
    """
    A file through a run: where it was, where it went, and every text that it had.

    *before* and *after* are the digests of its first and its last, "" where there is none.
    """

    origin: str
    place: str
    before: str = ""
    after: str = ""
    image: Path | None = None
    texts: set[str] = field(default_factory=set)


def lives(changes: Iterable[Change]) -> list[Life]:
    """Return what each file went through in *changes*."""
    found: list[Life] = []
    at: dict[str, Life] = {}
    for change in changes:
        life = at.pop(change.path, None)
        broken = life and life.texts and change.before not in life.texts
        if life is None or broken:
            life = Life(change.path, change.path)
            found.append(life)
        life.place = change.target or change.path
        at[life.place] = life
        if not change.target and not life.texts:
            life.before, life.image = change.before, change.image
        life.after = life.after if change.target else change.after
        life.texts |= set() if change.target else {change.before, change.after}
    return found


def _step(workspace: Workspace, life: Life, digests: dict[str, str]) -> Step | None:
    """Return how to bring *life* back; *digests* is how the steps so far leave files."""
    here = digests.get(life.origin) or _digest(workspace, life.origin)
    there = here if life.place == life.origin else _digest(workspace, life.place)
    present = there or here
    target = life.place if there and life.place != life.origin else ""
    rewrites = bool(life.texts) and present != life.before
    if not (target or rewrites):
        # Never done, as the run was killed, or brought back before.
        return None
    obstacle = ""
    if target and here:
        obstacle = Notice("undo.new-file", origin=life.origin, place=life.place)
    elif rewrites and present not in life.texts:
        obstacle = Notice("undo.changed", place=life.place)
    digests[life.origin] = life.before if rewrites else present
    image = life.image if rewrites else None
    return Step(life.origin, target, rewrites, image, present, obstacle)


def _digest(workspace: Workspace, path: str) -> str:
    file = workspace.locate(path)
    return digest(stored.read(file)) if file.is_file() else ""


def _rewrite(workspace: Workspace, step: Step) -> None:
    if step.image is None:
        text = workspace.read(step.path)
        _check(step, text)
        if not workspace.remove(step.path, text=text):
            raise _changing(step)
        return
    wanted = stored.read(step.image).decode("utf-8", "surrogateescape")

    def change(text: str) -> str:
        if text != wanted:
            _check(step, text)
        return wanted

    workspace.update(step.path, change)


def _check(step: Step, text: str) -> None:
    found = text.encode("utf-8", "surrogateescape")
    if step.present not in {digest(found), digest(found or None)}:
        raise _changing(step)


def _changing(step: Step) -> Busy:
    return Busy(Notice("files.changing", path=step.path))
