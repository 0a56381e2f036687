"""Of which project what is captured is: by the folder in which the conversation worked."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.bank.projects import Projects, read_projects
from strata.models import UNNAMED, Tag
from strata.notes.sayings import contains, words_of
from strata.workspace.repositories import repository_at

if TYPE_CHECKING:
    from strata.jobs.capturing.extraction import Extraction, Found
    from strata.models import Fact, Session

# What is about the work: what the owner likes is not only so in one project.
_OF_WORK = {Tag.DECISION, Tag.FINDING, Tag.TASK}
_PARENTHESIS = re.compile(r"[()\uff08\uff09]")


class Placing:
    """Tells of which project a stretch of a talk is, and lets its entries say so."""

    def __init__(self, extraction: Extraction) -> None:
        self._extraction = extraction
        self._memory = extraction.memory
        own = self._memory.private.workspace.root
        # The agent's own folder is no project, whatever repository it is in.
        self._at = lru_cache(maxsize=None)(lambda folder: repository_at(folder, own))
        self._known: Projects | None = None

    def project_of(self, session: Session, first: float, last: float) -> str:
        """
        Return the project of what *session* said from *first* to *last*, or "".

        Both are seconds since the epoch. The conversation has just been read.
        """
        told = self._projects.decided.sessions.get(session.id)
        if told is not None:
            return self._projects.decided.meant(told)
        folders = self._extraction.transcripts.folders(session, first, last)
        found = (self._placed(session, each) for each in folders)
        return next(filter(self._may_stand, filter(None, found)), "")

    def placed(self, found: Found, project: str) -> Found:
        """Return *found* with *project* as topic of what else would not tell it."""
        facts = tuple(self._told(each, project) for each in found.facts)
        return replace(found, facts=facts)

    def _told(self, fact: Fact, project: str) -> Fact:
        if not project or fact.topic or fact.tag not in _OF_WORK:
            return fact
        name = self._projects.name_of(project)
        named = contains(words_of(fact.text), words_of(name))
        # In parentheses a topic has none of its own.
        if named or name.startswith(UNNAMED) or _PARENTHESIS.search(name):
            return fact
        return replace(fact, topic=name)

    def _placed(self, session: Session, folder: str) -> str:
        """Return the project of *folder*, as what it is here or was known before."""
        path = folder.replace("\\", "/").rstrip("/")
        if "/" not in path:
            # Another tool tells the name of its project.
            return self._projects.find(path) or path.casefold()
        found = self._at(folder)
        if found is not None:
            return found
        before, _ = self._projects.of_conversation(session.id)
        return self._projects.find(path.rpartition("/")[2]) or before

    def _may_stand(self, project: str) -> bool:
        """Say whether *project* holds no secret, and nothing that was forgotten."""
        forgotten = self._extraction.forgotten
        if forgotten is not None and forgotten.forgets_text(project):
            return False
        return self._memory.masked(project) == project

    @property
    def _projects(self) -> Projects:
        if self._known is None:
            self._known = read_projects(self._memory.journal)
        return self._known
