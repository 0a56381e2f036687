"""Which projects there are, and of which one a line is: by its folder, by name, by word."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.bank.names import key_of
from strata.history.evidence import records_in
from strata.history.names import CAPTURED, PROJECT, UNDONE
from strata.history.records import undone_runs
from strata.notes.headings import as_day
from strata.notes.marks import line_key
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from strata.workspace.journal import Journal

SET, RENAME, MERGE = ACTIONS = ("set", "rename", "merge")
# It stands in every record that tells of one.
_SIGN = f'"{PROJECT}":'.encode()


@dataclass(slots=True)
class Decided:
    """
    The owner's word on projects, the latest of each kind.

    *lines* are of which project a line is, by its `recall_key`, *sessions* of which one a
    conversation is by its id. *merged* leads from one project to another, *called* tells
    what one is called. "" is none.
    """

    lines: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)

    def add(self, record: Mapping[str, Any]) -> None:
        """Take in a record of the journal."""
        name, other = str(record.get(PROJECT) or ""), str(record.get("other") or "")
        action = record.get("action")
        if action == MERGE and self.meant(other) != name:
            self.merged[name] = other
        elif action == RENAME:
            self.called[name] = other
        elif action == SET:
            if called := str(record.get("called") or ""):
                self.called.setdefault(name, called)
            self.lines |= dict.fromkeys(map(str, record.get("lines") or ()), name)
            if session := record.get("session"):
                self.sessions[str(session)] = name

    def meant(self, project: str) -> str:
        """Return the project that *project* was made one with, itself where it was not."""
        for _ in self.merged:
            project = self.merged.get(project, project)
        return project


@dataclass(slots=True)
class Worked:
    """How much memory has of a project: its *entries*, and the *days* of its blocks."""

    entries: int = 0
    days: set[str] = field(default_factory=set)


class Projects:
    """
    The projects of one memory, as its journal tells.

    A project is known by the name of its repository, such as ``github.com/ada/heron``, and
    is called by the last part of it, or of more where two have the same.
    """

    def __init__(self, captured: Iterable[Mapping[str, Any]], decided: Decided) -> None:
        self.decided = decided
        self._lines: dict[tuple[str, str], str] = {}
        self._sessions: dict[str, tuple[str, str]] = {}
        self.worked: defaultdict[str, Worked] = defaultdict(Worked)
        for record in captured:
            self._take(record)
        for each in (*decided.sessions.values(), *decided.lines.values()):
            if each:
                _ = self.worked[decided.meant(each)]
        self._names = dict(_names(self.worked, decided))
        self._by_key = {key_of(name): each for each, name in self._names.items()}

    def __bool__(self) -> bool:
        """Tell whether any is known."""
        return bool(self.worked)

    def name_of(self, project: str) -> str:
        """Return what *project* is called."""
        meant = self.decided.meant(project)
        return self._names.get(meant) or self.decided.called.get(meant) or _tail(meant)

    def find(self, name: str) -> str:
        """Return the project that *name* means, or "": its repository, or its name."""
        meant = self.decided.meant(name.casefold())
        if meant in self.worked:
            return meant
        key = key_of(name)
        if key in self._by_key:
            return self._by_key[key]
        ends = [e for e in self.worked if key in {e, _tail(e)} or e.endswith(f"/{key}")]
        merged = {self.decided.meant(e) for e in self.decided.merged if _tail(e) == key}
        found = {*ends, *merged}
        return found.pop() if len(found) == 1 else ""

    def given_names(self) -> Iterator[tuple[str, str]]:
        """Yield the names that the owner gave, with the project of each."""
        for project, name in self.decided.called.items():
            if name and self.decided.meant(project) in self.worked:
                yield name, self.decided.meant(project)

    def of_line(self, days: Iterable[date], line: str) -> str | None:
        """
        Return the project of *line*, said on one of *days*, by folder or the owner's word.

        "" where the owner says that it is none, and None where nothing tells.
        """
        if self.decided.lines:
            told = self.decided.lines.get(recall_key(line))
            if told is not None:
                return self.decided.meant(told)
        if not self._lines or not line.strip():
            return None
        key = line_key(line)
        for day in days:
            if found := self._lines.get((day.isoformat(), key)):
                return found
        return None

    def is_decided(self, line: str) -> bool:
        """Tell whether the owner said of which project *line* is."""
        return bool(self.decided.lines) and recall_key(line) in self.decided.lines

    def of_conversation(self, name: str) -> tuple[str, str]:
        """Return the last project of the conversation *name*, id or key, and the day."""
        return self._sessions.get(name, ("", ""))

    def _take(self, record: Mapping[str, Any]) -> None:
        project = self.decided.meant(str(record.get(PROJECT) or ""))
        day = str(record.get("day"))
        if not project or as_day(day) is None:
            return
        fresh = 0
        for entry in records_in(record.get("entries")):
            if line := entry.get("line"):
                fresh += (day, line) not in self._lines
                self._lines[day, str(line)] = project
        worked = self.worked[project]
        worked.entries += fresh
        worked.days.add(day)
        for name in ("session", "session_key"):
            if told := str(record.get(name) or ""):
                self._sessions[told] = project, day


def read_projects(journal: Journal) -> Projects:
    """Return the projects that *journal* tells of."""
    told = list(journal.records(CAPTURED, PROJECT, suits=lambda line: _SIGN in line))
    decisions = [each for each in told if each["event"] == PROJECT]
    undone = undone_runs(journal.records(UNDONE)) if decisions else frozenset()
    decided = Decided()
    for record in decisions:
        if record.get("run") not in undone:
            decided.add(record)
    return Projects((e for e in told if e["event"] == CAPTURED), decided)


def _names(projects: Iterable[str], decided: Decided) -> Iterator[tuple[str, str]]:
    """Yield what each of *projects* is called: as little of it as tells it from others."""
    every = list(projects)
    for each in every:
        parts = each.split("/")
        name = decided.called.get(each, "")
        for size in range(1, len(parts) + 1):
            end = "/".join(parts[-size:])
            if sum(o == end or o.endswith(f"/{end}") for o in every) == 1:
                name = name or end
        yield each, name or each


def _tail(project: str) -> str:
    return project.rpartition("/")[2]
