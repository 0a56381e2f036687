"""Every conversation of one agent, each once, wherever parts of it lie."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from strata.errors import TranscriptUnreadable
from strata.models import IMPORTED, Session, SessionKind
from strata.transcripts.archives import parse_name
from strata.transcripts.classification import PRIVATE, kind_of_entry, kind_of_prompts
from strata.transcripts.entries import epoch
from strata.transcripts.places import AgentFolder, Listed, TranscriptFile, look_at
from strata.transcripts.sources import Stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from strata.transcripts.places import ImportedFolder
    from strata.transcripts.sqlite_store import SqliteStore, StoredSession

# Changes when the same transcript would give other messages than before.
_READER_VERSION = 1
_GLANCE_ENTRIES = 20


@dataclass(slots=True)
class Found:
    """What is known about one conversation, and where its parts lie."""

    id: str
    home: str = ""
    files: list[TranscriptFile] = field(default_factory=list)
    stored: StoredSession | None = None
    listed: list[Listed] = field(default_factory=list)

    def session(self, agent: str, known_kinds: Mapping[str, SessionKind]) -> Session:
        """Sum up what is known."""
        told = self._told()
        return Session(
            id=self.id,
            key=told[0].key if told else "",
            kind=self._kind() or known_kinds.get(self.id) or self._glance(),
            agent=agent,
            listed=any(each.current for each in told),
            started_at=_moment(min(self._starts())),
            updated_at=_moment(max(self._updates())),
            fingerprint=self._fingerprint(),
            home=self.home,
        )

    def _told(self) -> list[Listed]:
        return [self.stored.listed, *self.listed] if self.stored else self.listed

    def _kind(self) -> SessionKind | None:
        kinds = [kind_of_entry(each.key, each.entry) for each in self._told()]
        # Where several keys name one conversation, the least private of them counts.
        shared = [kind for kind in kinds if kind not in PRIVATE]
        return next(iter(shared + kinds), None)

    def _glance(self) -> SessionKind:
        for file in self.files:
            with closing(Stream.of_file(file.path).entries()) as entries:
                said = (entry.said for entry in islice(entries, _GLANCE_ENTRIES))
                try:
                    kind = kind_of_prompts(each for each in said if each)
                except TranscriptUnreadable:
                    continue
            if kind is not SessionKind.DIRECT:
                return kind
        return SessionKind.DIRECT

    def _starts(self) -> Iterator[float]:
        # A copied file has a new time; what the index says came along.
        for each in self._told():
            for name in ("sessionStartedAt", "updatedAt") if each.current else ():
                if moment := epoch(each.entry.get(name)):
                    yield moment
        yield from self._file_times()

    def _updates(self) -> Iterator[float]:
        if self.stored and (moment := epoch(self.stored.updated_ms)):
            yield moment
        yield from self._file_times()

    def _file_times(self) -> list[float]:
        if self.stored and not self.files:
            return [epoch(self.stored.updated_ms) or 0.0]
        return [file.modified_ns / 1e9 for file in self.files]

    def _fingerprint(self) -> str:
        files = [(file.path.name, file.size, file.modified_ns) for file in self.files]
        state = sorted(map(repr, self.stored.state)) if self.stored else []
        seen = repr((_READER_VERSION, files, state))
        return hashlib.sha256(seen.encode()).hexdigest()[:32]


def find_conversations(
    folder: AgentFolder, store: SqliteStore | None
) -> dict[str, Found]:
    """Look through the index, the store and the folder; read no conversation."""
    found: dict[str, Found] = {}
    listed = folder.listed()
    owners: dict[str, str] = {}
    for each in listed:
        path = folder.told_file(each)
        if path is None:
            continue
        name = parse_name(path.name)
        if path.parent == folder.sessions and name:
            owners[name.stem] = each.id
        elif name and (file := look_at(path, name.moment)):
            found.setdefault(each.id, Found(each.id)).files.append(file)
    for stem, files in folder.files().items():
        owner = owners.get(stem, stem)
        found.setdefault(owner, Found(owner)).files.extend(files)
    for stored in store.sessions() if store else ():
        found.setdefault(stored.listed.id, Found(stored.listed.id)).stored = stored
    # A session that is current somewhere is not also an earlier one of another key.
    for each in listed:
        conversation = found.get(each.id)
        if conversation and (each.current or not conversation.listed):
            conversation.listed.append(each)
    return found


def find_imported(folders: Iterable[ImportedFolder], agent: str) -> dict[str, Found]:
    """Look through the *folders* in which talks of other tools are kept for *agent*."""
    found: dict[str, Found] = {}
    for folder in folders:
        for tool, file in folder.files():
            name, key = file.path.stem, f"agent:{agent}:{IMPORTED}:{tool}"
            listed = [Listed(name, key, {}, current=False)]
            found[name] = Found(name, folder.home, [file], listed=listed)
    return found


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(max(seconds, 0.0), UTC)
