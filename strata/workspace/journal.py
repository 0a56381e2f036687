"""What happened and why, one JSON record a line, only ever appended to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import jsonlines

from strata.workspace.folders import clear_errors, make_private_folder, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class Journal:
    """The journal in *path*; a lost one costs history, never memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, records: Iterable[dict[str, Any]]) -> None:
        """Write *records* so that they survive a power cut, or raise."""
        make_private_folder(self.path.parent)
        with clear_errors(self.path):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "r+b") as file:
                if _is_torn(file.fileno()):
                    file.write(b"\n")
                lines = "".join(f"{_dump(record)}\n" for record in records)
                file.write(lines.encode())
                file.flush()
                os.fsync(file.fileno())

    def records(self, *events: str) -> Iterator[dict[str, Any]]:
        """Yield the records of *events* from the oldest on; skip lines a crash tore."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return
        except OSError as error:
            raise unreadable(self.path, error) from None
        # As bytes, so that a damaged line is one bad line and not the end of the file.
        with file, jsonlines.Reader(file) as lines:
            for record in lines.iter(type=dict, skip_invalid=True, skip_empty=True):
                if record.get("event") in events:
                    yield record


def _dump(record: dict[str, Any]) -> str:
    import orjson  # noqa: PLC0415 - a query reads no journal

    return orjson.dumps(record).decode()


def _is_torn(descriptor: int) -> bool:
    """Say whether the last line was cut off by a crash."""
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
