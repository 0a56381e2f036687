"""Which statements were asked for, and on which days; never what the question was."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from strata.workspace.folders import clear_errors, make_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from pathlib import Path

# About 20,000 questions; of more than that the older half is let go.
LARGEST_BYTES = 1_000_000


class Recalls:
    """One line a question in *path*: its day, and the ids of what was found for it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, day: date, ids: Iterable[str]) -> None:
        """Note that *ids* were found on *day*; many processes may do so at once."""
        make_private_folder(self.path.parent)
        line = " ".join([day.isoformat(), *ids]) + "\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with clear_errors(self.path):
            descriptor = os.open(self.path, flags, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(line.encode())
                full = file.tell() > LARGEST_BYTES
            if full:
                self._halve()

    def days(self, *, before: date) -> dict[str, int]:
        """Return on how many days *before* a day each id was found."""
        found: dict[str, set[str]] = {}
        for line in self._lines():
            day, *ids = line.split()
            if day < before.isoformat():
                for each in ids:
                    found.setdefault(each, set()).add(day)
        return {name: len(days) for name, days in found.items()}

    def _lines(self) -> list[str]:
        try:
            text = self.path.read_text("utf-8", errors="replace")
        except OSError:
            return []
        return [line for line in text.splitlines() if line.strip()]

    def _halve(self) -> None:
        lines = self._lines()
        draft = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        draft.write_text("".join(f"{line}\n" for line in lines[len(lines) // 2 :]))
        draft.chmod(0o600)
        draft.replace(self.path)
