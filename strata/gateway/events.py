"""What the gateway tells us: which event, of which conversation; ids, never text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

EVENTS = ("session_end", "before_compaction", "heartbeat", "cron")


@dataclass(frozen=True, slots=True)
class GatewayEvent:
    """
    One event, named as OpenClaw names it.

    *session_id* is "" where the event is of no conversation; *job* names the scheduled
    job of a ``cron`` event; *time* is aware.
    """

    name: str
    time: datetime
    session_id: str = ""
    reason: str = ""
    job: str = ""
