"""
Which entries of a transcript still count, after turns were rewound or retried.

A transcript is a tree that grows at its end: each entry names its parent. What counts is
the path from the root to the tip, the last entry or the one that a ``leaf`` entry chose.
Nearly every entry follows the one before it, so only the exceptions are remembered: a
transcript of any size needs memory for its rewinds alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from strata.transcripts.entries import Entry

# Of a branch finder: the tip, where the next entry is expected, and what came before.
Tip = tuple[str | None, str | None, bool, bool]

# Entries of other types are a plugin's notes: they hang in the tree, but never lead it.
_LEADING_TYPES = frozenset(
    {
        "branch_summary",
        "compaction",
        "custom",
        "custom_message",
        "label",
        "message",
        "model_change",
        "reset",
        "session_info",
        "thinking_level_change",
    }
)


@dataclass(frozen=True, slots=True)
class Branch:
    """The entries that count, as ranges of positions in rising order."""

    length: int
    ranges: tuple[range, ...]

    @classmethod
    def whole(cls, length: int) -> Branch:
        """Take all of a transcript of which nothing was rewound."""
        return cls(length, (range(length),))

    def mark(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bool]]:
        """Yield each entry with whether it counts; stop where the branch was taken."""
        ranges = iter(self.ranges)
        current = next(ranges, range(self.length, self.length))
        for position, entry in zip(range(self.length), entries, strict=False):
            while position >= current.stop and current.stop < self.length:
                current = next(ranges, range(self.length, self.length))
            yield entry, position >= current.start and not entry.side


@dataclass(slots=True)
class Jump:
    """An entry that does not follow the one before it, but *parent* (None: nothing)."""

    position: int
    parent: str | None


@dataclass(slots=True)
class BranchFinder:
    """Watches a transcript go by and notices where it jumps."""

    length: int = 0
    jumps: list[Jump] = field(default_factory=list)
    _tip: str | None = None
    _cursor: str | None = None
    _rooted: bool = False
    _chained: bool = False

    @classmethod
    def after(cls, tip: Tip) -> BranchFinder:
        """Go on where another one, that had noticed no jump, had its *end*."""
        last, cursor, rooted, chained = tip
        return cls(_tip=last, _cursor=cursor, _rooted=rooted, _chained=chained)

    @property
    def end(self) -> Tip:
        """Return where the branch stands now."""
        return self._tip, self._cursor, self._rooted, self._chained

    def add(self, entry: Entry) -> None:
        """Take the next entry of the transcript."""
        position = self.length
        self.length += 1
        if entry.type == "leaf" and entry.linked:
            self._choose(entry, position)
        elif entry.id:
            self._follow(entry, position)

    def watched(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Take all *entries*, and yield those of the conversation as they go by."""
        for entry in entries:
            self.add(entry)
            if not entry.side:
                yield entry

    def wanted(self) -> frozenset[str]:
        """Return the ids whose positions `branch` needs to know."""
        return frozenset(jump.parent for jump in self.jumps if jump.parent)

    def branch(self, positions: Mapping[str, int]) -> Branch:
        """Return the path to the tip; an unknown parent counts as the entry before."""
        ranges: list[range] = []
        stop = self.length
        for jump in reversed(self.jumps):
            if jump.position >= stop:
                continue
            parent = _last_before(jump, positions)
            if parent is None:
                continue
            ranges.append(range(jump.position, stop))
            stop = parent + 1
        ranges.append(range(stop))
        return Branch(self.length, tuple(reversed(ranges)))

    def _choose(self, leaf: Entry, position: int) -> None:
        if leaf.target != self._tip:
            self.jumps.append(Jump(position, leaf.target))
            self._tip = leaf.target
        self._cursor = leaf.cursor or leaf.id

    def _follow(self, entry: Entry, position: int) -> None:
        leads = entry.type in _LEADING_TYPES and not entry.side
        if leads and self._jumps(entry):
            self.jumps.append(Jump(position, entry.parent))
        if leads:
            self._tip, self._rooted = entry.id, True
            self._chained = entry.parent is not None
        self._cursor = entry.id

    def _jumps(self, entry: Entry) -> bool:
        if not self._rooted or not entry.linked:
            return False
        if entry.parent is None:
            return self._restarts(entry)
        return entry.parent not in (self._tip, self._cursor)

    def _restarts(self, entry: Entry) -> bool:
        # Only a person goes back to before the first message. Early OpenClaw versions wrote
        # the replies to /status and injected notes with a null parent by mistake (its pull
        # request 3568), and a transcript without any links rewinds nothing.
        return self._chained and entry.said is not None and entry.said.role == "user"


def find_positions(entries: Iterable[Entry], wanted: frozenset[str]) -> dict[str, int]:
    """Where the *wanted* ids stand; of one that stands twice, the first place."""
    found: dict[str, int] = {}
    for position, entry in enumerate(entries):
        if entry.id in wanted:
            found.setdefault(entry.id, position)
    return found


def _last_before(jump: Jump, positions: Mapping[str, int]) -> int | None:
    if jump.parent is None:
        return -1
    position = positions.get(jump.parent)
    return position if position is not None and position < jump.position else None
