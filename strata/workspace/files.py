"""
The only place where memory files change.

A file is replaced, never written in place: whoever reads it, and whatever kills us,
finds the old text or the new one. Bytes that are not UTF-8 survive a change unharmed.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.errors import Busy, NotFound, PathNotAllowed, WorkspaceUnavailable
from strata.workspace import stored
from strata.workspace.folders import (
    PRIVATE,
    clear_errors,
    hide_from_git,
    make_private_folder,
    unreadable,
)
from strata.workspace.forms import is_encrypted, is_wholly_encrypted
from strata.workspace.layout import Layout
from strata.workspace.locks import exclusive
from strata.workspace.replacing import (
    UNPACKED_SECONDS,
    draft,
    remove_stale,
    remove_unpacked,
    swap,
    sync_folder,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime

    from strata.workspace.audit import Witness
    from strata.workspace.recording import Recorder

ATTEMPTS = 20
LOCK_SECONDS = 30.0


class Workspace:
    """
    One agent's workspace; *root* must be there.

    *encrypted_notes* are patterns of the notes that are encrypted, where this memory is.
    """

    def __init__(self, root: Path, encrypted_notes: tuple[str, ...] = ()) -> None:
        if not root.is_dir():
            raise WorkspaceUnavailable.of("files.no-workspace", root=root)
        self.root = root.resolve()
        self.layout = Layout(self.root)
        # Where a run keeps what it changes, so that it can be undone.
        self.recording: Recorder | None = None
        # Tells the audit log; None where nobody asked for one.
        self.witness: Witness | None = None
        # Shows what a run has changed to whoever looks; Any: the memory that is in here.
        self.shows: Callable[[Any], None] = _to_nobody
        self.encrypted_notes = encrypted_notes

    def read(self, path: str) -> str:
        """Return the text of the memory file *path*, or "" where there is none."""
        return _text(path, self.locate(path))

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Yield each of many memory files with its text, each folder looked up once."""
        folders: dict[str, Path] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            if folder not in folders:
                folders[folder] = self.locate(folder)
            # Not pathlib: of thousands that takes longer than to read them.
            file = f"{folders[folder]}/{name}"
            # Where a link leads is looked up each time, which takes longer still.
            is_link = os.path.islink(file)  # noqa: PTH114
            yield path, self.read(path) if is_link else _text(path, Path(file))

    def update(self, path: str, change: Callable[[str], str]) -> bool:
        """
        Replace the text of *path* by what *change* makes of it; say whether it differs.

        *change* gets the text as it is on disk at this moment ("" for a new file) and may
        be called more than once, because people and agents edit the same files.
        """
        target = self.locate(path)
        with self._writing():
            for _ in range(ATTEMPTS):
                before = self.read(path)
                after = change(before)
                if after == before:
                    return False
                if self._replace(target, before, after):
                    return True
        raise Busy.of("files.too-fast", path=path)

    def date(self, path: str, at: datetime) -> None:
        """Let the file *path*, where it is, be one that was last changed *at* a moment."""
        target, seconds = self.locate(path), at.timestamp()
        if target.exists() and target.stat().st_mtime != seconds:
            with clear_errors(target):
                os.utime(target, (seconds, seconds))

    def move(self, path: str, target: str) -> None:
        """Move the file *path* to *target*, unchanged; never over another file."""
        origin, goal = self.require(path), self.locate(target)
        if goal.exists():
            raise WorkspaceUnavailable.of("files.exists", target=target, path=path)
        make_private_folder(goal.parent)
        with clear_errors(goal):
            if self.recording:
                self.recording.place(path, target, origin.read_bytes())
            self._tell(path, target)
            origin.rename(goal)
            sync_folder(goal.parent)
            sync_folder(origin.parent)

    def remove(self, path: str, *, text: str) -> bool:
        """Remove the file *path* if its text is still *text*; say whether it was."""
        target = self.require(path)
        with self._writing(), clear_errors(target):
            present = target.read_bytes()
            if stored.plain(present, target) != text.encode("utf-8", "surrogateescape"):
                return False
            return self._put(path, target, present, None)

    def recode(self, path: str) -> bool:
        """
        Encrypt the note *path*, or decrypt it where this memory no longer encrypts.

        What it says stays byte for byte. Return whether anything had to be done.
        """
        target = self.require(path)
        with self._writing(), clear_errors(target):
            present = target.read_bytes()
            wanted = stored.note_to_store(stored.plain(present, target), target)
            done = is_wholly_encrypted(present) and is_wholly_encrypted(wanted)
            if done or wanted == present:
                return False
            if not self._put(path, target, present, wanted):
                raise Busy.of("files.changing", path=path)
        return True

    @contextmanager
    def unrecorded(self) -> Iterator[None]:
        """Let no recording see what changes meanwhile."""
        recording, self.recording = self.recording, None
        try:
            yield
        finally:
            self.recording = recording

    def locate(self, path: str) -> Path:
        """Return where *path* lies; refuse one that leads out of the workspace."""
        try:
            target = (self.root / path).resolve()
        except (OSError, RuntimeError):
            # Python before 3.13 raises RuntimeError for links that go round in a circle.
            raise PathNotAllowed.of("files.loop", path=path, root=self.root) from None
        if not target.is_relative_to(self.root):
            raise PathNotAllowed.of(
                "files.outside", path=path, root=self.root, target=target
            )
        return target

    def require(self, path: str) -> Path:
        """Return where the existing file *path* lies, or raise `NotFound`."""
        target = self.locate(path)
        if not target.is_file():
            raise NotFound.of("files.none", path=path, root=self.root)
        return target

    def make_private(self) -> None:
        """Make the folder `.strata`, hidden from git, and clear what a crash left."""
        make_private_folder(self.layout.private)
        hide_from_git(self.layout.private)
        with suppress(OSError):
            self.layout.private.chmod(0o700)
        drafts = self.layout.private / "drafts"
        remove_stale(drafts)
        remove_unpacked(drafts, older_than_seconds=UNPACKED_SECONDS)

    def write_private(self, target: Path, data: bytes) -> None:
        """Replace Strata's own file *target*, somewhere below `.strata`."""
        make_private_folder(target.parent)
        with clear_errors(target):
            swap(self._draft(stored.to_store(data, target), mode=0o600), target)

    def remove_private(self, target: Path) -> None:
        """Remove Strata's own file *target*, somewhere below `.strata`."""
        with clear_errors(target):
            target.unlink(missing_ok=True)
            sync_folder(target.parent)

    def _writing(self) -> AbstractContextManager[None]:
        return exclusive(
            self.layout.private / "locks" / "files.lock",
            timeout_seconds=LOCK_SECONDS,
            doing="writing",
        )

    def _replace(self, target: Path, before: str, after: str) -> bool:
        """Swap the file, unless somebody changed it since *before* was read."""
        make_private_folder(target.parent)
        path = target.relative_to(self.root).as_posix()
        content = after.encode("utf-8", "surrogateescape")
        with clear_errors(target):
            present = _bytes_of(target)
            said = stored.plain(present or b"", target)
            if said != before.encode("utf-8", "surrogateescape"):
                return False
            # What is encrypted stays so, wherever it has moved to since.
            if self.is_chosen(path) or is_encrypted(present or b""):
                content = stored.note_to_store(content, target)
            elif stored.is_private(target):
                content = stored.to_store(content, target)
            return self._put(path, target, present, content)

    def _put(
        self, path: str, target: Path, present: bytes | None, content: bytes | None
    ) -> bool:
        """Have *content*, or no file, where *present* is; say whether that still was."""
        fresh = None if content is None else self._draft(content, mode=_mode(target))
        if self.recording:
            self.recording.text(path, present, content)
        self._tell(path)
        # That takes milliseconds, and others write meanwhile.
        if _bytes_of(target) != present:
            if fresh:
                fresh.unlink()
            if self.recording:
                self.recording.withdraw()
            return False
        if fresh:
            swap(fresh, target)
        else:
            target.unlink()
            sync_folder(target.parent)
        return True

    def is_chosen(self, path: str) -> bool:
        """Say whether the note *path* is one of those that the user wants encrypted."""
        # No other file there is ours: OpenClaw's plugins keep their own state beside notes.
        is_note = path.endswith(".md") or ".md.bak-" in path
        return is_note and any(fnmatchcase(path, p) for p in self.encrypted_notes)

    def _tell(self, *paths: str) -> None:
        # What is Strata's own is no file of memory, and nobody asks who wrote it.
        theirs = [path for path in paths if not path.startswith(f"{PRIVATE}/")]
        if self.witness and theirs:
            self.witness.wrote(*theirs)

    def _draft(self, data: bytes, *, mode: int) -> Path:
        # Below .strata and not beside the target: a crash must not leave a strange file
        # where OpenClaw looks for notes.
        folder = self.layout.private / "drafts"
        make_private_folder(folder)
        return draft(folder, data, mode=mode)


def _text(path: str, file: Path) -> str:
    try:
        return stored.read(file).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise unreadable(path, error) from None


def _to_nobody(_memory: object) -> None:
    """Show nothing: that is for whoever opened memory to say."""


def _mode(target: Path) -> int:
    """Return the permissions that a file keeps; a new one is its owner's alone."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        return 0o600


def _bytes_of(target: Path) -> bytes | None:
    try:
        return target.read_bytes()
    except FileNotFoundError:
        return None
