"""The projects that a memory knows, and of which one each of its lines is."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from strata.bank.finding import Finder
from strata.bank.names import key_of
from strata.bank.projects import Decided, Projects, read_projects
from strata.jobs.banking.knowing import known_entities
from strata.notes.entries import topics_in
from strata.notes.marks import source_days, spoken
from strata.search.indexing.paraphrases import days_of
from strata.workspace.journal import Journal, while_it_stays

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from pathlib import Path

    from strata.hits import Tier
    from strata.jobs.banking.knowing import KnownEntity
    from strata.memory import Memory
    from strata.workspace.journal import State

# The sort of pages in the bank that are about projects.
_SORT = "project"


class Known:
    """
    The projects of *memory*: those of its journal, and those that have a page in its bank.

    A project with a page alone is known by the key of its name.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.told = projects_of(memory)

    def __bool__(self) -> bool:
        """Tell whether any is known."""
        return bool(self.told or self._pages)

    def find(self, name: str) -> str:
        """Return the project that is called *name*, "" where there is none."""
        return self.told.find(name) or self._named.get(key_of(name), "")

    def name_of(self, project: str) -> str:
        """Return what *project* is called."""
        return self._called.get(project) or self.told.name_of(project)

    def all(self) -> list[str]:
        """Return every project, by what it is called."""
        return sorted({*self.told.worked, *self._called}, key=self.name_of)

    def of_line(self, tier: Tier, day: date | None, line: str) -> str:
        """
        Return the project that *line* of a note of *tier* and *day* is about, or "".

        That is the one of which the owner says so, else the one that it names, else the
        one in whose folder it was said.
        """
        # A page of the bank names the days of its lines.
        days = days_of(tier, day, line) or source_days(line)
        told = self.told.of_line(days, line)
        if told is not None and self.told.is_decided(line):
            return told
        named = {*self.named_in(line)}
        return named.pop() if len(named) == 1 else told or ""

    def named_in(self, line: str) -> Iterator[str]:
        """Yield each project that *line* names."""
        for key, _, _ in self._finder.found(line):
            yield self._named[key]
        for topic in topics_in(spoken(line)):
            if project := self.told.find(topic):
                yield project

    @cached_property
    def _pages(self) -> list[tuple[str, list[str]]]:
        """The name of each project that has a page, and all keys that mean it."""
        return [
            (each.names[0], [key_of(name) for name in each.names])
            for each in self._entities
        ]

    def of_page(self, path: str) -> str:
        """Return the project whose page in the bank is *path*, or ""."""
        for each in self._entities:
            if each.path == path:
                return self._named.get(key_of(each.names[0]), "")
        return ""

    def page_of(self, project: str) -> str:
        """Return the path of the page that the bank has of *project*, or ""."""
        pages = (e.path for e in self._entities if self.of_page(e.path) == project)
        return next(pages, "")

    @cached_property
    def _entities(self) -> list[KnownEntity]:
        return [each for each in known_entities(self._memory) if each.sort == _SORT]

    @cached_property
    def _called(self) -> dict[str, str]:
        """What projects are called that have a page, and no folder."""
        return {
            keys[0]: name
            for name, keys in self._pages
            if not any(map(self.told.find, keys))
        }

    @cached_property
    def _named(self) -> dict[str, str]:
        """The project that is meant by each name which talk may have for it."""
        found = {key_of(name): project for name, project in self.told.given_names()}
        for _, keys in self._pages:
            own = next(filter(None, map(self.told.find, keys)), "")
            for key in keys:
                found.setdefault(key, own or self.told.decided.meant(keys[0]))
        return found

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._named)


def projects_of(memory: Memory) -> Projects:
    """Return the projects that the journal of *memory* tells of."""
    journal = memory.workspace.layout.journal_file
    return while_it_stays(_read, journal, Projects((), Decided()))


@lru_cache(maxsize=4)
def _read(path: Path, _state: State) -> Projects:
    return read_projects(Journal(path))
