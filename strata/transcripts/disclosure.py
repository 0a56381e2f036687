"""What of a conversation may be told: nothing off the record, and no secret."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from strata.models import IMPORTED
from strata.transcripts.announced import Announced
from strata.transcripts.archives import open_transcript
from strata.transcripts.entries import decode
from strata.transcripts.private import Privacy
from strata.transcripts.redaction import redact
from strata.transcripts.redaction.versions import version

if TYPE_CHECKING:
    from pathlib import Path

    from strata.models import Role
    from strata.sensitivity import Rules
    from strata.transcripts.maskings import Allowing

_HEAD_BYTES = 64 * 1024


class Disclosure:
    """
    Follows one conversation, message by message.

    *done* says that its secrets were taken out before it was written down.
    """

    def __init__(
        self, never: Rules, allowing: Allowing | None, *, done: bool = False
    ) -> None:
        self.privacy = Privacy()
        self.masked = partial(redact, allowed=allowing)
        self._done = done
        self._never = never
        self._announced = Announced(allowing)

    def told(self, role: Role, text: str) -> str:
        """Return the next message, of which privacy left *text*, without any secret."""
        if self._done:
            return self._never.removed(text)
        return self.masked(self._never.removed(self._announced.redacted(role, text)))

    def hear(self, role: Role, text: str) -> None:
        """Take note of a message, whether it was told or not: the next may answer it."""
        self._announced.hear(role, text)


def stamp(allowing: Allowing | None) -> str:
    """Return what changes whenever redaction would take out anything else."""
    return version().decode() + (allowing.state if allowing else "")


def is_done(file: Path, allowing: Allowing | None) -> bool:
    """Say whether the first line of the transcript *file* has the `stamp` of now."""
    with suppress(KeyError, TypeError):
        return bool(header_of(file)[IMPORTED]["redaction"] == stamp(allowing))
    return False


def header_of(file: Path) -> dict[str, Any]:  # Any: it is JSON
    """Return the first line of the transcript *file*, {} where it has none."""
    with suppress(OSError, ValueError), open_transcript(file) as stream:
        found = decode(stream.readline(_HEAD_BYTES))
        if isinstance(found, dict):
            return found
    return {}
