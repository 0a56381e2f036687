"""Where OpenClaw's own transcripts still say it: they are read and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.notes.sayings import contains, words_of
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.forgetting.choosing import Chosen
    from strata.jobs.forgetting.target import Target
    from strata.memory import Memory
    from strata.models import Session
    from strata.transcripts.openclaw import Transcripts


@dataclass(frozen=True, slots=True)
class Remaining:
    """A conversation that OpenClaw keeps, and in how many messages it says it."""

    session: str
    key: str
    messages: int


def remaining(memory: Memory, target: Target, chosen: Chosen) -> list[Remaining]:
    """Return the conversations in which *target*, or what it rests on, was said."""
    try:
        seen = Seen(memory.private.workspace, under="")
        transcripts = memory.transcripts(seen.kinds)
        sessions = transcripts.sessions()
    except (OpenClawNotFound, UnsupportedStore):
        return []
    found = (_remaining(transcripts, each, target, chosen) for each in sessions)
    return [each for each in found if each.messages]


def _remaining(
    transcripts: Transcripts, session: Session, target: Target, chosen: Chosen
) -> Remaining:
    cited = {message for name, message in chosen.evidence if name == session.id}
    try:
        said = set(_saying(transcripts, session, target, chosen))
    except TranscriptUnreadable:
        said = set()
    return Remaining(session.id, session.key, len(said | cited))


def _saying(
    transcripts: Transcripts, session: Session, target: Target, chosen: Chosen
) -> Iterator[str]:
    whole = session.id in chosen.sessions
    if (target.session and not whole) or not _overlaps(session, target):
        return
    for message in transcripts.read(session):
        if target.since and target.until:
            whole = target.since <= message.time < target.until
        if whole or (target.words and contains(words_of(message.text), target.words)):
            yield message.id


def _overlaps(session: Session, target: Target) -> bool:
    """Say whether anything of *session* can be of the time that is meant."""
    if not target.since or not target.until:
        return True
    return session.updated_at >= target.since and session.started_at < target.until
