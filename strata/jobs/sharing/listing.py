"""What one agent shares, and what it reads of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.history.sharing import Share, shares
from strata.jobs.shared_copies import take_in
from strata.jobs.sharing.reading import SharedLine, reading_agents, shared_lines
from strata.jobs.sharing.standing import holding

if TYPE_CHECKING:
    from strata.memory import Memory


@dataclass(frozen=True, slots=True)
class Own:
    """A line that is *shared*; where it *stands* no more, nobody reads it."""

    shared: Share
    stands: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """
    What an agent shares as its *own* and who its *readers* are, and what it reads.

    *others* are the lines of other agents, none where it *reads* none by its settings.
    """

    own: tuple[Own, ...]
    readers: tuple[str, ...]
    others: tuple[SharedLine, ...]
    reads: bool


def listing(memory: Memory) -> Listed:
    """Return what *memory* shares, and what is shared with it."""
    take_in(memory)
    shared = shares(memory.journal)
    held = holding(memory, shared) if shared else []
    others = tuple(shared_lines(memory))
    memory.saw(*(f"{e.path}#L{e.number}-L{e.number}" for e in others))
    return Listed(
        tuple(Own(each, each in held) for each in shared),
        tuple(reading_agents(memory)) if shared else (),
        others,
        memory.settings.shared_read,
    )
