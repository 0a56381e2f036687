"""What is shared of a memory reaches the other agents, and leaves them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import StrataError
from strata.history.sharing import shares
from strata.jobs.language import spoken_language
from strata.jobs.other_agents import known_agents, opened, other_places, own_agents
from strata.jobs.shared_copies import copy_pages
from strata.jobs.sharing.standing import standing
from strata.messages import Voice
from strata.workspace.shared_pages import SharedPages, discard_copy, marked

if TYPE_CHECKING:
    from strata.memory import Memory


def publish(memory: Memory, *, anew: bool = False) -> list[str]:
    """
    Bring the shared page of the agent of *memory*, and all copies, up to date.

    It holds what is shared and still stands. *anew* makes the first page, also where the
    journal alone is left of one. Return which files of *memory* changed. It may be killed
    anywhere, and done again.
    """
    pages = SharedPages(memory.state_folder)
    if memory.parent or not (pages.exist or (anew and shares(memory.journal))):
        return []
    with pages.alone():
        if known := known_agents(memory):
            pages.keep(known)
        made = _pages(memory)
        changed = [agent for agent, page in made.items() if pages.read(agent) != page]
        for agent in changed:
            pages.write(agent, made[agent])
        for agent, place in other_places(memory):
            try:
                other = opened(memory, agent)
                other.unlock()
                copy_pages(other)
            except StrataError:
                # One that cannot be opened takes the page in again once it can.
                for each in changed:
                    discard_copy(place, each)
        return copy_pages(memory)


def publisher(memory: Memory) -> str:
    """Return the agent in whose name *memory* shares, "" where it is nobody's."""
    # Agents that work in one workspace have one memory.
    return next(iter(own_agents(memory)), "")


def _pages(memory: Memory) -> dict[str, str]:
    """Return the pages of all whose memory this is: the publisher's, and none else."""
    own = publisher(memory)
    pages = dict.fromkeys(own_agents(memory), "")
    return pages | {own: _page(memory, own)} if own else {}


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
