"""The project at hand, and what is preferred where one is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING

from strata.errors import NotFound
from strata.hits import Tier
from strata.jobs.projects.knowing import Known, projects_of
from strata.search.answering.passages import Files
from strata.workspace.repositories import repository_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from strata.hits import Answer, Hit
    from strata.memory import Memory
    from strata.search.indexing.manifest import Row

HERE = "here"
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
    """Return what the *conversation*, by id or key, was about the last days, or ""."""
    project, day = projects_of(memory).of_conversation(conversation)
    if not project or memory.now.date() - date.fromisoformat(day) > _LASTS:
        return ""
    return project


def near(memory: Memory, project: str) -> Callable[[Row], bool]:
    """Return what tells whether a chunk has a line about *project*."""
    known, files = Known(memory), Files(memory.workspace.root)

    def is_near(row: Row) -> bool:
        if row.tier is Tier.BANK and known.of_page(row.path) == project:
            return True
        lines = files.lines(row.path)[row.start_line - 1 : row.end_line]
        of_line = partial(known.of_line, row.tier, row.day)
        return any(of_line(line) == project for line in lines)

    return is_near


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


def _projects(known: Known, files: Files, hit: Hit) -> Iterator[str]:
    if hit.tier is Tier.BANK and (own := known.of_page(hit.path)):
        yield own
        return
    for line in files.lines(hit.path)[hit.start_line - 1 : hit.end_line]:
        if found := known.of_line(hit.tier, hit.day, line):
            yield found


def _nowhere(folder: Path) -> str:
    raise NotFound.of("projects.no-repository", folder=folder)
