"""What is counted of memory's files, and kept for as long as they stay as they are."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from strata.dashboard.journal_days import moment_of
from strata.errors import StrataError
from strata.notes.noted import noted_lines
from strata.workspace.audit import AuditLog, reads_in
from strata.workspace.recalls import Recalls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date, tzinfo
    from pathlib import Path

    from strata.memory import Memory

# What has no tag: requests, events, and whatever else somebody wrote.
OTHER = "other"
AGENTS, OWNER = "agents", "owner"
_OF_AGENTS = {"agent", "gateway", "mcp"}

T = TypeVar("T")


class Kept(Generic[T]):
    """What was counted in files, while this process lives; never on disk."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, ...], tuple[tuple[int, ...], T]] = {}

    def of(self, file: Path, count: Callable[[], T], *more: str) -> T:
        """Return what *count* finds in *file*, again only once that is another one."""
        stat = file.stat()
        # Whatever replaces a file in the same moment is another one.
        stamp = (stat.st_size, stat.st_mtime_ns, stat.st_ino)
        name = (str(file), *more)
        before = self._found.get(name)
        if before is None or before[0] != stamp:
            before = self._found[name] = (stamp, count())
        return before[1]


_NOTES = Kept[Counter[str]]()
_ASKED = Kept[Counter[str]]()
_SHOWN = Kept["Counter[tuple[date, str]]"]()


def notes_by_day(memory: Memory) -> dict[date, list[str]]:
    """Return the notes of every day, the first day first; one may have two."""
    found: dict[date, list[str]] = {}
    for day, path in memory.workspace.layout.daily_notes():
        found.setdefault(day, []).append(path)
    return dict(sorted(found.items()))


def kinds_noted(memory: Memory, paths: Iterable[str]) -> Counter[str]:
    """
    Return how many lines of the notes *paths* are of which kind, by its tag or `OTHER`.

    Of a note that cannot be read none is known.
    """
    counts: Counter[str] = Counter()
    for path in paths:
        file = memory.workspace.root / path
        try:
            counts.update(_NOTES.of(file, partial(_kinds_in, memory, path)))
        except (StrataError, OSError):
            continue
    return counts


def questions_answered(memory: Memory) -> Counter[str]:
    """Return how many questions found something on each day, in ISO 8601."""
    recalls = Recalls(memory.workspace.layout.recalls_file)
    try:
        return _ASKED.of(recalls.path, recalls.per_day)
    except FileNotFoundError:
        return Counter()


def times_shown(memory: Memory) -> Counter[tuple[date, str]]:
    """Return how often memory was shown on which day, to `AGENTS` or its `OWNER`."""
    zone = memory.timezone
    counts: Counter[tuple[date, str]] = Counter()
    for file in AuditLog(memory.workspace.layout.audit_folder).files():
        counts.update(_SHOWN.of(file, partial(_shown_in, file, zone), str(zone)))
    return counts


def _kinds_in(memory: Memory, path: str) -> Counter[str]:
    lines = noted_lines(memory.workspace.read(path))
    return Counter(each.tag or OTHER for each in lines)


def _shown_in(file: Path, zone: tzinfo) -> Counter[tuple[date, str]]:
    # Moments are converted once a minute: an agent may look a hundred times in one.
    minutes: Mapping[tuple[str, str], int] = Counter(
        (at[:16] + at[19:], AGENTS if who in _OF_AGENTS else OWNER)
        for at, who in reads_in(file)
        # Who looks at these pages has asked nothing.
        if who != "dashboard"
    )
    counts: Counter[tuple[date, str]] = Counter()
    for (at, who), times in minutes.items():
        if moment := moment_of(at, zone):
            counts[moment.date(), who] += times
    return counts
