"""What happened and why, one JSON record a line, only ever appended to."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from strata.workspace import stored
from strata.workspace.folders import clear_errors, make_private_folder, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    Suits = Callable[[bytes], object]
    # Which file it is, when it was written last, and its size.
    State = tuple[int, int, int]

# Of so many bytes, a few years of talk, a faster parser saves more than it takes to load.
_LARGE = 2_000_000
# A quote within a text is written with a backslash, so these are keys.
_NAMED = re.compile(rb'"(?:id|day)"\s*:\s*"([^"]*)"')
# So many bytes before a place tell a journal from another: a run's name is among them.
_MARK = 256
_CAPTURED = "captured"
# How we begin a record; one that begins otherwise is looked through.
_BEGIN = re.compile(rb'\{"event": ?"(\w+)"')


T = TypeVar("T")


def while_it_stays(read: Callable[[Path, State], T], path: Path, nothing: T) -> T:
    """
    Return what *read*, which keeps its answers, makes of the journal *path* as it is.

    Where there is none, or it cannot be read, that is *nothing*.
    """
    try:
        state = path.stat()
        return read(path, (state.st_ino, state.st_mtime_ns, state.st_size))
    except OSError:
        return nothing


class Journal:
    """The journal in *path*; a lost one costs history, never memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        """Write *records* so that they survive a power cut, or raise."""
        make_private_folder(self.path.parent)
        lines = [f"{_dump(record)}\n".encode() for record in records]
        with clear_errors(self.path):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "r+b") as file:
                if _is_torn(file.fileno()):
                    file.write(b"\n")
                file.write(stored.lines_to_store(lines, self.path))
                file.flush()
                os.fsync(file.fileno())

    def records(
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        """
        Yield the records of *events* from the oldest on; skip lines that are damaged.

        Lines that *suits* does not pass need not be read, and are left out.
        """
        return (record for _, record in self.placed(*events, suits=suits))

    def naming(self, names: AbstractSet[str], *events: str) -> Iterator[dict[str, Any]]:
        """
        Yield the records of *events* about *names*, the oldest first.

        A name is the day of what was captured, and the id of anything else.
        """
        wanted = {each.encode("utf-8", "surrogatepass") for each in names}

        def may_be(line: bytes) -> bool:
            return not wanted.isdisjoint(_NAMED.findall(line))

        found = self.records(*events, suits=may_be) if names else iter(())
        return (each for each in found if name_of(each) in names)

    def placed(
        self, *events: str, start: int = 0, suits: Suits | None = None
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """
        Yield the records of *events* whose lines begin at byte *start* or behind it.

        With each comes the byte at which its line ends, where another may begin.
        """
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise unreadable(self.path, error) from None
        names = {event.encode() for event in events}
        with file:
            file.seek(start)
            stretch = _Stretch(file, start)
            parse = parser(os.fstat(file.fileno()).st_size - start)
            # As bytes, so that a damaged line is one bad line and not the end of the
            # file; and most need not be parsed, which takes longer than all the rest.
            for stands in stretch:
                begun = _BEGIN.match(stands)
                if begun and begun[1] not in names:
                    continue
                line = stored.plain_stored_line(stands, self.path)
                if _may_be_of(names, line) and (suits is None or suits(line)):
                    record = parse_record(line, parse)
                    if record.get("event") in events:
                        yield stretch.end, record


class _Stretch:
    """The lines of *file*, and where the last one that was read has its *end*."""

    def __init__(self, file: BinaryIO, end: int) -> None:
        self._file = file
        self.end = end

    def __iter__(self) -> Iterator[bytes]:
        for line in self._file:
            self.end += len(line)
            yield line


class Draft(Journal):
    """A journal whose new records are read as all others are, and not on disk yet."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal.path)
        self.new: list[dict[str, Any]] = []

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        self.new += records

    def records(
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        yield from super().records(*events, suits=suits)
        yield from (each for each in self.new if each["event"] in events)


def _may_be_of(names: set[bytes], line: bytes) -> bool:
    begun = _BEGIN.match(line)
    return begun[1] in names if begun else any(b'"%s"' % name in line for name in names)


def name_of(record: Mapping[str, Any]) -> str:
    """Return what *record* is about: the day of what was captured, else an id, or ""."""
    return str(record.get("day" if record.get("event") == _CAPTURED else "id") or "")


def is_whole(record: Mapping[str, Any]) -> bool:
    """Say whether *record* has the shape on which all who read it rely."""
    is_capture = record.get("event") == _CAPTURED
    return (
        isinstance(record.get("id") or "", str)
        and _is_table(record.get("sources"))
        and (not is_capture or _is_table(record.get("entries")))
    )


def _is_table(value: object) -> bool:
    if not value:
        return True
    return isinstance(value, list) and set(map(type, value)) <= {dict}


def parser(size: int) -> Callable[[bytes], object]:
    """Return what reads the lines of a journal of *size* bytes in the least time."""
    if size < _LARGE:
        # Not jsonlines: its import takes 25 ms, and a question may look in here.
        return json.loads
    import orjson  # noqa: PLC0415 - its import takes 20 ms, see above

    return orjson.loads


def parse_record(line: bytes, parse: Callable[[bytes], object]) -> dict[str, Any]:
    """Return the record on *line*, empty where a crash tore it, or it is none of ours."""
    try:
        found = parse(line)
    except ValueError:
        # What orjson refuses, such as half a sign, may still be read.
        return {} if parse is json.loads else parse_record(line, json.loads)
    except RecursionError:
        return {}
    if isinstance(found, dict) and "event" in found and is_whole(found):
        return found
    return {}


def _dump(record: dict[str, Any]) -> str:
    import orjson  # noqa: PLC0415 - a query reads no journal

    try:
        return orjson.dumps(record).decode()
    except orjson.JSONEncodeError:
        # It knows no half of a sign, as in the name of a file that is no UTF-8.
        return json.dumps(record)


def mark_before(file: BinaryIO, end: int) -> bytes:
    """
    Return the bytes of *file* that stand before *end*.

    Where they are others than before, another file has taken its place: the number of a
    file is given anew once it is gone.
    """
    start = max(end - _MARK, 0)
    file.seek(start)
    return file.read(end - start)


def _is_torn(descriptor: int) -> bool:
    """Say whether the last line was cut off by a crash."""
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
