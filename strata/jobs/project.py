"""project: which projects memory knows, and what the owner decides about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.bank.names import key_of
from strata.bank.projects import MERGE, RENAME, SET
from strata.errors import NotAccepted, NotFound, UsageError
from strata.history.evidence import capture_records
from strata.history.names import PROJECT
from strata.jobs.inspect import entry_place
from strata.jobs.mentions import gather
from strata.jobs.projects.knowing import Known
from strata.jobs.projects.preferring import HERE, named, project_at
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import on_one_line
from strata.notes.markdown import heading, unbulleted
from strata.search.answering.citations import get, names_a_line
from strata.workspace.recalls import recall_key

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory

VERSION = 1
_SHORTEST_ID = 4
_LONGEST_NAME = 100
# What says that something is of no project.
_NONE = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """
    One project: its *name*, its *repository* where one is known, and its page in the bank.

    *entries* were said in its folder, on so many *days*, *last* being the last of them.
    """

    name: str
    repository: str
    entries: int
    days: int
    last: str
    page: str


def projects(memory: Memory) -> list[Row]:
    """Return what is known of each project, the one that was last at work first."""
    known = Known(memory)
    rows = [_row(known, each) for each in known.all()]
    return sorted(rows, key=lambda each: each.last, reverse=True)


def project_here(memory: Memory, folder: Path) -> Row:
    """Return the project *folder* is in; raise `NotFound` where it is in none."""
    return _row(Known(memory), named(memory, HERE, folder))


def place(
    memory: Memory, what: str, name: str, folder: Path, *, by_agent: bool = False
) -> tuple[str, int]:
    """
    Say that *what*, a line or a conversation, is of the project that *name* means.

    A line is a ``PATH:LINE`` or the start of an entry's id, a conversation its label or
    the start of its id; "-" is no project, "here" that of *folder*, and a name that nobody
    knows a new one, unless *by_agent*. Return what it is called, and how many lines
    it is said of. Raise `NotFound` where there is no such line or conversation.
    """
    known, called, project = Known(memory), "", ""
    if name.casefold() == HERE:
        project = project_at(memory, folder) or named(memory, HERE, folder)
        called = known.name_of(project)
    elif name != _NONE:
        called = _fit(memory, name)
        project = known.find(called)
        if by_agent and not project:
            raise NotAccepted.of("projects.only-the-owner")
        project = project or key_of(called)
    session, lines = _said(memory, what)
    told: dict[str, Any] = {"lines": sorted({recall_key(each) for each in lines})}
    told |= {"session": session} if session else {}
    if project and not known.find(called):
        told["called"] = called
    _decide(memory, SET, project, **told)
    return (Known(memory).name_of(project) if project else ""), len(lines)


def name_projects(memory: Memory, action: str, name: str, other: str) -> None:
    """
    Make the project *name* one with *other*, or call it by the name *other*.

    Raise `NotFound` where there is no such project.
    """
    folder = memory.workspace.root
    project = named(memory, name, folder)
    if action == MERGE:
        meant = named(memory, other, folder)
        if meant == project:
            raise UsageError.of("projects.one-already", first=name, second=other)
        _decide(memory, MERGE, project, other=meant)
        return
    called = _fit(memory, other)
    if (taken := Known(memory).find(called)) and taken != project:
        raise UsageError.of("projects.taken", name=called, action=MERGE)
    _decide(memory, RENAME, project, other=called)


def _decide(memory: Memory, action: str, project: str, **told: object) -> None:
    with alone(memory), recorded(memory, PROJECT, always=True) as run:
        record = {
            "event": PROJECT,
            "version": VERSION,
            "at": memory.now.isoformat(timespec="seconds"),
            "run": run.id,
            "action": action,
            PROJECT: project,
            **told,
        }
        memory.journal.append([record])


def _said(memory: Memory, what: str) -> tuple[str, list[str]]:
    """Return the conversation that *what* means, "" for a line, and its lines."""
    place = what if names_a_line(what) else ""
    records = capture_records(memory.journal)
    labels = {str(e["label"]): id_ for id_, found in records.items() for e in found}
    started = {each for each in records if each.startswith(what)}
    session = labels.get(what) or (started.pop() if len(started) == 1 else "")
    if not place and session and len(what) >= _SHORTEST_ID:
        own = {label for label, id_ in labels.items() if id_ == session}
        said = [f"- {e.entry}" for e in gather(memory) if e.label in own]
        return session, said
    place = place or entry_place(memory, what)
    if not place:
        raise NotFound.of("projects.no-line", what=what)
    passage = get(memory.workspace.root, place, 1)
    if heading(passage.text) or not unbulleted(passage.text):
        raise NotFound.of("projects.no-line", what=what)
    return "", [passage.text]


def _fit(memory: Memory, name: str) -> str:
    """Return *name* as notes may show it; raise `UsageError` where it can be none."""
    called = " ".join(on_one_line(memory.masked(name)).split())
    if key_of(called) in {"", HERE, _NONE} or len(called) > _LONGEST_NAME:
        raise UsageError.of("projects.no-name", most=_LONGEST_NAME)
    return called


def _row(known: Known, project: str) -> Row:
    worked = known.told.worked.get(project)
    days = sorted(worked.days) if worked else []
    return Row(
        name=known.name_of(project),
        repository=project if "/" in project else "",
        entries=worked.entries if worked else 0,
        days=len(days),
        last=days[-1] if days else "",
        page=known.page_of(project),
    )
