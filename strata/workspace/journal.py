"""What happened and why, one JSON record a line, only ever appended to."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from strata.workspace import stored
from strata.workspace.folders import clear_errors, make_private_folder, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

# Of so many bytes, a few years of talk, a faster parser saves more than it takes to load.
_LARGE = 2_000_000


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
        self, *events: str, holding: Collection[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """
        Yield the records of *events* from the oldest on; skip lines that are damaged.

        With *holding*, only those whose lines hold one of these days, wherever.
        """
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise unreadable(self.path, error) from None
        named, held = _naming(events), _naming_any(holding)
        with file:
            parsed = _parser(os.fstat(file.fileno()).st_size)
            # As bytes, so that a damaged line is one bad line and not the end of the
            # file; and most need not be parsed, which takes longer than all the rest.
            for line in stored.plain_lines(file, self.path):
                if named.search(line) and held.search(line):
                    record = _parsed(line, parsed)
                    if record.get("event") in events and is_whole(record):
                        yield record


class Draft(Journal):
    """A journal whose new records are read as all others are, and not on disk yet."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal.path)
        self.new: list[dict[str, Any]] = []

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        self.new += records

    def records(
        self, *events: str, holding: Collection[str] = ()
    ) -> Iterator[dict[str, Any]]:
        yield from super().records(*events, holding=holding)
        yield from (each for each in self.new if each["event"] in events)


def is_whole(record: Mapping[str, Any]) -> bool:
    """Say whether *record* has the shape on which all who read it rely."""
    is_capture = record.get("event") == "captured"
    return (
        isinstance(record.get("id") or "", str)
        and _is_table(record.get("sources"))
        and (not is_capture or _is_table(record.get("entries")))
    )


def _is_table(value: object) -> bool:
    if not value:
        return True
    return isinstance(value, list) and set(map(type, value)) <= {dict}


@cache
def _naming(events: tuple[str, ...]) -> re.Pattern[bytes]:
    """Return what finds the lines that can be of *events*: one look for all of them."""
    names = "|".join(re.escape(event) for event in events)
    return re.compile(rf'"event"\s*:\s*"(?:{names})"'.encode())


def _naming_any(texts: Collection[str]) -> re.Pattern[bytes]:
    return re.compile("|".join(map(re.escape, texts)).encode())


def _parser(size: int) -> Callable[[bytes], object]:
    """Return what reads the lines of a journal of *size* bytes in the least time."""
    if size < _LARGE:
        return json.loads
    import orjson  # noqa: PLC0415 - its import takes 20 ms, and a question may look in

    return orjson.loads


def _parsed(line: bytes, parsed: Callable[[bytes], object]) -> dict[str, Any]:
    """Return the record on *line*, empty where a crash tore it."""
    try:
        found = parsed(line)
    except ValueError:
        # What orjson refuses, such as half a sign, may still be read.
        found = {} if parsed is json.loads else _parsed(line, json.loads)
    except RecursionError:
        found = {}
    return found if isinstance(found, dict) else {}


def _dump(record: dict[str, Any]) -> str:
    import orjson  # noqa: PLC0415 - a query reads no journal

    try:
        return orjson.dumps(record).decode()
    except orjson.JSONEncodeError:
        # It knows no half of a sign, as in the name of a file that is no UTF-8.
        return json.dumps(record)


def _is_torn(descriptor: int) -> bool:
    """Say whether the last line was cut off by a crash."""
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
