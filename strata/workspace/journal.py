"""What happened and why, one JSON record a line, only ever appended to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from strata.workspace import stored
from strata.workspace.folders import clear_errors, make_private_folder, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


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

    def records(self, *events: str) -> Iterator[dict[str, Any]]:
        """Yield the records of *events* from the oldest on; skip lines that are damaged."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise unreadable(self.path, error) from None
        names = [f'"{event}"'.encode() for event in events]
        with file:
            # As bytes, so that a damaged line is one bad line and not the end of the
            # file; and most need not be parsed, which takes longer than all the rest.
            for line in stored.plain_lines(file, self.path):
                if any(name in line for name in names):
                    record = parse_record(line)
                    if record.get("event") in events:
                        yield record


class Draft(Journal):
    """A journal whose new records are read as all others are, and not on disk yet."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal.path)
        self.new: list[dict[str, Any]] = []

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        self.new += records

    def records(self, *events: str) -> Iterator[dict[str, Any]]:
        yield from super().records(*events)
        yield from (each for each in self.new if each["event"] in events)


def is_whole(record: Mapping[str, Any]) -> bool:
    """Say whether *record* has the shape on which all who read it rely."""
    tables = [record.get("sources") or []]
    if record.get("event") == "captured":
        tables.append(record.get("entries") or [])
    return isinstance(record.get("id") or "", str) and all(
        isinstance(table, list) and all(isinstance(each, dict) for each in table)
        for table in tables
    )


def parse_record(line: bytes) -> dict[str, Any]:
    """Return the record on *line*, empty where a crash tore it, or it is none of ours."""
    try:
        # Not jsonlines: its import takes 25 ms, and a question may look in here.
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    whole = isinstance(found, dict) and "event" in found and is_whole(found)
    return found if whole else {}


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
