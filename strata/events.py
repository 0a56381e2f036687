"""What the gateway tells us: which event, of which conversation; ids, never text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from strata.errors import UsageError

# Of one conversation, whose words are to be in the notes at once.
OF_A_CONVERSATION = ("session_end", "before_reset", "before_compaction", "quiet")
# Of no conversation, and so of every agent unless one is named.
OF_ALL = ("gateway_start", "heartbeat", "cron")
EVENTS = OF_A_CONVERSATION + OF_ALL
# No event, but comes the same way: the owner asks or decides something in a chat.
COMMAND = "command"
# OpenClaw waits for the answer to these.
AWAITED = ("before_compaction",)

# What a scheduler may ask for.
SYNC = "memory-sync"
TIDY = "memory-tidy"
JOBS = (SYNC, TIDY)
# What it runs as a command of its own, because it sends what that prints.
DIGEST = "memory-digest"


@dataclass(frozen=True, slots=True)
class GatewayEvent:
    """
    One event, named as OpenClaw names it; ``quiet`` is of the plugin's own clock.

    *session_id* is "" where the event is of no conversation; *job* names the scheduled
    job of a ``cron`` event; *time* is aware.
    """

    name: str
    time: datetime
    session_id: str = ""
    reason: str = ""
    job: str = ""

    def record(self) -> dict[str, Any]:
        """Return the event as the spool keeps it."""
        return {
            "name": self.name,
            "time": self.time.isoformat(timespec="milliseconds"),
            "session": self.session_id,
            "reason": self.reason,
            "job": self.job,
        }


def event_from(record: dict[str, Any], *, now: datetime) -> GatewayEvent:
    """
    Return the event that *record* describes, which came *now* unless it says when.

    Raise `UsageError` where it is none that this version could ever handle.
    """
    name = str(record.get("name") or "")
    if name not in EVENTS:
        raise UsageError.of("usage.no-event", name=name, events=list(EVENTS))
    job = str(record.get("job") or "")
    if name == "cron":
        check_job(job)
    time = record.get("time")
    return GatewayEvent(
        name,
        datetime.fromisoformat(str(time)).astimezone(now.tzinfo) if time else now,
        str(record.get("session") or ""),
        str(record.get("reason") or ""),
        job,
    )


def check_job(job: str) -> None:
    """Raise `UsageError` where there is no *job*: it could never be done."""
    if job not in JOBS:
        raise UsageError.of("usage.no-job", job=job, jobs=list(JOBS))
