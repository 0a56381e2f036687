"""The words that an entry rests on, looked up in the transcript and held to their hash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Literal

from strata.errors import OpenClawNotFound, TranscriptUnreadable, UnsupportedStore
from strata.history.evidence import digest_of, evidence_of
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.memory import Memory
    from strata.models import Message, Session
    from strata.transcripts.openclaw import Transcripts

State = Literal["ok", "changed", "missing", "gone", "unreadable"]

_LONGEST_QUOTE = 600
_MOST_SENTENCES = 80
_QUOTATION_MARK = re.compile(r"[\"“「『<]")


@dataclass(frozen=True, slots=True)
class Words:
    """
    What somebody said in message *message*, as the transcript has it now.

    *state* is ``ok`` where the words have the SHA-256 that the journal holds, ``changed``
    where they have not, ``missing`` where the conversation no longer has that message,
    ``gone`` where there is no such conversation, ``unreadable`` where it cannot be read.
    """

    message: str
    said_at: datetime | None
    origin: str
    text: str
    sha256: str
    state: State


class Transcribed:
    """Looks words up; each conversation is read once."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._texts: dict[tuple[str, int, int], dict[str, str]] = {}

    def words(self, captured: dict[str, Any], entry: dict[str, Any]) -> list[Words]:
        """Return the words that *entry* of the journal's record *captured* rests on."""
        cited, texts = evidence_of(entry), dict[str, str]()
        missing: State = "gone"
        try:
            session = self._sessions.get(str(captured["session"]))
            if session:
                first, last = int(captured["first"]), int(captured["last"])
                texts, missing = self._read(session, first, last), "missing"
                if not all(str(each["message"]) in texts for each in cited):
                    # After a rewind, the same message may stand at another place.
                    texts = self._read(session, 1, 10**9)
        except (OpenClawNotFound, UnsupportedStore, TranscriptUnreadable):
            texts, missing = {}, "unreadable"
        return [_checked(each, texts, missing) for each in cited]

    @cached_property
    def _transcripts(self) -> Transcripts:
        seen = Seen(self._memory.private.workspace, under="")
        return self._memory.transcripts(seen.kinds)

    @cached_property
    def _sessions(self) -> dict[str, Session]:
        return {each.id: each for each in self._transcripts.sessions()}

    def _read(self, session: Session, first: int, last: int) -> dict[str, str]:
        key = (session.id, first, last)
        if key not in self._texts:
            messages: Iterable[Message] = self._transcripts.read(
                session, wanted=lambda number: first <= number <= last
            )
            self._texts[key] = {message.id: message.text for message in messages}
        return self._texts[key]


def _checked(cited: dict[str, Any], texts: dict[str, str], missing: State) -> Words:
    message, sha256 = str(cited["message"]), str(cited.get("sha256", ""))
    said_at, origin = _moment(cited.get("said_at")), str(cited.get("origin", ""))
    if message not in texts:
        return Words(message, said_at, origin, "", sha256, missing)
    text = texts[message]
    for quote in _quotable(text):
        if digest_of(quote) == sha256:
            return Words(message, said_at, origin, quote, sha256, "ok")
    return Words(message, said_at, origin, text[:_LONGEST_QUOTE], sha256, "changed")


def _quotable(text: str) -> Iterator[str]:
    """Yield the stretches of *text* that evidence may quote: whole sentences in a row."""
    from strata.language.sentences import split_sentences  # noqa: PLC0415 - patterns

    yield text[:_LONGEST_QUOTE]
    for first, last in combinations_with_replacement(
        split_sentences(text)[:_MOST_SENTENCES], 2
    ):
        stretch = text[first.start : last.end]
        yield stretch[:_LONGEST_QUOTE]
        yield _QUOTATION_MARK.split(stretch, maxsplit=1)[0]


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        return None
