"""The memories of the other agents of the same OpenClaw, whose owner is one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from strata.errors import OpenClawNotFound, StrataError
from strata.workspace import openclaw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from strata.memory import Memory


def known_agents(memory: Memory) -> list[str]:
    """Return the agents that OpenClaw's configuration names, none where it is broken."""
    with suppress(OpenClawNotFound):
        return openclaw.agents(memory.state_folder)
    return []


def own_agents(memory: Memory) -> list[str]:
    """Return those that work in the workspace of *memory*, none where it is nobody's."""
    with suppress(OpenClawNotFound):
        return openclaw.agents_of(memory.state_folder, memory.workspace.root)
    return []


def other_places(memory: Memory) -> Iterator[tuple[str, Path]]:
    """Yield each other agent that has a workspace, once where several have the same."""
    seen = {memory.workspace.root}
    for agent in known_agents(memory):
        place = openclaw.workspace_folder(None, memory.state_folder, agent).resolve()
        if place.is_dir() and place not in seen:
            seen.add(place)
            yield agent, place


def other_memories(memory: Memory) -> Iterator[tuple[str, Memory]]:
    """Yield the memory of each other agent that can be opened, locked ones too."""
    for agent, _ in other_places(memory):
        with suppress(StrataError):
            yield agent, opened(memory, agent)


def opened(memory: Memory, agent: str) -> Memory:
    """Open the memory of another *agent*, at the same moment; raise as `Memory.open`."""
    other = type(memory).open(
        state_dir=str(memory.state_folder),
        agent=agent,
        now=memory.now.isoformat(),
        locked=True,
    )
    if memory.workspace.witness:
        told = memory.workspace.witness
        other.watch_over(told.who, told.what)
    return other
