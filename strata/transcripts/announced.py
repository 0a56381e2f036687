"""A secret that one message asks for or announces, and another one tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.transcripts.redaction import find_secrets, redact, replaced
from strata.transcripts.redaction.learned import READ_BEFORE, opening
from strata.transcripts.redaction.recovery import speaks_of_phrase

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.models import Role

# So many messages after one that speaks of a recovery phrase may hold its words alone.
_TURNS_ON_PHRASE, _PHRASE_LEAD = 3, "metamask.\n"


class Announced:
    """Follows one conversation, and takes out what opens something by what came before."""

    def __init__(self, allowed: Callable[[str], bool] | None = None) -> None:
        self._allowed = allowed or (lambda _: False)
        self._said: dict[Role, str] = {}
        self._on_phrase = 0

    def hear(self, role: Role, text: str) -> None:
        """Take note of how a message ends."""
        if text:
            self._said[role] = text[-READ_BEFORE:]
            spoken = speaks_of_phrase(text)
            self._on_phrase = (
                _TURNS_ON_PHRASE if spoken else max(self._on_phrase - 1, 0)
            )

    def redacted(self, role: Role, text: str) -> str:
        """Return *text* without what opens something, by all that was said around it."""
        if role == "tool":
            return text
        if role == "user" and self._on_phrase:
            told = redact(_PHRASE_LEAD + text, self._allowed)
            text = told.removeprefix(_PHRASE_LEAD)
        other: Role = "assistant" if role == "user" else "user"
        found = [*opening(text, [self._said.get(each, "") for each in (role, other)])]
        if not found:
            return text
        # Of what a rule finds it knows the whole, and what it is.
        ruled = find_secrets(text, self._allowed)
        return replaced(
            text,
            [
                each
                for each in found
                if not any(each.meets(one) for one in ruled)
                and not self._allowed(text[each.start : each.end])
            ],
        )
