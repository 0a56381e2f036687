"""The conversations of an OpenClaw agent, of both eras, one after the other."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from strata.errors import TranscriptUnreadable
from strata.messages import Notice
from strata.models import Message, Origin
from strata.sensitivity import NO_RULES
from strata.transcripts.branches import Branch, BranchFinder
from strata.transcripts.classification import PRIVATE
from strata.transcripts.discovery import Found, find_conversations
from strata.transcripts.filtering import Conversation
from strata.transcripts.maskings import maskings
from strata.transcripts.places import AgentFolder
from strata.transcripts.shortening import shorten
from strata.transcripts.sources import Source, Stream, union
from strata.transcripts.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from strata.models import Session, SessionKind
    from strata.sensitivity import Rules
    from strata.transcripts.entries import Entry
    from strata.transcripts.filtering import Visible
    from strata.transcripts.maskings import Allowing

    FileState = tuple[Path, int, int]

_ROLES = {"user": ord("u"), "assistant": ord("a")}


@dataclass(frozen=True, slots=True)
class Outline:
    """
    The shape of a conversation: who spoke when, without the words.

    Message number n is at index n - 1. *times* are seconds since the epoch, *roles* holds
    ``u`` or ``a`` a message, *users* counts the user's. *malformed_lines* were skipped.
    """

    times: array[float]
    roles: bytes
    users: int
    malformed_lines: int


class Transcripts:
    """
    All conversations of one agent under OpenClaw's state directory; never writes.

    *known_kinds* is what earlier runs learned, by session id, about conversations that
    OpenClaw may no longer list, such as a group chat that was left. Raise
    `OpenClawNotFound` where there is no such agent, and `UnsupportedStore` where its store
    has a schema that this version does not know.
    """

    def __init__(
        self,
        state_dir: Path,
        agent: str = "main",
        *,
        known_kinds: Mapping[str, SessionKind] = MappingProxyType({}),
        never: Rules = NO_RULES,
        allowing: Allowing | None = None,
    ) -> None:
        self._state_dir = state_dir
        self._agent = agent
        self._known_kinds = known_kinds
        self._never = never
        self._allowing = allowing
        self._folder: AgentFolder | None = None
        self._store: SqliteStore | None = None
        self._found: dict[str, Found] = {}
        # A transcript remembers what counts in it, so that it is found out once.
        self._streams: dict[FileState, Stream] = {}

    def sessions(self) -> list[Session]:
        """
        Every conversation, each once, oldest first.

        Reads no transcript, but for the first lines of one whose kind nothing else tells.
        """
        self._look()
        sessions = [
            found.session(self._agent, self._known_kinds)
            for found in self._found.values()
        ]
        return sorted(sessions, key=lambda each: (each.started_at, each.id))

    def outline(self, session: Session) -> Outline:
        """
        Read through *session* once and tell its shape.

        Raise `TranscriptUnreadable` if it cannot be read.
        """
        sources = self._sources(session.id)
        first = sources[0]
        if len(sources) == 1 and isinstance(first, Stream) and first.branch is None:
            outline = _outline_at_once(first)
            if outline:
                return outline
        sketch = _Sketch()
        for entry in union(sources):
            sketch.add(entry)
        return sketch.outline()

    def read(
        self,
        session: Session,
        *,
        wanted: Callable[[int], bool] | None = None,
        overheard: Callable[[str], bool] = lambda _: False,
    ) -> Iterator[Message]:
        """
        Yield the visible messages of *session* in order, redacted.

        Only those whose number is *wanted*, and nothing said off the record; a tool
        message has the number of the message before it, and what the tool gave only where
        that is *overheard*. Raise `TranscriptUnreadable` if the conversation cannot be
        read.
        """
        # Their rules take longer to compile than a sync that reads nothing takes.
        from strata.transcripts.announced import Announced  # noqa: PLC0415 - see above
        from strata.transcripts.private import Privacy  # noqa: PLC0415 - see above
        from strata.transcripts.redaction import redact  # noqa: PLC0415 - see above

        masked = partial(redact, allowed=self._allowing)
        announced = Announced(masked, self._allowing)
        conversation = Conversation(shared=session.kind not in PRIVATE)
        privacy = Privacy()
        for visible in conversation.messages(union(self._sources(session.id))):
            # The order may stand before what is wanted, so all are listened to.
            by_owner = visible.origin is Origin.OWNER
            text = privacy.heard(visible.text, by_owner=by_owner)
            is_left = text or not (privacy.off or visible.text)
            if is_left and (wanted is None or wanted(visible.number)):
                told = self._never.removed(announced.redacted(visible.role, text))
                kept = self._overheard(visible, overheard)
                message = _message(replace(kept, text=told), masked)
                yield self._telling(message, text)
            announced.hear(visible.role, text)

    def _telling(self, message: Message, text: str) -> Message:
        """Return *message* with what was masked in its *text*."""
        if self._allowing is None or "⟦" not in message.text:
            return message
        masked = maskings(text, message.text, self._allowing.digest)
        return replace(message, masked=masked)

    def _overheard(self, visible: Visible, overheard: Callable[[str], bool]) -> Visible:
        """Return *visible* with what a tool gave only where that may be told."""
        output = visible.output
        # What is told is cut after it is redacted: half a secret is not recognised.
        if not (output and overheard(shorten(output))):
            return replace(visible, output="", source="")
        removed = self._never.removed
        return replace(visible, output=removed(output), source=removed(visible.source))

    def _look(self) -> None:
        self._folder = AgentFolder(self._state_dir, self._agent)
        self._store = _open_store(self._folder.database)
        self._found = find_conversations(self._folder, self._store)

    def _sources(self, session_id: str) -> list[Source]:
        """Where a conversation lies now, newest first; look again if a file has moved."""
        for look_again in (True, False):
            found = self._found.get(session_id)
            try:
                if found:
                    return self._stored(found) + self._files(found)
            except FileNotFoundError:
                pass
            if look_again:
                self._look()
        raise TranscriptUnreadable(
            Notice("transcripts.gone", session_id=session_id, folder=self._state_dir)
        )

    def _stored(self, found: Found) -> list[Source]:
        if found.stored is None or self._store is None or self._folder is None:
            return []
        return [*self._store.sources(found.id, self._folder.cold_folders)]

    def _files(self, found: Found) -> list[Source]:
        return [self._stream(file.path) for file in found.files]

    def _stream(self, path: Path) -> Stream:
        status = path.stat()
        state = (path, status.st_size, status.st_mtime_ns)
        return self._streams.setdefault(state, Stream.of_file(path))


class _Sketch:
    """An outline in the making."""

    def __init__(self) -> None:
        self._times = array("d")
        self._roles = bytearray()
        self._malformed = 0
        self._conversation = Conversation()

    def add(self, entry: Entry) -> None:
        if entry.malformed:
            self._malformed += 1
        elif entry.said is not None:
            for visible in self._conversation.take(entry, entry.said):
                if visible.role != "tool":
                    self._times.append(visible.time)
                    self._roles.append(_ROLES[visible.role])

    def outline(self) -> Outline:
        roles = bytes(self._roles)
        return Outline(self._times, roles, roles.count(b"u"), self._malformed)


def _outline_at_once(stream: Stream) -> Outline | None:
    """Sketch a transcript in which nothing was rewound; return None for others."""
    finder, sketch = BranchFinder(), _Sketch()
    for entry in stream.entries():
        finder.add(entry)
        if not entry.side:
            sketch.add(entry)
    if finder.jumps:
        return None
    stream.branch = Branch.whole(finder.length)
    return sketch.outline()


def _open_store(path: Path) -> SqliteStore | None:
    if not path.is_file():
        return None
    store = SqliteStore(path)
    return store if store.holds_transcripts() else None


def _message(visible: Visible, redact: Callable[[str], str]) -> Message:
    return Message(
        id=visible.id,
        number=visible.number,
        role=visible.role,
        text=shorten(redact(visible.text)) if visible.text else "",
        time=datetime.fromtimestamp(visible.time, UTC),
        origin=visible.origin,
        tool=visible.tool,
        failed=visible.failed,
        recalled=visible.recalled,
        output=shorten(redact(visible.output)) if visible.output else "",
        source=redact(visible.source) if visible.source else "",
    )
