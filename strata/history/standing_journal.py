"""How all statements stand, for who asks again and again: kept, and read on from there."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from strata.history.projection import OF_FATES
from strata.workspace.journal import Journal, mark_before, parse_record, parser
from strata.workspace.stored import plain_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from strata.workspace.journal import Suits

_HELD = frozenset(OF_FATES)
# A quote within a text is written with a backslash, so these are keys.
_EVENT = re.compile(rb'"event": ?"(\w+)"')
_ID = re.compile(rb'"id": ?"(\w+)"')


class StandingJournal(Journal):
    """
    The journal in *path* without what was rejected and never anything else.

    Of ten things that were ever said about nine are that. What was read stays in memory,
    and what was appended since is read each time it is asked; where another file took its
    place, as when something is forgotten, all of it is read anew.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._end = 0
        self._mark = b""
        self._records: list[dict[str, Any]] = []
        self._ids: set[bytes] = set()

    def records(
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the records of *events*; those that are not kept are read from the file."""
        if suits or not _HELD.issuperset(events):
            return super().records(*events, suits=suits)
        self.catch_up()
        return (each for each in self._records if each["event"] in events)

    def catch_up(self) -> None:
        """Take in what was appended; keep nothing of a file that is no longer there."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            self._begin()
            return
        with file:
            if mark_before(file, self._end) != self._mark:
                self._begin()
            file.seek(self._end)
            parse = parser(os.fstat(file.fileno()).st_size - self._end)
            for line in plain_lines(self._whole_lines(file), self.path):
                self._take(line, parse)
            self._mark = mark_before(file, self._end)

    def _begin(self) -> None:
        self._end, self._mark = 0, b""
        self._records, self._ids = [], set()

    def _whole_lines(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield the lines of *file* up to one that is still being written."""
        for line in file:
            if not line.endswith(b"\n"):
                return
            self._end += len(line)
            yield line

    def _take(self, line: bytes, parse: Callable[[bytes], object]) -> None:
        event, name = _EVENT.search(line), _ID.search(line)
        if not event or event[1].decode() not in _HELD:
            return
        # What was something before is no longer that; else there is nothing to know.
        if event[1] == b"rejected" and not (name and name[1] in self._ids):
            return
        record = parse_record(line, parse)
        if record and record["event"] in _HELD:
            self._records.append(record)
            if name:
                self._ids.add(name[1])
