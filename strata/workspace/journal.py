"""What happened and why, one JSON record a line, only ever appended to."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from strata.workspace import stored
from strata.workspace.folders import clear_errors, make_private_folder, unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    Suits = Callable[[bytes], bool]

# How we begin a record; one that begins otherwise is looked through.
_BEGIN = re.compile(rb'\{"event": ?"(\w+)"')


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
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise unreadable(self.path, error) from None
        names = {event.encode() for event in events}
        with file:
            # As bytes, so that a damaged line is one bad line and not the end of the
            # file; and most need not be parsed, which takes longer than all the rest.
            for line in stored.plain_lines(file, self.path):
                if _may_be_of(names, line) and (suits is None or suits(line)):
                    record = _parsed(line)
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
        self, *events: str, suits: Suits | None = None
    ) -> Iterator[dict[str, Any]]:
        yield from super().records(*events, suits=suits)
        yield from (each for each in self.new if each["event"] in events)


def _may_be_of(names: set[bytes], line: bytes) -> bool:
    begun = _BEGIN.match(line)
    return begun[1] in names if begun else any(b'"%s"' % name in line for name in names)


def is_whole(record: Mapping[str, Any]) -> bool:
    """Say whether *record* has the shape on which all who read it rely."""
    tables = [record.get("sources") or []]
    if record.get("event") == "captured":
        tables.append(record.get("entries") or [])
    return isinstance(record.get("id") or "", str) and all(
        isinstance(table, list) and all(isinstance(each, dict) for each in table)
        for table in tables
    )


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the record on *line*, empty where a crash tore it."""
    try:
        # Not jsonlines: its import takes 25 ms, and a question may look in here.
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
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
