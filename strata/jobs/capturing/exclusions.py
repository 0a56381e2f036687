"""Which conversations the user told OpenClaw to keep out of memory; Strata obeys too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.models import SessionKind
from strata.workspace.openclaw import configuration
from strata.workspace.openclaw_config import listed_at

if TYPE_CHECKING:
    from pathlib import Path

    from strata.models import Session

REASON = "excluded by memoryPolicy"
_POLICY = (
    *("plugins", "entries", "memory-core", "config"),
    *("memoryPolicy", "excludeSessions"),
)
_LISTS = ("chatTypes", "channels")
_CHAT_TYPES = {
    SessionKind.DIRECT: {"direct"},
    SessionKind.GROUP: {"group", "channel"},
}


@dataclass(frozen=True, slots=True)
class Exclusions:
    """OpenClaw's ``memoryPolicy.excludeSessions``: kinds of chats, and channels."""

    chat_types: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()

    def cover(self, session: Session) -> bool:
        """Say whether *session* is to be kept out."""
        types = _CHAT_TYPES.get(session.kind, set())
        # A key of a channel is agent:<agent>:<channel>:<what>:<whom>.
        parts = session.key.lower().split(":")
        channel = parts[2] if len(parts) > 3 and parts[0] == "agent" else ""  # noqa: PLR2004
        return bool(types & self.chat_types) or channel in self.channels


def exclusions(state: Path) -> Exclusions:
    """Return what the configuration in *state* says."""
    configured = configuration(state)
    listed = (listed_at(configured, (*_POLICY, name)) for name in _LISTS)
    return Exclusions(*(frozenset(map(str.lower, each)) for each in listed))
