"""Answers that were paid for, kept so that the same question is never paid for twice."""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT_SECONDS = 90 * 86_400.0


class Cache:
    """One file an answer in *folder*, which may be deleted at any time."""

    def __init__(self, folder: Path, write: Callable[[Path, bytes], None]) -> None:
        self._folder = folder
        self._write = write
        self._is_swept = False

    def find(self, *question: str) -> str | None:
        """Return the answer to *question*, or None where there is none."""
        try:
            return stored.read(self._file(question)).decode("utf-8")
        except (OSError, UnicodeDecodeError, DecryptionFailed):
            return None

    def keep(self, answer: str, *question: str) -> None:
        """Keep *answer* for as long as the question is likely to come up again."""
        self._write(self._file(question), answer.encode())
        if not self._is_swept:
            self._sweep()

    def _file(self, question: tuple[str, ...]) -> Path:
        whole = json.dumps(question).encode()
        return self._folder / f"{hashlib.sha256(whole).hexdigest()}.json"

    def _sweep(self) -> None:
        self._is_swept = True
        oldest = time.time() - KEPT_SECONDS
        for file in self._folder.glob("*.json"):
            with suppress(FileNotFoundError):
                if file.stat().st_mtime < oldest:
                    file.unlink()
