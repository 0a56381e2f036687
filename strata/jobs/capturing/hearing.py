"""What is heard of a conversation: who may drop a message, and what is set apart."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from strata.history.ledger import statement_id
from strata.history.names import DOUBTFUL, MASKED, QUARANTINED
from strata.jobs.capturing.masked import masked_records
from strata.models import Origin
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from strata.language.quarantine import Attempt
    from strata.memory import Memory
    from strata.models import Fact, Message, Session

VERSION = 1
LONGEST = 240
# What is longer is hardly a wish.
_SHORT = 160
_REASONS = {
    "hidden": "it is written in letters that no screen shows",
    "orders": "it gives orders to assistants, and the owner did not write it",
    "forged": "it imitates the form of memory itself",
    "doubtful": "it may not be the owner's own word, by what was said around it",
    "rule": "it lays down a rule, and the owner did not write it",
}


class Hearing:
    """Hears conversations; what would steer memory from outside is kept apart."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._foreign: dict[str, Message] = {}
        self._found: list[dict[str, Any]] = []

    def messages(self, session: Session, said: Iterable[Message]) -> Iterator[Message]:
        """Yield those of *said* that no plugin drops."""
        # Its patterns take longer to compile than a sync that reads nothing takes.
        from strata.judges.authorship import with_authors  # noqa: PLC0415 - see above
        from strata.language.quarantine import is_foreign  # noqa: PLC0415 - see above

        drop = self._memory.plugins.hook.drop_message
        plugged = bool(drop.get_hookimpls())
        for message in with_authors(said):
            if plugged and drop(message=message):
                continue
            for attempt in _attempts(message):
                self._found.append(self._record(session, message, attempt))
            self._found += masked_records(session, message)
            if message.role == "user" and (message.doubted or is_foreign(message)):
                self._foreign[message.id] = message
            yield self._as_heard(message)

    def _as_heard(self, message: Message) -> Message:
        """Let people speak for their own memory; `settled` knows whose words they are."""
        theirs = self._memory.parent and message.role == "user"
        if theirs and message.origin is Origin.UNTRUSTED:
            return replace(message, origin=Origin.OWNER)
        return message

    def settled(self, fact: Fact) -> Fact:
        """Return *fact* as the origin of its words allows."""
        from strata.language.origins import with_origins  # noqa: PLC0415 - patterns

        return with_origins(fact, self._foreign, shared=bool(self._memory.parent))

    def records(self, known: set[str]) -> list[dict[str, Any]]:
        """
        Return the journal's records of what was set apart since they were last asked for.

        Leave out those whose ids are *known*, and make the others known.
        """
        fresh = {
            each: told for told in self._found if (each := _known_by(told)) not in known
        }
        known.update(fresh)
        self._found.clear()
        self._foreign.clear()
        return list(fresh.values())

    def _record(
        self, session: Session, message: Message, attempt: Attempt
    ) -> dict[str, Any]:
        # Hidden letters spell what redaction could not see before.
        words = one_line(self._memory.masked(attempt.words))[:LONGEST]
        came_by = {"tool": message.tool, "source": one_line(message.source)[:LONGEST]}
        waits = attempt.reason == DOUBTFUL
        key = f"{session.id}\x1f{message.id}\x1f{words}"
        name = hashlib.sha256(key.encode()).hexdigest()[:12]
        return {
            "event": "waiting" if waits else QUARANTINED,
            "version": VERSION,
            "at": message.time.isoformat(timespec="seconds"),
            "id": statement_id(words) if waits else name,
            "text": words,
            "dimension": DOUBTFUL if waits else f"quarantined_{attempt.reason}",
            "reason": _REASONS[attempt.reason],
            "origin": attempt.origin.value,
            "session": session.id,
            "message": message.id,
            **{name: told for name, told in came_by.items() if told},
        }


def known_quarantined(memory: Memory) -> set[str]:
    """Return the ids of what earlier syncs have set apart."""
    records = memory.journal.records(QUARANTINED, "waiting", MASKED)
    return {_known_by(each) for each in records}


def _known_by(record: Mapping[str, Any]) -> str:
    """Return what tells *record* from others; one value may be masked in many places."""
    place = f" {record.get('message')}" if record["event"] == MASKED else ""
    return f"{record.get('id')}{place}"


def _attempts(message: Message) -> Iterator[Attempt]:
    """
    Give what *message* carries that memory must not believe.

    What talk alone makes look foreign is no attempt: a short one waits for the owner.
    """
    from strata.language.quarantine import attempts, doubts  # noqa: PLC0415 - patterns

    if not message.doubted:
        yield from attempts(message)
        return
    yield from attempts(replace(message, origin=Origin.OWNER))
    if message.origin is not Origin.OWNER and len(message.text) <= _SHORT:
        yield from doubts(message.text)
