"""
OpenClaw's state folder of another machine, and what a workspace keeps as Markdown.

Conversations are read as our own are, of both eras: JSON lines, and since OpenClaw 2026.7.2
SQLite (tested up to 2026.9.6), only those in which a person speaks with the agent alone,
and without the secrets in them. `MEMORY.md`, `USER.md` and the notes in `memory/` are what
an agent had written there, whoever's words they are.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from strata.errors import (
    Busy,
    OpenClawNotFound,
    SourceUnreadable,
    TranscriptUnreadable,
    UnsupportedStore,
)
from strata.imports.databases import lies_still
from strata.imports.note_files import lines_of_note, note_in
from strata.imports.talks import Skipped, Talk, Utterance
from strata.models import Origin
from strata.notes.long_term import without_scaffold
from strata.transcripts.classification import PRIVATE
from strata.transcripts.openclaw import Transcripts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.imports.bundles import Bundle
    from strata.imports.talks import Read
    from strata.models import Session

# An agent's folder holds keys to other services as well, which nobody has to copy.
_STORED = re.compile(
    r"(?:^|.*/)agents/([^/]+)/"
    r"(?:sessions/.+|agent/(?:openclaw-agent\.sqlite[^/]*|cold/[^/]+))$"
)
_PAGES = ("MEMORY.md", "USER.md")
# A workspace lies in the state folder, and that perhaps in a folder of the zip.
_DEEPEST = 2
# Pages of other people, and of what is no workspace.
_OTHERS = frozenset({"users", "node_modules", "skills"})
_ERRORS = (Busy, UnsupportedStore, OpenClawNotFound, TranscriptUnreadable)


class OpenClaw:
    """A state folder of OpenClaw, a workspace, or a page of one."""

    name = "openclaw"

    def recognises(self, source: Bundle) -> bool:
        """Say whether there are stores of an agent, or the pages of a workspace."""
        return bool(_agents(source) or _workspaces(source))

    def read(self, source: Bundle) -> Iterator[Read]:
        """Yield the conversations of each agent, then the lines of each workspace."""
        agents = _agents(source)
        root = source.source
        stores = (name for name in source.names("*.sqlite") if _STORED.match(name))
        still = source.source.is_dir() and all(
            lies_still(source, each) for each in stores
        )
        if agents and not still:
            root = source.scratch()
            yield from _copied(source, root)
        for folder, names in agents.items():
            for agent in sorted(names):
                yield from _conversations(root / folder, agent)
        for folder in _workspaces(source):
            for name in _notes(source, folder):
                yield from _lines(source, name)


def _conversations(state: Path, agent: str) -> Iterator[Read]:
    transcripts = Transcripts(state, agent)
    try:
        sessions = transcripts.sessions()
    except _ERRORS:
        yield Skipped(agent, "store-unread")
        return
    for session in sessions:
        if session.kind not in PRIVATE:
            yield Skipped(session.id, "not-alone")
            continue
        try:
            said = tuple(_said(transcripts, session))
        except _ERRORS:
            yield Skipped(session.id, "store-unread")
        else:
            yield Talk(session.id, "", said) if said else Skipped(session.id, "empty")


def _said(transcripts: Transcripts, session: Session) -> Iterator[Utterance]:
    for each in transcripts.read(session):
        if each.role == "user" and each.origin is Origin.OWNER and each.text:
            yield Utterance("user", each.text, each.time)
        # What it read back from memory is there already, and not newly said.
        elif each.role == "assistant" and each.text and not each.recalled:
            yield Utterance("assistant", each.text, each.time)


def _copied(source: Bundle, folder: Path) -> Iterator[Skipped]:
    """Copy all conversations of *source* to *folder*; yield what cannot be copied."""
    for name in source.names():
        if _STORED.match(name):
            try:
                source.copied(name, folder)
            except SourceUnreadable as error:
                yield Skipped.of(name, error)


def _agents(source: Bundle) -> dict[str, set[str]]:
    """Return the state folders in *source*, each with the names of its agents."""
    found: dict[str, set[str]] = {}
    for name in source.names():
        if stored := _STORED.match(name):
            folder = name[: stored.start(1)].removesuffix("agents/")
            found.setdefault(folder, set()).add(stored[1])
    return found


def _workspaces(source: Bundle) -> list[str]:
    """Return the folders in *source* that have a page of memory, with a ``/`` each."""
    folders = set()
    for page in _PAGES:
        for name in source.names(page):
            parts = PurePosixPath(name).parts[:-1]
            if len(parts) <= _DEEPEST and not _OTHERS.intersection(parts):
                folders.add("".join(f"{part}/" for part in parts))
    return sorted(folders)


def _notes(source: Bundle, folder: str) -> list[str]:
    names = source.names("*.md")
    pages = [folder + page for page in _PAGES if folder + page in names]
    notes = [
        name
        for name in names
        if str(PurePosixPath(name).parent) == f"{folder}memory" and "/." not in name
    ]
    return pages + notes


def _lines(source: Bundle, name: str) -> Iterator[Read]:
    note = note_in(source, name)
    if isinstance(note, Skipped):
        yield note
    elif name.endswith(_PAGES):
        said = note._replace(text=without_scaffold(note.text))
        yield from lines_of_note(said, "memory")
    else:
        yield from lines_of_note(note, "note")


FORMAT = OpenClaw()
