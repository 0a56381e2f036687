"""The journal for who asks again and again: its lines are found, not looked through."""

from __future__ import annotations

import os
import re
from array import array
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from zlib import crc32

from strata.history.names import CAPTURED, REJECTED
from strata.history.projection import OF_FATES
from strata.workspace.journal import Journal, mark_before, name_of, parse_record, parser
from strata.workspace.stored import plain_stored_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path
    from typing import BinaryIO

    from strata.workspace.journal import Suits

_HELD = frozenset(OF_FATES)
# A quote within a text is written with a backslash, so these are keys.
_EVENT = re.compile(rb'"event"\s*:\s*"(\w+)"')
_ID = re.compile(rb'"id"\s*:\s*"([^"]*)"')
_DAY = re.compile(rb'"day"\s*:\s*"([^"]*)"')


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
        self._forget()

    def records(
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the records of *events*; those that are not kept are read from the file."""
        if suits or not _HELD.issuperset(events):
            return self._read(events, suits or bool)
        self.catch_up()
        return (each for each in self._records if each["event"] in events)

    def naming(self, names: AbstractSet[str], *events: str) -> Iterator[dict[str, Any]]:
        """Yield the records of *events* about *names*, what was rejected as well."""
        found = self._read(events, bool, names) if names else iter(())
        return (each for each in found if name_of(each) in names)

    def catch_up(self) -> None:
        """Take in what was appended; keep nothing of a file that is no longer there."""
        with self._caught_up():
            pass

    @contextmanager
    def _caught_up(self) -> Iterator[BinaryIO | None]:
        """Open the journal with all of it taken in; None where there is none."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            self._forget()
            yield None
            return
        with file:
            if mark_before(file, self._end) != self._mark:
                self._forget()
            file.seek(self._end)
            parse = parser(os.fstat(file.fileno()).st_size - self._end)
            for begin, line in self._whole_lines(file):
                self._take(begin, plain_stored_line(line, self.path), parse)
            self._mark = mark_before(file, self._end)
            yield file

    def _forget(self) -> None:
        self._end, self._mark = 0, b""
        self._records: list[dict[str, Any]] = []
        self._ids: set[bytes] = set()
        # Of each line where it begins, the number of its event, and what it is about.
        self._begins, self._events, self._about = array("Q"), array("H"), array("L")
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
        name = (_DAY if event == CAPTURED else _ID).search(line)
        self._begins.append(begin)
        self._events.append(self._numbered.setdefault(event, len(self._numbered)))
        # Others may have the same number as well.
        self._about.append(crc32(name[1] if name else b""))
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

    def _read(
        self, events: Sequence[str], suits: Suits, names: Iterable[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield what *suits* passes of *events*, of *names* and a few others if given."""
        # By one file: another may take its place meanwhile.
        with self._caught_up() as file:
            if file is None:
                return
            parse = parser(os.fstat(file.fileno()).st_size)
            for begin in self._places(events, names):
                file.seek(begin)
                line = plain_stored_line(file.readline(), self.path)
                if suits(line):
                    record = parse_record(line, parse)
                    if record.get("event") in events:
                        yield record

    def _places(self, events: Iterable[str], names: Iterable[str] | None) -> list[int]:
        """Return where the lines begin that `_read` looks at."""
        wanted = {self._numbered[each] for each in events if each in self._numbered}
        numbers: Iterable[int] = range(len(self._begins))
        if names is not None:
            keys = {crc32(each.encode("utf-8", "surrogatepass")) for each in names}
            numbers = (n for n, about in enumerate(self._about) if about in keys)
        return [self._begins[n] for n in numbers if self._events[n] in wanted]
