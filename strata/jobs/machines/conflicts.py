"""Second versions of a note that a synchroniser or git left, and how they become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import NotFound
from strata.jobs.undoing.runs import alone, recorded
from strata.notes.parts import is_version, merged_notes, shares_parts
from strata.workspace.conflict_files import conflict_files, sides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

RUN = "merge"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two versions of the note *path*; the other one is in *copy*, or within the note."""

    path: str
    copy: str = ""


def conflicts(memory: Memory) -> list[Conflict]:
    """Return what has to be merged; a file that merely looks alike is none."""
    layout = memory.workspace.layout
    found = [each for each, is_sure in _second_versions(memory) if is_sure]
    notes = [*(path for _, path in layout.daily_notes()), *layout.weekly_notes()]
    found += [
        Conflict(path) for path, text in memory.workspace.texts(notes) if sides(text)
    ]
    return found


def look_alikes(memory: Memory) -> list[str]:
    """Return the files that may be second versions, or somebody's own copies of notes."""
    return [each.copy for each, is_sure in _second_versions(memory) if not is_sure]


def _second_versions(memory: Memory) -> Iterator[tuple[Conflict, bool]]:
    """Yield what says what a note says, and whether it surely is no file of somebody's."""
    read, hosts = memory.workspace.read, set[str]()
    if memory.machines:
        hosts = {log.name for log in memory.machines.logs().values()}
    for named in conflict_files(memory.workspace.root, hosts):
        other, note = read(named.path), read(named.beside)
        if is_version(other, note):
            is_sure = named.says_so or (named.may_be and shares_parts(other, note))
            yield Conflict(named.beside, named.path), is_sure


def merge_conflicts(memory: Memory) -> list[str]:
    """
    Let each note say what both of its versions say; return the notes.

    It is a run: `undo` brings both versions back.
    """
    merged: list[str] = []
    with alone(memory), recorded(memory, RUN):
        for each in conflicts(memory):
            if each.copy:
                _take_in(memory, each)
            else:
                memory.workspace.update(each.path, _without_marks)
            merged.append(each.path)
    return sorted(set(merged))


def _take_in(memory: Memory, conflict: Conflict) -> None:
    other = memory.workspace.read(conflict.copy)
    memory.workspace.update(conflict.path, lambda text: merged_notes(text, other))
    try:
        memory.workspace.remove(conflict.copy, text=other)
    except NotFound:
        # The synchroniser may have taken it away meanwhile.
        return


def _without_marks(text: str) -> str:
    both = sides(text)
    return merged_notes(*both) if both else text
