"""What a run does to files, seen as it happens, and committed as one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable
from strata.messages import Notice, to_people
from strata.workspace.backups import backups
from strata.workspace.commits import Edit, commit_edits
from strata.workspace.folders import PRIVATE

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.workspace.recording import Recording

_COUNTED = (
    *("promoted", "merged", "superseded", "expired", "evicted"),
    *("remembered", "edited", "accepted", "declined", "pinned", "unpinned", "undone"),
)


class Edits:
    """Sees each change of a memory file before it is made, and lets *recording* see it."""

    def __init__(self, recording: Recording | None) -> None:
        self._recording = recording
        self._changes: list[tuple[str, Edit]] = []

    def text(self, path: str, before: bytes | None, after: bytes | None) -> None:
        """Take note that the bytes of *path* are about to change."""
        if self._recording:
            self._recording.text(path, before, after)
        self._changes.append((path, Edit(before, after)))

    def withdraw(self) -> None:
        """Take note that the last text is not going to change."""
        if self._recording:
            self._recording.withdraw()
        self._changes.pop()

    def place(self, path: str, target: str, content: bytes) -> None:
        """Take note that the file *path* goes to *target*."""
        if self._recording:
            self._recording.place(path, target, content)
        self._changes.append((path, Edit(content, None)))
        self._changes.append((target, Edit(None, content, path)))

    def commit(self, memory: Memory, run: str, job: str) -> None:
        """Commit what became of each file in the end, if anything did."""
        if edits := self.by_path():
            _commit(memory, edits, run, job)

    def by_path(self) -> dict[str, Edit]:
        """Return what became of each memory file in the end; Strata's own are no part."""
        edits: dict[str, Edit] = {}
        for path, edit in self._changes:
            if path.startswith(f"{PRIVATE}/"):
                continue
            first = edits.get(path, edit)
            origin = edit.origin or (first.origin if edit.after is not None else "")
            edits[path] = Edit(first.before, edit.after, origin)
        return edits


def _commit(memory: Memory, edits: dict[str, Edit], run: str, job: str) -> None:
    """Commit *edits*; what keeps git from it is said and nothing else: memory is safe."""
    all_edits = {**edits, **_copies(memory, edits)}
    message = _message(memory, edits, run, job)
    try:
        made = commit_edits(memory.workspace.root, all_edits, message, memory.now)
    except GitUnavailable as error:
        to_people(Notice("git.not-committed", error=error))
        return
    for path in made.left_out:
        to_people(Notice("git.yours", path=path))


def _copies(memory: Memory, edits: dict[str, Edit]) -> dict[str, Edit]:
    workspace = memory.workspace
    names = {path.rpartition("/")[2] for path in edits}
    paths = (path for name in names for path in backups(workspace, memory.now, name))
    return {path: Edit(None, workspace.locate(path).read_bytes()) for path in paths}


def _message(memory: Memory, edits: dict[str, Edit], run: str, job: str) -> str:
    records = memory.journal.records(*_COUNTED)
    events = Counter(each["event"] for each in records if each.get("run") == run)
    counts = [(event, events[event]) for event in _COUNTED if events[event]]
    files = "1 file" if len(edits) == 1 else f"{len(edits)} files"
    told = ", ".join(f"{count} {event}" for event, count in counts) or files
    trailers = [
        *(f"Strata-Run: {run}", f"Strata-Job: {job}", f"Strata-Files: {len(edits)}"),
        *(f"Strata-{event.capitalize()}: {count}" for event, count in counts),
    ]
    return f"Strata {job}: {told}\n\n" + "\n".join(trailers) + "\n"
