"""The project at hand, and what is preferred where one is."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from strata.errors import (
    NotFound,
    OpenClawNotFound,
    TranscriptUnreadable,
    UnsupportedStore,
)
from strata.hits import Tier
from strata.jobs.projects.knowing import Known, projects_of
from strata.search.answering.passages import Files
from strata.workspace.repositories import repository_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.hits import Answer, Hit
    from strata.memory import Memory
    from strata.search.answering.ranking import Place

HERE = "here"
# Where conversations began that were asked about lately.
_FOLDERS: dict[str, str] = {}
_MOST = 200
# What a conversation was about so long ago it hardly is now.
_LASTS = timedelta(days=7)


def named(memory: Memory, name: str, folder: Path) -> str:
    """
    Return the project that *name* means, or that *folder* is in where it is "here".

    Raise `NotFound` where there is none.
    """
    if name.casefold() == HERE:
        return project_at(memory, folder) or _nowhere(folder)
    known = Known(memory)
    if found := known.find(name):
        return found
    if names := [known.name_of(each) for each in known.all()]:
        raise NotFound.of("projects.no-such", name=name, names=names)
    raise NotFound.of("projects.none")


def project_at(memory: Memory, folder: Path) -> str:
    """Return the project that *folder* is in, known to *memory* or not; "" for none."""
    found = repository_at(str(folder), memory.private.workspace.root)
    return projects_of(memory).decided.meant(found) if found else ""


def at_hand(memory: Memory, conversation: str) -> str:
    """
    Return the project that is at hand in *conversation*, its id or its key, or "".

    That is what it was about the last days; of a new one, that of its own folder.
    """
    project, day = projects_of(memory).of_conversation(conversation)
    if project:
        is_late = memory.now.date() - date.fromisoformat(day) > _LASTS
        return "" if is_late else project
    folder = _folder_of(memory, conversation)
    return project_at(memory, Path(folder)) if folder else ""


def _folder_of(memory: Memory, conversation: str) -> str:
    """Return where *conversation* began; its first line never changes."""
    key = f"{memory.private.workspace.root} {conversation}"
    if key not in _FOLDERS:
        transcripts = memory.private.transcripts()
        with suppress(OpenClawNotFound, UnsupportedStore, TranscriptUnreadable):
            for session in transcripts.sessions():
                if conversation in {session.id, session.key} and session.listed:
                    while len(_FOLDERS) >= _MOST:
                        _FOLDERS.pop(next(iter(_FOLDERS)))
                    _FOLDERS[key] = transcripts.begun(session)
    return _FOLDERS.get(key, "")


def near(memory: Memory, project: str) -> Callable[[Place], bool]:
    """Return what tells of lines in a note whether any is about *project*."""
    known, files = Known(memory), Files(memory.workspace.root)
    return lambda place: project in _projects(known, files, place)


def labelled(memory: Memory, answer: Answer) -> Answer:
    """Return *answer* with the names of the projects that its hits are about."""
    known, files = Known(memory), Files(memory.workspace.root)

    def with_projects(hit: Hit) -> Hit:
        names = map(known.name_of, dict.fromkeys(_projects(known, files, hit)))
        return replace(hit, projects=tuple(names))

    hits, closest = (
        tuple(map(with_projects, each)) for each in (answer.hits, answer.closest)
    )
    return replace(answer, hits=hits, closest=closest)


def _projects(known: Known, files: Files, place: Place) -> Iterator[str]:
    if place.tier is Tier.BANK and (own := known.of_page(place.path)):
        yield own
        return
    for line in files.lines(place.path)[place.start_line - 1 : place.end_line]:
        if found := known.of_line(place.tier, place.day, line):
            yield found


def _nowhere(folder: Path) -> str:
    raise NotFound.of("projects.no-repository", folder=folder)
