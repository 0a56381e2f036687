"""A run: one change of memory as a whole, alone, recorded, and committed as one."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.errors import Busy
from strata.workspace.locks import exclusive
from strata.workspace.recording import Recording, Run, forget_oldest, recorded_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.undoing.edits import Edits
    from strata.memory import Memory

LOCK_SECONDS = 120.0


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
        # Before another job forgets some of it.
        memory.workspace.shows(memory)


@contextmanager
def recorded(memory: Memory, kind: str, *, always: bool = False) -> Iterator[Run]:
    """
    Record what the body of the ``with`` statement changes, as a run of *kind*.

    It is one *always*, or only where a memory file changes.
    """
    recording = new_recording(memory, kind)
    if always:
        recording.begin()
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
    edits = _edits(recording) if memory.settings.git else None
    before = memory.workspace.recording
    memory.workspace.recording = edits or recording
    try:
        yield
    finally:
        memory.workspace.recording = before
    if edits:
        edits.commit(memory, run, job)


def _edits(recording: Recording | None) -> Edits:
    from strata.jobs.undoing.edits import Edits  # noqa: PLC0415 - few use git

    return Edits(recording)


def new_recording(memory: Memory, kind: str, *, undoes: str = "") -> Recording:
    """Return the recording of a run that starts now; it is empty and not on disk yet."""
    folder = memory.workspace.layout.undo_folder
    number = max((run.number for run in recorded_runs(folder)), default=0) + 1
    at = memory.now.isoformat(timespec="seconds")
    # Two machines may tidy in the same second.
    here = f"{at} {memory.machines.own}" if memory.machines else at
    run = Run(run_id(kind, here, number), kind, at, number, undoes)
    return Recording(folder / run.id, run, memory.workspace.write_private)


def open_recording(memory: Memory, run: Run) -> Recording:
    """Return the recording of an earlier *run*."""
    folder = memory.workspace.layout.undo_folder / run.id
    return Recording(folder, run, memory.workspace.write_private)


def unfinished(memory: Memory, kind: str) -> Recording | None:
    """Return the recording of the last run where it is of *kind*, and was cut off."""
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    if not runs or runs[-1].kind != kind:
        return None
    recording = open_recording(memory, runs[-1])
    return None if recording.is_finished else recording


def cut_off(memory: Memory, kind: str) -> Run | None:
    """
    Return the last run of *kind* if it did not come to its end, and nobody is at work.

    Other runs may have followed, but for one that took it back.
    """
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    last = next((each for each in reversed(runs) if each.kind == kind), None)
    if last is None or any(each.undoes == last.id for each in runs):
        return None
    return None if _is_at_work(memory) or _is_finished(memory, last) else last


def _is_finished(memory: Memory, run: Run) -> bool:
    return open_recording(memory, run).is_finished


def _is_at_work(memory: Memory) -> bool:
    """Say whether a job changes *memory* at this moment."""
    lock = memory.workspace.layout.private / "locks" / "sync.lock"
    try:
        with exclusive(lock, timeout_seconds=0, doing="importing", makes_folder=False):
            return False
    except Busy:
        return True
    except FileNotFoundError:
        return False


def run_id(kind: str, at: str, number: int) -> str:
    """Return the twelve hex digits that name the run in the journal."""
    return hashlib.sha256(f"{kind}\x1f{at}\x1f{number}".encode()).hexdigest()[:12]
