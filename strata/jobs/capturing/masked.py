"""What redaction masked in a conversation: in the journal, for its owner to take back."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from strata.errors import NotAccepted
from strata.history.names import MASKED
from strata.messages import Notice
from strata.notes.entries import one_line
from strata.workspace.allowances import ALLOWED, DISALLOWED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.statements import Statement
    from strata.memory import Memory
    from strata.models import Message, Session

VERSION = 1
REASON = "it looks like a secret or a personal number"
TAKEN_BACK = "you said that it is no secret"


def masked_records(session: Session, message: Message) -> Iterator[dict[str, Any]]:
    """
    Yield a record of each masking in *message*; none of them holds a value.

    The same value has the same id wherever it stands, as far as it may be hashed at all.
    """
    for masking in message.masked:
        words = one_line(masking.words)
        place = f"{session.id}\x1f{message.id}\x1f{words}"
        key = masking.digest or place
        yield {
            "event": MASKED,
            "version": VERSION,
            "at": message.time.isoformat(timespec="seconds"),
            "id": hashlib.sha256(f"masked\x1f{key}".encode()).hexdigest()[:12],
            "text": words,
            "masked": masking.kind,
            "digest": masking.digest,
            "dimension": "masked" if masking.digest else "masked_short",
            "reason": REASON,
            "origin": message.origin.value,
            "session": session.id,
            "message": message.id,
        }


def allow(memory: Memory, found: Statement, action: str) -> None:
    """
    Let the value that *found* tells of be kept from now on, or no longer.

    Raise `NotAccepted` where the journal does not know the value well enough.
    """
    digest = str(found.record.get("digest") or "")
    if action not in {"accept", "decline"}:
        raise NotAccepted(Notice("review.masked-no-edit"))
    if not digest:
        raise NotAccepted(Notice("review.masked-too-short"))
    change = {"event": DISALLOWED, "dimension": "masked", "reason": REASON}
    if action == "accept":
        change = {"event": ALLOWED, "dimension": ALLOWED, "reason": TAKEN_BACK}
    at = memory.now.isoformat(timespec="seconds")
    memory.journal.append([{**found.record, "at": at, **change}])
    memory.__dict__.pop("allowances", None)
