"""The conversations of an OpenClaw agent, of both eras, one after the other."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from strata.errors import OpenClawNotFound, TranscriptUnreadable
from strata.models import Origin
from strata.sensitivity import NO_RULES
from strata.transcripts.bookmarks import LONG_BYTES, MESSAGES_BEFORE, ROLES, Following
from strata.transcripts.branches import Branch, BranchFinder
from strata.transcripts.classification import PRIVATE
from strata.transcripts.discovery import Found, find_conversations, find_imported
from strata.transcripts.filtering import Conversation
from strata.transcripts.folders import Folders
from strata.transcripts.maskings import maskings
from strata.transcripts.places import AgentFolder
from strata.transcripts.shortening import shorten
from strata.transcripts.sources import Source, Stream, union
from strata.transcripts.sqlite_store import Rows, SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from strata.models import Message, Session, SessionKind
    from strata.sensitivity import Rules
    from strata.transcripts.bookmarks import Bookmark, Bookmarks, Resumable
    from strata.transcripts.entries import Entry
    from strata.transcripts.maskings import Allowing
    from strata.transcripts.places import ImportedFolder

    FileState = tuple[Path, int, int]


@dataclass(frozen=True, slots=True)
class Outline:
    """
    The shape of a conversation: who spoke when, without the words.

    Message number n is at index n - 1. *times* are seconds since the epoch, *roles* holds
    ``u`` or ``a`` a message, *users* counts the user's. After the messages in *resets* it
    was reset. *malformed_lines* were skipped.
    """

    times: array[float]
    roles: bytes
    resets: frozenset[int]
    users: int
    malformed_lines: int


@dataclass(slots=True)
class Transcripts:
    """
    All conversations of one agent under OpenClaw's state directory; never writes.

    With them come those of other tools, *imported*. *known_kinds* is what earlier runs
    learned, by session id, about conversations that OpenClaw may no longer list, such as
    a group chat that was left. Raise `OpenClawNotFound` where there is no such agent, and
    `UnsupportedStore` where its store has a schema that this version does not know.
    """

    state_dir: Path
    agent: str = "main"
    known_kinds: Mapping[str, SessionKind] = field(default_factory=dict)
    never: Rules = NO_RULES
    allowing: Allowing | None = None
    imported: Sequence[ImportedFolder] = ()
    _folder: AgentFolder | None = None
    bookmarks: Bookmarks | None = None
    _store: SqliteStore | None = None
    _found: dict[str, Found] = field(default_factory=dict)
    # A transcript remembers what counts in it, so that it is found out once.
    _streams: dict[FileState, Stream] = field(default_factory=dict)
    _marks: dict[str, Bookmark] = field(default_factory=dict)
    _folders: Folders = field(default_factory=Folders)

    def sessions(self) -> list[Session]:
        """
        Every conversation, each once, oldest first.

        Reads no transcript, but for the first lines of one whose kind nothing else tells.
        """
        self._look()
        sessions = [
            found.session(self.agent, self.known_kinds)
            for found in self._found.values()
        ]
        return sorted(sessions, key=lambda each: (each.started_at, each.id))

    def session(self, session_id: str) -> Session | None:
        """Return one conversation, None where the first look found none of that id."""
        if not self._found:
            self._look()
        found = self._found.get(session_id)
        return found.session(self.agent, self.known_kinds) if found else None

    def outline(self, session: Session) -> Outline:
        """
        Read through *session* once and tell its shape.

        Raise `TranscriptUnreadable` if it cannot be read.
        """
        sources = self._sources(session.id)
        first = sources[0]
        if resumable := self._resumable(sources):
            outline = self._resumed(session, resumable)
            if outline:
                return outline
        if len(sources) == 1 and isinstance(first, Stream) and first.branch is None:
            outline = _outline_at_once(first)
            if outline:
                return outline
        return _outline(union(sources))

    def read(
        self,
        session: Session,
        *,
        wanted: Callable[[int], bool] | None = None,
        overheard: Callable[[str], bool] = lambda _: False,
        says: Callable[[str], bool] | None = None,
        first: int = 1,
    ) -> Iterator[Message]:
        """
        Yield the visible messages of *session* in order, redacted.

        Only those from number *first* on whose number is *wanted*, and whose words, before
        they are redacted, are such that it *says* so; and nothing said off the record. A
        tool message has the number of the message before it, and what the tool gave only
        where that is *overheard*. Raise `TranscriptUnreadable` if the conversation cannot
        be read.
        """
        # Its rules take longer to compile than a sync that reads nothing takes.
        from strata.transcripts.disclosure import (  # noqa: PLC0415 - see above
            Disclosure,
            is_done,
        )

        found = self._found.get(session.id)
        done = found and found.home and is_done(found.files[0].path, self.allowing)
        disclosure = Disclosure(self.never, self.allowing, done=bool(done))
        conversation = Conversation(shared=session.kind not in PRIVATE)
        sources = self._sources(session.id)
        entries = union(sources)
        mark, resumable = self._marks.get(session.id), self._resumable(sources)
        if resumable and mark and _is_before(mark, first, resumable):
            following = Following.since(mark, shared=conversation.shared)
            conversation, disclosure.privacy = following.conversation, following.privacy
            placed = resumable.placed(mark.place)
            entries = (entry for _, entry in placed if not entry.side)
        if self._folders.session != session.id:
            self._folders = Folders(session.id, _begun(sources))
        for message in conversation.messages(self._folders.noting(entries)):
            # The order may stand before what is wanted, so all are listened to.
            by_owner = message.origin is Origin.OWNER
            privacy = disclosure.privacy
            text = privacy.heard(message.text, by_owner=by_owner)
            is_left = text or not (privacy.off or message.text)
            named = wanted is None or wanted(message.number)
            if is_left and named and (says is None or says(text)):
                told = disclosure.told(message.role, text)
                heard = self._overheard(message, overheard, disclosure.masked)
                yield self._told(heard, text, shorten(told))
            disclosure.hear(message.role, text)

    def begun(self, session: Session) -> str:
        """Return the folder in which *session* began, as its first line says, or ""."""
        return _begun(self._sources(session.id))

    def folders(self, session: Session, first: float, last: float) -> list[str]:
        """
        Return where *session*, as it was just read, worked from *first* to *last*.

        Both are seconds since the epoch. The most used folder comes first, and where the
        conversation began comes last.
        """
        known = self._folders.session == session.id
        return self._folders.between(first, last) if known else []

    def _overheard(
        self,
        message: Message,
        overheard: Callable[[str], bool],
        masked: Callable[[str], str],
    ) -> Message:
        """Return *message* with what a tool gave, redacted, only where that may be told."""
        # What is told is cut after it is redacted: half a secret is not recognised.
        if not (message.output and overheard(shorten(message.output))):
            return replace(message, output="", source="")
        output, source = (
            masked(self.never.removed(each))
            for each in (message.output, message.source)
        )
        return replace(message, output=shorten(output), source=source)

    def _told(self, message: Message, original: str, text: str) -> Message:
        """Return *message* with its *text*, and with what of the *original* is masked."""
        if self.allowing is None or "⟦" not in text:
            return replace(message, text=text)
        found = maskings(original, text, self.allowing.digest)
        return replace(message, text=text, masked=found)

    def _resumable(self, sources: list[Source]) -> Resumable | None:
        """Return the only one of *sources* where a bookmark in it is worth having."""
        if self.bookmarks is None or len(sources) != 1:
            return None
        [source] = sources
        if isinstance(source, Stream | Rows) and source.is_long(LONG_BYTES):
            return source
        return None

    def _resumed(self, session: Session, source: Resumable) -> Outline | None:
        """Sketch what follows the bookmark, if all before is as it was; None if rewound."""
        mark = self.bookmarks.find(session.id) if self.bookmarks else None
        if mark and source.check(mark.place) != mark.check:
            mark = None
        following = Following.since(mark, shared=session.kind not in PRIVATE)
        for place, entry in source.placed(mark.place if mark else 0):
            following.take(place, entry)
        if isinstance(source, Stream) and following.finder.jumps:
            self._marks.pop(session.id, None)
            return None
        if isinstance(source, Stream) and mark is None:
            source.branch = Branch.whole(following.finder.length)
        fresh = following.bookmark(source.check) or mark
        if fresh:
            self._marks[session.id] = fresh
        if self.bookmarks and fresh and fresh != mark:
            self.bookmarks.keep(session.id, fresh)
        roles = bytes(following.roles)
        resets, users = frozenset(following.resets), roles.count(b"u")
        return Outline(following.times, roles, resets, users, following.malformed)

    def _look(self) -> None:
        imported = find_imported(self.imported, self.agent)
        try:
            self._folder = AgentFolder(self.state_dir, self.agent)
        except OpenClawNotFound:
            # What another tool kept is there before the first word to an agent.
            if not imported:
                raise
            self._found = imported
            return
        self._store = _open_store(self._folder.database)
        self._found = imported | find_conversations(self._folder, self._store)

    def _sources(self, session_id: str) -> list[Source]:
        """Where a conversation lies now, newest first; look again if a file has moved."""
        for look_again in (True, False):
            found = self._found.get(session_id)
            try:
                if found:
                    files = [self._stream(file.path) for file in found.files]
                    return [*self._stored(found), *files]
            except FileNotFoundError:
                pass
            if look_again:
                self._look()
        raise TranscriptUnreadable.of(
            "transcripts.gone", session_id=session_id, folder=self.state_dir
        )

    def _stored(self, found: Found) -> list[Source]:
        if found.stored is None or self._store is None or self._folder is None:
            return []
        return self._store.sources(found.id, self._folder.cold_folders)

    def _stream(self, path: Path) -> Stream:
        status = path.stat()
        state = (path, status.st_size, status.st_mtime_ns)
        return self._streams.setdefault(state, Stream.of_file(path))


def _begun(sources: Sequence[Source]) -> str:
    """Return the folder that the first line names: who reads on later does not see it."""
    for source in sources:
        if isinstance(source, Stream | Rows):
            for _, entry in source.placed(0):
                if entry.folder:
                    return entry.folder
                break
    return ""


def _is_before(mark: Bookmark, first: int, source: Resumable) -> bool:
    """Say whether enough lies between *mark* and message *first* to know the latter."""
    enough = first - mark.number > MESSAGES_BEFORE
    return enough and source.check(mark.place) == mark.check


def _outline(entries: Iterable[Entry]) -> Outline:
    times, roles, resets, malformed = array("d"), bytearray(), set[int](), 0
    conversation = Conversation()
    for entry in entries:
        malformed += entry.malformed
        if entry.said is not None:
            for message in conversation.take(entry, entry.said):
                if message.role != "tool":
                    times.append(entry.said.time)
                    roles.append(ROLES[message.role])
        elif entry.type == "reset":
            resets.add(len(times))
    users = roles.count(b"u")
    return Outline(times, bytes(roles), frozenset(resets), users, malformed)


def _outline_at_once(stream: Stream) -> Outline | None:
    """Sketch a transcript in which nothing was rewound; return None for others."""
    finder = BranchFinder()
    outline = _outline(finder.watched(stream.entries()))
    if finder.jumps:
        return None
    stream.branch = Branch.whole(finder.length)
    return outline


def _open_store(path: Path) -> SqliteStore | None:
    if not path.is_file():
        return None
    store = SqliteStore(path)
    return store if store.holds_transcripts() else None
