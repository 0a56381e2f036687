"""What of a conversation may be told: nothing off the record, and no secret."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from strata.transcripts.announced import Announced
from strata.transcripts.private import Privacy
from strata.transcripts.redaction import redact

if TYPE_CHECKING:
    from strata.models import Role
    from strata.sensitivity import Rules
    from strata.transcripts.maskings import Allowing


class Disclosure:
    """Follows one conversation, message by message; *privacy* is how it stands so far."""

    def __init__(
        self, never: Rules, allowing: Allowing | None, privacy: Privacy | None = None
    ) -> None:
        self.privacy = privacy or Privacy()
        self.masked = partial(redact, allowed=allowing)
        self._never = never
        self._announced = Announced(allowing)

    def told(self, role: Role, text: str) -> str:
        """Return the next message, of which privacy left *text*, without any secret."""
        return self.masked(self._never.removed(self._announced.redacted(role, text)))

    def hear(self, role: Role, text: str) -> None:
        """Take note of a message, whether it was told or not: the next may answer it."""
        self._announced.hear(role, text)
