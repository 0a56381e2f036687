"""Which statements were asked for, and on which days; never what the question was."""

from __future__ import annotations

import os
import re
import zlib
from collections import Counter
from typing import TYPE_CHECKING

from strata.notes.marks import spoken
from strata.workspace import stored
from strata.workspace.folders import clear_errors, make_private_folder
from strata.workspace.replacing import draft, swap

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from pathlib import Path

# About 20,000 questions; of more than that the older half is let go.
LARGEST_BYTES = 1_000_000
# The same statement has the same key in a note, in its week and in MEMORY.md.
_MARKS = re.compile(r"[\W_]+")


def recall_key(line: str) -> str:
    """Return the key of what *line* says: eight hex digits, quick to have."""
    said = _MARKS.sub("", spoken(line)).casefold()
    return f"{zlib.crc32(said.encode('utf-8', 'surrogatepass')):08x}"


class Recalls:
    """One line a question in *path*: its day, and the keys of what was found for it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, day: date, keys: Iterable[str]) -> None:
        """Note that *keys* were found on *day*; many processes may do so at once."""
        make_private_folder(self.path.parent)
        line = " ".join([day.isoformat(), *keys]) + "\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with clear_errors(self.path):
            descriptor = os.open(self.path, flags, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(stored.lines_to_store([line.encode()], self.path))
                full = file.tell() > LARGEST_BYTES
            if full:
                self._halve()

    def days(self, *, before: date) -> dict[str, int]:
        """Return on how many days *before* a day each key was found."""
        found: dict[str, set[str]] = {}
        for line in self._lines():
            day, *keys = line.split()
            if day < before.isoformat():
                for each in keys:
                    found.setdefault(each, set()).add(day)
        return {name: len(days) for name, days in found.items()}

    def per_day(self) -> Counter[str]:
        """Return how many questions found something on each day, in ISO 8601."""
        return Counter(line.split()[0] for line in self._lines())

    def _lines(self) -> list[str]:
        try:
            text = stored.read(self.path).decode("utf-8", "replace")
        except OSError:
            return []
        return [line for line in text.splitlines() if line.strip()]

    def _halve(self) -> None:
        lines = self._lines()
        text = "".join(f"{line}\n" for line in lines[len(lines) // 2 :])
        content = stored.to_store(text.encode(), self.path)
        swap(draft(self.path.parent, content, mode=0o600), self.path)
