"""What each run changed, with the bytes from before, so that it can be taken back."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from strata.workspace import stored
from strata.workspace.folders import make_private_folder
from strata.workspace.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST_RUNS = 20
MOST_BYTES = 20 * 1024 * 1024

_LOG = "log.jsonl"


@dataclass(frozen=True, slots=True)
class Run:
    """A run that changes memory; *undoes* is the run that it takes back, or ""."""

    id: str
    kind: str
    at: str
    number: int
    undoes: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """
    One change of one file: of the text of *path*, or of its place where *target* is set.

    *before* and *after* are the SHA-256 of the bytes, "" where there is no file; *image*
    holds the bytes from before, and is None where there were none, a move keeps them, or
    the run had written them itself.
    """

    path: str
    before: str
    after: str
    target: str = ""
    image: Path | None = None


class Recorder(Protocol):
    """Is told of each change of a memory file before it is made."""

    def text(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Tell that the bytes of *path* are about to change; None means no file."""

    def place(self, path: str, target: str, content: bytes) -> None:
        """Tell that the file *path*, whose bytes are *content*, goes to *target*."""

    def withdraw(self) -> None:
        """Tell that the last text is not going to change: somebody was faster."""


class Recording:
    """
    The changes of one run, in *folder*, which appears with the first of them.

    Each is recorded before it is made, so the last one may never have happened. What
    counts is what files say: the same note is never encrypted to the same bytes twice.
    *write* replaces a file so that it survives a power cut.
    """

    def __init__(
        self, folder: Path, run: Run, write: Callable[[Path, bytes], None]
    ) -> None:
        self.folder = folder
        self.run = run
        self._write = write
        self._log = Journal(folder / _LOG)
        changes = list(self._log.records("change"))
        self._count = len(changes)
        # What each file said after the last change of this run.
        self._made = {each["path"]: each["after"] for each in changes}

    def begin(self) -> None:
        """Make the folder, unless it is there already."""
        if not self._log.path.exists():
            make_private_folder(self.folder)
            self._log.append([{"event": "run", **asdict(self.run)}])

    def text(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Record that the bytes of *path* are about to change; None means no file."""
        self.begin()
        said, image = self._said(path, before), ""
        # The way back leads to where the run began: not to what it wrote itself.
        if said is not None and self._made.get(path) != digest(said):
            image = f"{self._count}.before"
            self._write(self.folder / image, said)
        self._append(path, digest(said), digest(self._said(path, after)), image=image)

    def place(self, path: str, target: str, content: bytes) -> None:
        """Record that the file *path*, whose bytes are *content*, goes to *target*."""
        self.begin()
        said = self._said(path, content)
        self._append(path, digest(said), "", target=target)

    def withdraw(self) -> None:
        """Record that the last text is not going to change: somebody was faster."""
        never = self.changes()[-1]
        self._log.append([{"event": "withdrawn"}])
        if never.image:
            never.image.unlink()

    def finish(self) -> None:
        """Say that the run has come to its end."""
        if self._log.path.exists() and not self.is_finished:
            self._log.append([{"event": "finished"}])

    @property
    def is_begun(self) -> bool:
        """Whether it is on the disk: nothing has changed before."""
        return self._log.path.exists()

    @property
    def is_finished(self) -> bool:
        """Whether the run has come to its end; a killed one has not."""
        return any(self._log.records("finished"))

    def changes(self) -> list[Change]:
        """Return the changes in the order in which they were made."""
        found: list[Change] = []
        for record in self._log.records("change", "withdrawn"):
            if record["event"] == "withdrawn":
                del found[-1:]
            else:
                found.append(self._change(record))
        return found

    def _change(self, record: dict[str, Any]) -> Change:
        return Change(
            record["path"],
            record["before"],
            record["after"],
            record["target"],
            self.folder / record["image"] if record["image"] else None,
        )

    def _said(self, path: str, content: bytes | None) -> bytes | None:
        root = self.folder.parents[2]
        return None if content is None else stored.plain(content, root / path)

    def _append(
        self, path: str, before: str, after: str, *, target: str = "", image: str = ""
    ) -> None:
        change = {"path": path, "before": before, "after": after}
        self._log.append(
            [{"event": "change", **change, "target": target, "image": image}]
        )
        self._made[path] = after
        self._count += 1


def digest(content: bytes | None) -> str:
    """Return the SHA-256 of *content* in hexadecimal, or "" where there is no file."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def recorded_runs(folder: Path) -> list[Run]:
    """Return the runs that have a recording below *folder*, the oldest first."""
    if not folder.is_dir():
        return []
    # What a file manager leaves there is none: .DS_Store, or "3f2a… copy".
    folders = [path for path in folder.iterdir() if path.is_dir()]
    found = [run for path in folders if (run := _run(path)) and run.id == path.name]
    return sorted(found, key=lambda run: run.number)


def forget_oldest(folder: Path) -> None:
    """Remove the oldest recordings below *folder* that are beyond what is kept."""
    size = 0
    for position, run in enumerate(reversed(recorded_runs(folder))):
        size += sum(path.stat().st_size for path in (folder / run.id).iterdir())
        if position and (position >= MOST_RUNS or size > MOST_BYTES):
            shutil.rmtree(folder / run.id, ignore_errors=True)


def _run(folder: Path) -> Run | None:
    record: dict[str, Any] = next(Journal(folder / _LOG).records("run"), {})
    try:
        return Run(**{name: record[name] for name in Run.__slots__})
    except KeyError:
        return None
