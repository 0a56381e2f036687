"""What a run changed, file by file, and what has become of that since."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from strata.jobs.undoing.reversal import Step, lives, steps_back
from strata.jobs.undoing.runs import open_recording
from strata.jobs.undoing.telling import is_own
from strata.workspace import stored
from strata.workspace.recording import digest, recorded_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from strata.jobs.undoing.reversal import Life
    from strata.memory import Memory
    from strata.workspace.recording import Run


@dataclass(frozen=True, slots=True)
class FileChange:
    """
    What a run did to the file *path*, which went to *target* if that is set.

    Its bytes were *before*, were *after* the run where somebody still has them, and are
    *now*: None stands for no file. *knows_after* says whether somebody has. *step* leads
    back, None where there is nothing to do; a later run *by* has changed the file as well.
    """

    path: str
    target: str
    before: bytes | None
    after: bytes | None
    now: bytes | None
    knows_after: bool
    step: Step | None
    by: Run | None


def changes_of(memory: Memory, run: Run) -> list[FileChange]:
    """Return which memory files *run* changed, the last one first."""
    recorded = open_recording(memory, run).changes()
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    later = list(takewhile(lambda each: each.id != run.id, reversed(runs)))
    images, touched = _since(memory, reversed(later))
    steps = {step.path: step for step in steps_back(memory.workspace, recorded)}
    return [
        _change(memory, life, images, steps.get(life.origin), touched.get(life.place))
        for life in reversed(lives(recorded))
        if not is_own(life.origin)
    ]


def _since(
    memory: Memory, runs: Iterable[Run]
) -> tuple[dict[str, Path], dict[str, Run]]:
    """Return the texts that *runs* found, by digest, and the last of them by file."""
    images: dict[str, Path] = {}
    touched: dict[str, Run] = {}
    for run in runs:
        for change in open_recording(memory, run).changes():
            touched[change.path] = run
            if change.image:
                images[change.before] = change.image
    return images, touched


def _change(
    memory: Memory,
    life: Life,
    images: Mapping[str, Path],
    step: Step | None,
    by: Run | None,
) -> FileChange:
    now = _bytes(memory.workspace.locate(life.place))
    moved = life.place if life.place != life.origin else ""
    if moved and not life.texts:
        # Only its place is another.
        before, after, known = now, now, True
    else:
        before = _bytes(life.image)
        after, known = _after(life, now, images)
    return FileChange(life.origin, moved, before, after, now, known, step, by)


def _after(
    life: Life, now: bytes | None, images: Mapping[str, Path]
) -> tuple[bytes | None, bool]:
    """Return what *life* ended with, and whether anybody has that."""
    if digest(now) == life.after:
        return now, True
    found = images.get(life.after)
    return _bytes(found), found is not None or not life.after


def _bytes(file: Path | None) -> bytes | None:
    return stored.read(file) if file and file.is_file() else None
