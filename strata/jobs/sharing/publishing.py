"""What is shared of a memory reaches the other agents, and leaves them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import OpenClawNotFound, StrataError
from strata.history.sharing import shares
from strata.jobs.language import spoken_language
from strata.jobs.sharing.copying import copy_pages
from strata.jobs.sharing.reading import opened
from strata.jobs.sharing.standing import standing
from strata.messages import Voice
from strata.workspace import openclaw
from strata.workspace.files import Workspace
from strata.workspace.shared_pages import SharedPages, discard_copies, marked

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory


def publish(memory: Memory, *, anew: bool = False) -> list[str]:
    """
    Bring the shared page of the agent of *memory*, and all copies, up to date.

    It holds what is shared and still stands. *anew* is for where no page may be left of
    what the journal tells: after an uninstalling, say. Return which files of *memory*
    changed. It may be killed anywhere, and done again.
    """
    pages = SharedPages(memory.state_folder)
    if memory.parent or not (pages.exist or (anew and shares(memory.journal))):
        return []
    with pages.alone():
        known = _agents(memory)
        pages.keep(known)
        changed = False
        # Agents that work in one workspace have one memory.
        if own := publisher(memory):
            page = _page(memory, own)
            changed = pages.read(own) != page
            pages.write(own, page)
        for agent in known:
            place = openclaw.workspace_folder(None, memory.state_folder, agent)
            if place.is_dir() and place.resolve() != memory.workspace.root:
                _bring_up(memory, agent, place, changed=changed)
        return copy_pages(memory)


def publisher(memory: Memory) -> str:
    """Return the agent in whose name *memory* shares, "" where it is nobody's."""
    try:
        root = memory.workspace.root
        return next(iter(openclaw.agents_of(memory.state_folder, root)), "")
    except OpenClawNotFound:
        return ""


def _agents(memory: Memory) -> list[str]:
    try:
        return openclaw.agents(memory.state_folder)
    except OpenClawNotFound:
        return []


def _bring_up(memory: Memory, agent: str, place: Path, *, changed: bool) -> None:
    """Let the memory of *agent* hold what it may; one that is locked holds nothing old."""
    try:
        other = opened(memory, agent)
        other.unlock()
        if memory.workspace.witness:
            other.watch_over(memory.workspace.witness.who, "share")
        copy_pages(other)
    except StrataError:
        if changed:
            discard_copies(Workspace(place).root)


def _page(memory: Memory, agent: str) -> str:
    found = standing(memory)
    if not found:
        return ""
    say = Voice("share", spoken_language(memory))
    lines = [
        say("line", text=each.text, agent=agent, day=each.day, source=each.source)
        for each in found
    ]
    head = [marked(say("title", agent=agent)), "", f"> {say('head', agent=agent)}", ""]
    return "\n".join([*head, *lines]) + "\n"
