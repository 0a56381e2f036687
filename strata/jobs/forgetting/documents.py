"""Every text that may hold a statement: notes, copies, what undo keeps, and git."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed, GitUnavailable, KeyUnavailable
from strata.jobs.undoing.runs import open_recording
from strata.models import IMPORTED
from strata.search.indexing.scanning import scan
from strata.workspace import stored
from strata.workspace.folders import PRIVATE
from strata.workspace.git_history import GitHistory
from strata.workspace.layout import LONG_TERM, VAULTS
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.memory import Memory

# What OpenClaw puts into prompts or searches, beside the folder `memory`.
TOP = (LONG_TERM, "USER.md", "DREAMS.md")
_BINARY = b"\x00"


@dataclass(frozen=True, slots=True)
class Document:
    """
    A *text*, in the form of the memory file *path*, that lies in *file*.

    *place* is ``note`` for a file of memory itself, else what kind of copy it is.
    """

    place: str
    path: str
    text: str
    file: Path

    @property
    def is_lines(self) -> bool:
        """Whether its lines stand by themselves; JSON has to stay whole."""
        return not self.path.endswith(".json")

    @property
    def kind(self) -> str:
        """One of weekly and long-term, else its place; copies are of that kind too."""
        if self.path.startswith("memory/weekly/"):
            return "weekly"
        is_long_term = LONG_TERM in self.path.rpartition("/")[2]
        return "long-term" if is_long_term else self.place


def documents(memory: Memory) -> list[Document]:
    """Return every text that *memory* keeps outside of its journal."""
    return [*notes(memory), *_copies(memory)]


def versions(memory: Memory) -> list[Document]:
    """Return every content that git has of a memory file; none where there is no git."""
    root = memory.workspace.root
    found = []
    with suppress(GitUnavailable):
        history = GitHistory(root)
        for version in history.versions() if history.is_there else []:
            file = root / version.path
            if (text := version_text(version.content, file)) is not None:
                found.append(Document("git", version.path, text, file))
    return found


def version_text(content: bytes, file: Path) -> str | None:
    """Return what a version of *file* says, None where it is no text or its key is gone."""
    try:
        return decoded(stored.plain(content, file))
    except (DecryptionFailed, KeyUnavailable):
        return None


def notes(
    memory: Memory, wanted: Callable[[Path], bool] = lambda _file: True
) -> Iterator[Document]:
    """Yield the memory files, copies among them too, where they are *wanted*."""
    root = memory.workspace.root
    seen: set[Path] = set()
    for file in memory_files(memory):
        real = file.resolve()
        if real not in seen and real.is_relative_to(root):
            seen.add(real)
            place = "backup" if ".md.bak-" in file.name else "note"
            path = file.relative_to(root).as_posix()
            yield from _document(place, path, real) if wanted(file) else ()


def memory_files(memory: Memory) -> list[Path]:
    """Return every file of memory, and every copy of one beside them."""
    root = memory.workspace.root
    files = [*(root / name for name in TOP), *_below(root / "memory")]
    # A search looks into folders that are linked there as well.
    files += [root / path for path in scan(root)]
    vault = root / VAULTS[0]
    every = dict.fromkeys(files)
    return [file for file in every if file != vault and file.is_file()]


def text_of(file: Path) -> str | None:
    """Return the text in *file*, None where it holds none."""
    try:
        content = stored.read(file)
    except OSError:
        return None
    return decoded(content)


def decoded(content: bytes) -> str | None:
    """Return *content* as text, byte for byte, None where it is none."""
    return None if _BINARY in content else content.decode("utf-8", "surrogateescape")


def is_talk(path: str) -> bool:
    """Say whether *path* is a talk of another tool: no text in the form of a note."""
    return path.startswith(f"{PRIVATE}/{IMPORTED}/")


def _copies(memory: Memory) -> Iterator[Document]:
    layout = memory.workspace.layout
    for file in _below(layout.private / "backups"):
        yield from _document("backup", file.name, file)
    for run in recorded_runs(layout.undo_folder):
        for change in open_recording(memory, run).changes():
            if change.image and not is_talk(change.path):
                yield from _document("undo", change.path, change.image)


def _document(place: str, path: str, file: Path) -> list[Document]:
    text = text_of(file)
    return [] if text is None else [Document(place, path, text, file)]


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(place) / name for name in sorted(files))
