"""Chunks are read again from their files, so that what is shown stands there now."""

from __future__ import annotations

import os
import stat
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.hits import Tier
from strata.notes import headings
from strata.notes.words import page_frame
from strata.search.indexing.chunking import MAX_LINES, chunk_file
from strata.search.indexing.manifest import PENDING
from strata.search.indexing.scanning import checksum, decode, inside, split_lines
from strata.workspace import stored
from strata.workspace.forms import is_encrypted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from strata.search.indexing.manifest import Row

# What goes on in the next chunk is one find, up to this size.
MAX_CHARACTERS = 3000
# A heading and a blank line may stand between chunks that belong together.
_NEAR_LINES = 2
# A process that stays keeps the lines of so many notes, 30 MB at the very most.
_REMEMBERED, _LARGE_BYTES = 256, 65_536
# Of a file just written, the next words may bear the same time.
_SETTLED_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Passage:
    """
    Lines *start_line* to *end_line* as they stand in the file right now.

    *whole* is false for a part of a line that is too long for one chunk, and for lines
    beside others that are left out. *waiting* tells that it has no vector yet, or its
    neighbour has none.
    """

    path: str
    start_line: int
    end_line: int
    text: str
    tier: Tier
    day: date | None
    score: float
    whole: bool
    waiting: bool = False

    @property
    def is_frame(self) -> bool:
        """Whether it is but what stands in every MEMORY.md: its head, and headings."""
        lines = {line.strip() for line in self.text.split("\n")}
        return self.tier is Tier.LONG_TERM and lines <= page_frame()


class Files:
    """Reads each memory file of *workspace* once."""

    def __init__(self, workspace: Path) -> None:
        root = os.path.realpath(workspace)
        # Most folders are asked about often.
        self._of = cache(partial(_lines_in, root, cache(partial(inside, root))))

    def lines(self, path: str) -> list[str]:
        """Return the lines of the file *path* as they are now; none if it is gone."""
        return self._of(path)

    def passage(self, row: Row, score: float) -> Passage | None:
        """Find the text of *row* where it is now; none if it is gone."""
        lines = self._of(row.path)
        start, end, whole = row.start_line, row.end_line, True
        text = "\n".join(lines[start - 1 : end])
        if checksum(text) != row.checksum:
            for chunk in chunk_file(row.path, "\n".join(lines)):
                if checksum(chunk.text) == row.checksum:
                    break
            else:
                return None
            start, end, text = chunk.start_line, chunk.end_line, chunk.text
            whole = text == "\n".join(lines[start - 1 : end])
        place = (row.path, start, end, text, row.tier, row.day)
        return Passage(*place, score, whole, waiting=row.vector == PENDING)

    def passages(
        self, ranked: Iterable[tuple[Row, float]], notes: int
    ) -> list[Passage | None]:
        """
        Find the texts of *ranked* where they are now; none where they are gone.

        Once the best of so many *notes* are found, no other note is read: only what is
        near a passage can be joined with it.
        """
        paths: set[str] = set()
        found: list[Passage | None] = []
        for row, score in ranked:
            wanted = len(paths) < notes or row.path in paths
            passage = self.passage(row, score) if wanted else None
            found.append(passage)
            if passage:
                paths.add(row.path)
        return found

    def day_of(self, passage: Passage) -> date | None:
        """Return the day that *passage* tells of: a week's summary has one a section."""
        if passage.tier is Tier.WEEKLY:
            for line in reversed(self._of(passage.path)[: passage.end_line]):
                if day := headings.day_of(line):
                    return day
        return passage.day

    def joined(self, first: Passage, second: Passage) -> Passage | None:
        """Return *first* with *second* of its file in it, if they are near and not much."""
        start = min(first.start_line, second.start_line)
        end = max(first.end_line, second.end_line)
        apart = max(first.start_line, second.start_line) - min(
            first.end_line, second.end_line
        )
        if apart > _NEAR_LINES or end - start >= MAX_LINES:
            return None
        if not (first.whole and second.whole):
            return first if start == end else None
        text = "\n".join(self._of(first.path)[start - 1 : end])
        if len(text) > MAX_CHARACTERS:
            return None
        waiting = first.waiting or second.waiting
        return replace(
            first, start_line=start, end_line=end, text=text, waiting=waiting
        )


def _lines_in(root: str, is_inside: Callable[[str], bool], path: str) -> list[str]:
    """Return the lines of the file *path* below *root*; none where it is not inside."""
    full = f"{root}/{path}"
    try:
        state = os.lstat(full)  # pathlib costs 10 ms of a query
        if stat.S_ISLNK(state.st_mode):
            return _lines(full) if inside(root, full) else []
        folder = os.path.dirname(full)  # noqa: PTH120 - the same
        return _lines_as_of(full, state) if is_inside(folder) else []
    except (OSError, DecryptionFailed):
        return []


def _lines_as_of(full: str, state: os.stat_result) -> list[str]:
    """Return the lines of the file *full*, read before if its *state* was the same."""
    age_seconds = time.time() - max(state.st_mtime, state.st_ctime)
    if age_seconds < _SETTLED_SECONDS or state.st_size > _LARGE_BYTES:
        return _lines(full)
    times = (state.st_mtime_ns, state.st_ctime_ns)
    known = _remembered(full, (state.st_dev, state.st_ino, state.st_size, *times))
    return _lines(full) if known is None else known


@lru_cache(maxsize=_REMEMBERED)
def _remembered(full: str, _state: tuple[int, ...]) -> list[str] | None:
    """Return the lines of the file *full*; none where they are not to lie open."""
    content = _content(full)
    return None if is_encrypted(content) else split_lines(decode(content))


def _lines(full: str) -> list[str]:
    content = _content(full)
    if is_encrypted(content):
        content = stored.plain(content, Path(full))
    return split_lines(decode(content))


def _content(full: str) -> bytes:
    # A buffer costs as much as the reading; so would pathlib.
    with open(full, "rb", buffering=0) as file:  # noqa: PTH123
        return file.read()


def join(files: Files, passages: Sequence[Passage], limit: int) -> list[Passage]:
    """Return the best *limit* of *passages*, with neighbours made one."""
    kept: list[Passage] = []
    places: dict[str, list[int]] = defaultdict(list)
    for passage in passages:
        for place in places[passage.path]:
            joined = files.joined(kept[place], passage)
            if joined is not None:
                kept[place] = joined
                break
        else:
            places[passage.path].append(len(kept))
            kept.append(passage)
    return kept[:limit]
