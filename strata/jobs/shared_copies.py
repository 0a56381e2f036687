"""What other agents share lies in the memory of an agent that reads it, as a copy."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from strata.jobs.other_agents import known_agents, own_agents
from strata.workspace.layout import SHARED_COPIES
from strata.workspace.shared_pages import (
    SharedPages,
    is_page,
    keep_from_git,
    page_name,
)

if TYPE_CHECKING:
    from strata.memory import Memory


def take_in(memory: Memory) -> list[str]:
    """
    Let *memory* hold the pages that it may read, and no other; return what changed.

    That is the owner's own memory of an agent that the settings let read them. A scope of
    others, and a workspace that is no agent's, hold none.
    """
    if memory.parent or copies_are_current(memory):
        return []
    pages = SharedPages(memory.state_folder)
    with pages.alone() if pages.exist else nullcontext():
        return copy_pages(memory)


def copies_are_current(memory: Memory) -> bool:
    """Say whether *memory* holds what it may read, and nothing else."""
    return _wanted(memory) == _held(memory)


def copy_pages(memory: Memory) -> list[str]:
    """Do what `take_in` does; the caller lets nobody else write pages."""
    wanted, held, changed = _wanted(memory), _held(memory), []
    if wanted:
        keep_from_git(memory.workspace.root)
    with memory.workspace.unrecorded():
        for path in held.keys() - wanted.keys():
            memory.workspace.remove(path, text=held[path])
            changed.append(path)
        for path, page in wanted.items():
            if memory.workspace.update(path, partial(_instead, page)):
                changed.append(path)
    return sorted(changed)


def _instead(page: str, _text: str) -> str:
    return page


def _held(memory: Memory) -> dict[str, str]:
    """Return the copies that lie in *memory*; what else lies there is somebody's own."""
    folder = memory.workspace.root / SHARED_COPIES
    paths = (f"{SHARED_COPIES}/{each.name}" for each in folder.glob("*.md"))
    texts = ((path, memory.workspace.read(path)) for path in paths)
    return {path: text for path, text in texts if is_page(text)}


def _wanted(memory: Memory) -> dict[str, str]:
    if memory.parent or not memory.settings.shared_read:
        return {}
    own, pages, found = own_agents(memory), SharedPages(memory.state_folder), {}
    # Where nobody can tell whose memory it is, it reads nothing.
    for agent in known_agents(memory) if own else ():
        path = f"{SHARED_COPIES}/{page_name(agent)}"
        if agent not in own and (page := _for(memory, path, pages.read(agent))):
            found[path] = page
    return found


def _for(memory: Memory, path: str, page: str) -> str:
    """Return *page* without what this *memory* has forgotten, or never keeps."""
    present = memory.workspace.read(path) if page else ""
    if not is_page(page) or (present and not is_page(present)):
        return ""
    lines = page.split("\n")
    gone = {n for n, line in enumerate(lines, 1) if memory.never_stored.holds(line)}
    if memory.has_forgotten:
        from strata.jobs.forgetting.recognition import (  # noqa: PLC0415 - few forget
            recogniser,
        )

        known = recogniser(memory)
        gone |= {said.number for said in known.lines(path, page)} if known else set()
    kept = [line for number, line in enumerate(lines, 1) if number not in gone]
    return "\n".join(kept) if any(each.startswith("- ") for each in kept) else ""
