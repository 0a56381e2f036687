"""Events that have not been handled yet, kept on disk so that none is lost."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from strata.workspace.folders import clear_errors, make_private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

VERSION = 1
ATTEMPTS = 5
# How long a record waits after its first, second … failure.
BACKOFF_SECONDS = (1.0, 5.0, 30.0, 600.0)


@dataclass(frozen=True, slots=True)
class Spooled:
    """One record in the spool: *content* as it was given, and how it fared so far."""

    name: str
    content: dict[str, Any]
    attempts: int = 0
    not_before: float = 0.0
    errors: tuple[str, ...] = field(default=())


@dataclass(slots=True)
class Spool:
    """The records in *folder*; those that failed too often lie in ``failed``."""

    folder: Path
    write: Callable[[Path, bytes], None]
    now: Callable[[], float] = time.time

    def add(self, content: dict[str, Any]) -> Spooled:
        """Keep *content* so that it survives a power cut, or raise."""
        # Nanoseconds lead, so that names sort in the order in which events came.
        record = Spooled(f"{time.time_ns():020d}-{os.urandom(4).hex()}.json", content)
        self._save(record)
        return record

    def pending(self) -> list[Spooled]:
        """Return what is to be handled, the oldest first."""
        return list(self._records(self.folder))

    def set_aside(self) -> list[Spooled]:
        """Return what failed too often."""
        return list(self._records(self.folder / "failed"))

    def unreadable(self) -> list[str]:
        """Return the names of what was set aside because it is no record."""
        folder = self.folder / "failed"
        known = {record.name for record in self.set_aside()}
        return sorted({path.name for path in folder.glob("*.json")} - known)

    def forget(self, names: Iterable[str]) -> None:
        """Remove what is no record, and so could never be handled."""
        for name in names:
            (self.folder / "failed" / name).unlink(missing_ok=True)

    def done(self, record: Spooled) -> None:
        """Forget *record*, which has been handled."""
        with clear_errors(self.folder):
            (self.folder / record.name).unlink(missing_ok=True)

    def failed(self, record: Spooled, error: str) -> Spooled:
        """Keep *record* for another attempt, or set it aside after the last one."""
        attempts = record.attempts + 1
        wait = BACKOFF_SECONDS[min(attempts, len(BACKOFF_SECONDS)) - 1]
        later = replace(
            record,
            attempts=attempts,
            not_before=self.now() + wait,
            errors=(*record.errors, error)[-ATTEMPTS:],
        )
        self._save(later)
        if attempts >= ATTEMPTS:
            self._put_aside(record.name)
        return later

    def refuse(self, record: Spooled, error: str) -> None:
        """Set *record* aside at once: trying it again could not help."""
        self._save(replace(record, attempts=ATTEMPTS, errors=(error,)))
        self._put_aside(record.name)

    def retry(self) -> int:
        """Give what was set aside, and what waits, a fresh chance; say how many."""
        again = [*self.set_aside(), *self.pending()]
        for record in again:
            self._save(replace(record, attempts=0, not_before=0.0))
            (self.folder / "failed" / record.name).unlink(missing_ok=True)
        return len(again)

    def _save(self, record: Spooled) -> None:
        content = {
            "version": VERSION,
            "event": record.content,
            "attempts": record.attempts,
            "not_before": record.not_before,
            "errors": list(record.errors),
        }
        text = json.dumps(content, ensure_ascii=False)
        self.write(self.folder / record.name, text.encode())

    def _put_aside(self, name: str) -> None:
        make_private_folder(self.folder / "failed")
        with clear_errors(self.folder):
            (self.folder / name).replace(self.folder / "failed" / name)

    def _records(self, folder: Path) -> Iterator[Spooled]:
        if not folder.is_dir():
            return
        for path in sorted(folder.glob("*.json")):
            record = _read(path)
            if record is not None:
                yield self._by_this_clock(record)
            elif folder == self.folder and path.exists():
                self._put_aside(path.name)

    def _by_this_clock(self, record: Spooled) -> Spooled:
        """Let no record wait for a clock that has been set back since."""
        too_long = record.not_before - self.now() > max(BACKOFF_SECONDS)
        return replace(record, not_before=0.0) if too_long else record


def _read(path: Path) -> Spooled | None:
    """Return the record in *path*, or None where it is gone or is none."""
    try:
        stored = json.loads(path.read_bytes())
        if stored["version"] != VERSION:
            return None
        return Spooled(
            path.name,
            dict(stored["event"]),
            int(stored["attempts"]),
            float(stored["not_before"]),
            tuple(str(error) for error in stored["errors"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
