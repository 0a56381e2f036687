"""The journal for who asks again and again: its lines are found, not looked through."""

from __future__ import annotations

import os
import re
from array import array
from typing import TYPE_CHECKING, Any
from zlib import crc32

from strata.history.names import CAPTURED, REJECTED, SUMMARISED
from strata.history.projection import OF_FATES
from strata.workspace.journal import Journal, mark_before, parse_record, parser
from strata.workspace.stored import plain_stored_line

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from pathlib import Path
    from typing import BinaryIO

    from strata.workspace.journal import Suits

_HELD = frozenset(OF_FATES)
# A quote within a text is written with a backslash, so these are keys.
_EVENT = re.compile(rb'"event": ?"(\w+)"')
_ID = re.compile(rb'"id": ?"([\w-]+)"')
_DAY = re.compile(rb'"day": ?"([\d-]+)"')
# What a line is about, by its event: its first id, where nothing else is said.
_ABOUT = {CAPTURED: _DAY, SUMMARISED: _DAY}


class StandingJournal(Journal):
    """
    The journal in *path* without what was rejected and never anything else.

    Of ten things that were ever said about nine are that. What was read of the others
    stays in memory, and of every line where it stands and what it is about; what was
    appended since is read each time it is asked. Where another file took its place, as
    when something is forgotten, all of it is read anew.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._end, self._mark = 0, b""
        self._begin()

    def records(
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the records of *events*; those that are not kept are read from the file."""
        self.catch_up()
        if not suits and _HELD.issuperset(events):
            return (each for each in self._records if each["event"] in events)
        numbers = self._numbers(events)
        found = (n for n, each in enumerate(self._events) if each in numbers)
        return self._read(found, events, suits or bool)

    def naming(self, names: AbstractSet[str], *events: str) -> Iterator[dict[str, Any]]:
        """Yield all records of *events* about the ids or days *names*."""
        self.catch_up()
        keys, numbers = {_key(name.encode()) for name in names}, self._numbers(events)
        found = (
            number
            for number, about in enumerate(self._about)
            if about in keys and self._events[number] in numbers
        )
        records = self._read(found, events, bool)
        return (each for each in records if self.is_about(each, names))

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
            for begin, line in self._whole_lines(file):
                self._take(begin, plain_stored_line(line, self.path), parse)
            self._mark = mark_before(file, self._end)

    def _begin(self) -> None:
        self._end, self._mark = 0, b""
        self._records: list[dict[str, Any]] = []
        self._ids: set[bytes] = set()
        # Of each line where it begins, the number of its event, and what it is about.
        self._begins, self._events, self._about = array("Q"), array("B"), array("L")
        self._numbered: dict[str, int] = {}

    def _whole_lines(self, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of *file* up to one that is still being written."""
        for line in file:
            if not line.endswith(b"\n"):
                return
            begin, self._end = self._end, self._end + len(line)
            yield begin, line

    def _take(self, begin: int, line: bytes, parse: Callable[[bytes], object]) -> None:
        found = _EVENT.search(line)
        if not found:
            return
        event = found[1].decode()
        name = _ABOUT.get(event, _ID).search(line)
        self._begins.append(begin)
        self._events.append(self._numbered.setdefault(event, len(self._numbered)))
        self._about.append(_key(name[1] if name else b""))
        # What was something before is no longer that; else there is nothing to know.
        if event not in _HELD or (
            event == REJECTED and not (name and name[1] in self._ids)
        ):
            return
        record = parse_record(line, parse)
        if record and record["event"] in _HELD:
            self._records.append(record)
            if name:
                self._ids.add(name[1])

    def _numbers(self, events: Iterable[str]) -> set[int]:
        return {self._numbered[each] for each in events if each in self._numbered}

    def _read(
        self, numbers: Iterable[int], events: Container[str], suits: Suits
    ) -> Iterator[dict[str, Any]]:
        """Yield the records on the lines *numbers* that *suits* passes."""
        begins = [self._begins[number] for number in numbers]
        if not begins:
            return
        with self.path.open("rb") as file:
            parse = parser(os.fstat(file.fileno()).st_size)
            for begin in begins:
                file.seek(begin)
                line = plain_stored_line(file.readline(), self.path)
                if suits(line):
                    record = parse_record(line, parse)
                    # Another file may have taken its place just now.
                    if record.get("event") in events:
                        yield record


def _key(name: bytes) -> int:
    """Return a number for *name*, which others may have as well."""
    return crc32(name)
