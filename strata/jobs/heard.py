"""What was said in conversations, and what became of it there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.history.names import CAPTURED
from strata.jobs.forgetting.keeping import unforgotten
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.sync import unsettled
from strata.models import Origin
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from strata.memory import Memory
    from strata.models import Message, Session
    from strata.transcripts.openclaw import Transcripts
    from strata.workspace.seen import Glance

# Why a glance has nothing to add where the conversation was read to its end.
_READ = "nothing new"
# Conversations enough to say what became of a statement.
_MOST = 3


@dataclass(frozen=True, slots=True)
class Heard:
    """
    A message that says what was asked about, and its *fate*.

    That is skipped, elsewhere, not-settled, not-yours, left-out or not-worth; *by* says why
    the conversation was skipped, whose memory has it, or who judged.
    """

    session: Session
    message: Message
    fate: str
    by: str = ""


def heard(memory: Memory, says: Callable[[str], bool]) -> list[Heard]:
    """Return what of the latest conversations *says* it, one message of each."""
    with suppress(OpenClawNotFound, UnsupportedStore):
        return list(_heard(memory, says))
    return []


def _heard(memory: Memory, says: Callable[[str], bool]) -> Iterator[Heard]:
    seen = Seen(memory.private.workspace, under="")
    transcripts, found = memory.transcripts(seen.kinds), 0
    known = recogniser(memory)
    for session in reversed(transcripts.sessions()):
        glance = seen.glances.get(session.id)
        if memory.parent and (glance is None or glance.scope != memory.scope):
            # What others said is not for whoever asks here.
            continue
        with suppress(TranscriptUnreadable):
            messages = transcripts.read(session, says=says)
            if known:
                left = unforgotten(known, session.id, messages)
                messages = (each for each in left if says(each.text))
            if message := _telling(messages):
                yield _judged(memory, transcripts, session, message, glance)
                found += 1
        if found == _MOST:
            return


def _telling(messages: Iterable[Message]) -> Message | None:
    """Return the last of *messages*, one of the owner's before all others."""
    last: Message | None = None
    for message in messages:
        if message.role == "tool":
            continue
        if last is None or _is_owners(message) or not _is_owners(last):
            last = message
    return last


def _is_owners(message: Message) -> bool:
    return message.origin is Origin.OWNER


def _judged(
    memory: Memory,
    transcripts: Transcripts,
    session: Session,
    message: Message,
    glance: Glance | None,
) -> Heard:
    record = _covering(memory, session, message)
    apart = glance.scope if glance else ""
    if apart and not memory.parent:
        return Heard(session, message, "elsewhere", apart)
    if glance and glance.reason != _READ:
        return Heard(session, message, "skipped", glance.reason)
    if record is None and (glance is None or session.id in unsettled(memory)):
        return Heard(session, message, "not-settled")
    if not (_is_owners(message) or memory.parent):
        return Heard(session, message, "not-yours", message.origin.value)
    if record and record.get("material"):
        return Heard(session, message, "not-worth", _model_of(record))
    kept = _is_found(memory, transcripts, session, message)
    return Heard(session, message, "left-out" if kept else "not-worth")


def _covering(
    memory: Memory, session: Session, message: Message
) -> dict[str, Any] | None:
    """Return the journal's last record of the block that *message* went into, if any."""
    found = None
    for record in memory.journal.records(CAPTURED):
        if record.get("session") == session.id and (
            record.get("first", 0) <= message.number <= record.get("last", 0)
        ):
            # A block is written anew when its stretch goes on, or a model has answered.
            found = record
    return found


def _model_of(record: dict[str, Any]) -> str:
    return next(
        (str(each["model"]) for each in record["entries"] if "model" in each), ""
    )


def _is_found(
    memory: Memory, transcripts: Transcripts, session: Session, message: Message
) -> bool:
    """Say whether whoever finds what is worth a note finds something in *message*."""
    facts = memory.plugins.hook.extract_facts(
        messages=transcripts.read(session), timezone=memory.timezone
    )
    return any(
        each.message_id == message.id for fact in facts or () for each in fact.evidence
    )
