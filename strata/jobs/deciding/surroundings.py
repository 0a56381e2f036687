"""The messages around a statement: what was said right before it, and right after."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.language.quotes import carries_orders
from strata.language.sentences import split_sentences
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.memory import Memory
    from strata.models import Claim, Mention, Message
    from strata.transcripts.openclaw import Transcripts

BEFORE, AFTER = 2, 3
LONGEST = 160
_MARK = "…"


@dataclass(frozen=True, slots=True)
class Around:
    """
    Where a statement stands in its *talk*: at place *at* of its messages.

    *rows* are the messages there and around it, by their place: who said it, and what.
    *grounds* are the words on which a line may rest beside the statement itself.
    """

    talk: str = ""
    at: int = 0
    rows: tuple[tuple[int, str, str], ...] = ()
    grounds: tuple[str, ...] = ()


class Surroundings:
    """Looks up what was said around statements; each conversation is read once."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._captured: dict[tuple[str, str], tuple[dict[str, Any], str]] | None = None
        self._talks: dict[str, list[Message]] = {}

    def of(self, claim: Claim) -> Around:
        """Return what is around the newest of *claim* that can still be read."""
        for mention in reversed(claim.mentions):
            found = self._around(mention)
            if found.rows:
                return found
        return Around()

    def _around(self, mention: Mention) -> Around:
        record, message_id = self._evidence(mention)
        messages = self._messages(record) if record else []
        places = [n for n, each in enumerate(messages) if each.id == message_id]
        if not places:
            return Around()
        at = places[0]
        own = messages[at].text
        near = range(max(at - BEFORE, 0), min(at + AFTER + 1, len(messages)))
        rows = tuple(
            (n, _speaker(messages[n]), shown)
            for n in near
            if (n != at or _says_more(own, mention.text))
            and (shown := cut(_fair(messages[n])))
        )
        # What the agent says after it is no witness of what the owner said.
        grounds = tuple(
            _fair(messages[n])
            for n in near
            if _speaker(messages[n]) == "owner" or n == at - 1
        )
        return Around(str(record.get("session")), at, rows, grounds)

    def _evidence(self, mention: Mention) -> tuple[dict[str, Any], str]:
        """Return the capture that wrote *mention*, and the message on which it rests."""
        if self._captured is None:
            self._captured = {}
            for record in self._memory.journal.records("captured"):
                for entry in record.get("entries") or ():
                    evidence = entry.get("evidence") or [{}]
                    key = str(record.get("day")), str(entry.get("id"))
                    message = str(evidence[0].get("message", ""))
                    self._captured[key] = record, message
        key = mention.day.isoformat(), mention.entry_id
        return self._captured.get(key, ({}, "")) if mention.entry_id else ({}, "")

    def _messages(self, record: dict[str, Any]) -> list[Message]:
        """Return what people said in the conversation of *record*, as it is heard."""
        name = str(record.get("session"))
        if name not in self._talks:
            self._talks[name] = self._read(name)
        return self._talks[name]

    def _read(self, name: str) -> list[Message]:
        from strata.jobs.capturing.extraction import Extraction  # noqa: PLC0415 - patterns

        try:
            session = self._transcripts.session(name)
            if session is None:
                return []
            # What was forgotten, or what a plugin drops, is not shown either.
            heard = Extraction(self._memory, self._transcripts)
            read = heard.read(session, [(1, 10**9)])
            return [each for _, said in read for each in said if _speaker(each)]
        except (OpenClawNotFound, UnsupportedStore, TranscriptUnreadable):
            return []

    @cached_property
    def _transcripts(self) -> Transcripts:
        return self._memory.transcripts()


def cut(text: str) -> str:
    """Return *text* on one line, with a mark where it is cut."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}{_MARK}"


def _speaker(message: Message) -> str:
    if message.role == "tool" or message.recalled:
        return ""
    return {Origin.OWNER: "owner", Origin.AGENT: "agent"}.get(message.origin, "")


def _fair(message: Message) -> str:
    """Return what *message* says, without what speaks to machines; a mark for that."""
    sentences = split_sentences(message.text)
    if not any(each.injected or carries_orders(each.text) for each in sentences):
        return message.text
    fair = [
        _MARK if each.injected or carries_orders(each.text) else each.text
        for each in sentences
    ]
    return " ".join(fair)


def _says_more(message: str, statement: str) -> bool:
    """Say whether *message* holds more than *statement*."""
    plain = "".join(message.split())
    return len(plain) > len("".join(statement.split())) + len(_MARK)


def in_order(rows: Sequence[tuple[int, str, str]]) -> list[tuple[int, str, str]]:
    """Return *rows* of one talk in their order, each once."""
    return sorted({place: (place, who, said) for place, who, said in rows}.values())
