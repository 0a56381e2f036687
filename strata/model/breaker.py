"""A model that fails again and again is left alone for a while, also by later runs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from strata.errors import DecryptionFailed
from strata.workspace import stored

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST_FAILURES = 3
PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class _State:
    model: str = ""
    failures: int = 0
    until: str = ""
    why: str = ""


class Breaker:
    """
    Counts failures in a row of *model* in *file*; at *now* it is open or not.

    Another model, named in the settings meanwhile, begins anew. When the pause is over
    one failure is enough to open it again.
    """

    def __init__(
        self,
        file: Path,
        write: Callable[[Path, bytes], None],
        *,
        model: str,
        now: datetime,
    ) -> None:
        self._file = file
        self._write = write
        self._now = now
        self._state = _load(file, model)

    @property
    def open_until(self) -> datetime | None:
        """When the model may be asked again, None for now."""
        if not self._state.until:
            return None
        until = datetime.fromisoformat(self._state.until)
        # A clock that was wrong, or one that a test set, must not close the way for good.
        if not self._now < until <= self._now + LONGEST_PAUSE:
            return None
        return until.astimezone(self._now.tzinfo)

    @property
    def why(self) -> str:
        """What went wrong the last time."""
        return self._state.why

    def succeed(self) -> None:
        """Note that the model answered as it should."""
        if self._state.failures:
            self._save(_State(self._state.model))

    def fail(self, why: str, *, at_least: timedelta = timedelta()) -> None:
        """Note that it did not; *at_least* is a pause that it asked for itself."""
        failures = self._state.failures + 1
        pause = PAUSE if failures >= MOST_FAILURES else timedelta()
        pause = min(max(pause, at_least), LONGEST_PAUSE)
        until = (self._now + pause).isoformat() if pause else ""
        self._save(_State(self._state.model, failures, until, why))

    def close(self) -> None:
        """Forget all failures, so that the model is asked again at once."""
        self._save(_State(self._state.model))

    def _save(self, state: _State) -> None:
        self._state = state
        self._write(self._file, json.dumps(asdict(state), ensure_ascii=False).encode())


def _load(file: Path, model: str) -> _State:
    try:
        state = _State(**json.loads(stored.read(file)))
        if state.until:
            datetime.fromisoformat(state.until)
        known = state.model == model and isinstance(state.failures, int)
    except (OSError, ValueError, TypeError, DecryptionFailed):
        known = False
    return state if known else _State(model)
