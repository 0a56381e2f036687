"""A run: one change of memory as a whole, alone, recorded, and committed as one."""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.errors import GitUnavailable
from strata.messages import Notice, to_people
from strata.workspace.backups import backups
from strata.workspace.commits import Edit, commit_edits
from strata.workspace.locks import exclusive
from strata.workspace.recording import Recording, Run, forget_oldest, recorded_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

LOCK_SECONDS = 120.0
_COUNTED = (
    *("promoted", "merged", "superseded", "expired", "evicted"),
    *("remembered", "edited", "accepted", "declined", "pinned", "unpinned", "undone"),
)


@contextmanager
def alone(
    memory: Memory,
    *,
    doing: str = "capturing",
    patience_seconds: float = LOCK_SECONDS,
) -> Iterator[None]:
    """
    Let no other job change memory meanwhile.

    Sync takes the same lock: a note must not move while a block is added to it.
    """
    memory.workspace.make_private()
    with exclusive(
        memory.workspace.layout.private / "locks" / "sync.lock",
        timeout_seconds=patience_seconds,
        doing=doing,
    ):
        yield


@contextmanager
def recorded(memory: Memory, kind: str) -> Iterator[Run]:
    """Record what the body of the ``with`` statement changes, as a run of *kind*."""
    recording = new_recording(memory, kind)
    with recording_to(memory, recording):
        yield recording.run


@contextmanager
def recording_to(memory: Memory, recording: Recording) -> Iterator[None]:
    """Let *recording* see what changes; a run that fails stays unfinished in it."""
    run = recording.run
    with committed(memory, run.id, run.kind, recording):
        yield
    recording.finish()
    forget_oldest(memory.workspace.layout.undo_folder)


@contextmanager
def committed(
    memory: Memory, run: str, job: str, recording: Recording | None = None
) -> Iterator[None]:
    """Commit what the body of the ``with`` statement changes, if ``git`` is set."""
    edits = _Edits(recording) if memory.settings.git else None
    memory.workspace.recording = edits or recording
    try:
        yield
    finally:
        memory.workspace.recording = None
    if edits and (by_path := edits.by_path()):
        _commit(memory, by_path, run, job)


def new_recording(memory: Memory, kind: str, *, undoes: str = "") -> Recording:
    """Return the recording of a run that starts now; it is empty and not on disk yet."""
    folder = memory.workspace.layout.undo_folder
    number = max((run.number for run in recorded_runs(folder)), default=0) + 1
    at = memory.now.isoformat(timespec="seconds")
    run = Run(run_id(kind, at, number), kind, at, number, undoes)
    return Recording(folder / run.id, run, memory.workspace.write_private)


def open_recording(memory: Memory, run: Run) -> Recording:
    """Return the recording of an earlier *run*."""
    folder = memory.workspace.layout.undo_folder / run.id
    return Recording(folder, run, memory.workspace.write_private)


def run_id(kind: str, at: str, number: int) -> str:
    """Return the twelve hex digits that name the run in the journal."""
    return hashlib.sha256(f"{kind}\x1f{at}\x1f{number}".encode()).hexdigest()[:12]


class _Edits:
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

    def by_path(self) -> dict[str, Edit]:
        """Return what became of each file in the end."""
        edits: dict[str, Edit] = {}
        for path, edit in self._changes:
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
