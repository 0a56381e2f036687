"""settle: what one conversation, or all of them, said goes to disk and can be found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import NotFound, OpenClawNotFound, TranscriptUnreadable
from strata.jobs.redo import redo_waiting
from strata.jobs.sync import SyncReport, sync
from strata.jobs.update import refresh

if TYPE_CHECKING:
    from strata.memory import Memory


def settle(memory: Memory, session_id: str = "") -> SyncReport:
    """
    Capture the conversation *session_id*, or all where it is ""; the index comes later.

    A single one stands in the notes at once: OpenClaw may wait for it, and no model may
    let it wait. What the rules wrote then, `redo_waiting` lets the model do again.
    An id without a transcript is no error: the gateway also reports the end of
    conversations that it never wrote down, and starts before there are any. Raise
    `TranscriptUnreadable` where the conversation that was named cannot be read.
    """
    try:
        report = sync(memory, only=session_id or None, hurry=bool(session_id))
    except (NotFound, OpenClawNotFound):
        return SyncReport()
    if session_id and report.problems:
        raise TranscriptUnreadable("; ".join(report.problems))
    return report


def settle_quiet(memory: Memory, session_id: str) -> str:
    """
    Capture the conversation *session_id*, in which nothing was said for a while.

    Return after how many minutes that is to happen; where that is 0, nothing happens.
    """
    minutes = memory.settings.capture_quiet_minutes
    if minutes:
        settle(memory, session_id)
    return str(minutes)


def catch_up(memory: Memory) -> SyncReport:
    """Settle all conversations, let a model do again what waits, and index the changes."""
    report = settle(memory)
    redone = redo_waiting(memory)
    refresh(memory, [*report.paths, *redone], say=lambda _line: None)
    return report
