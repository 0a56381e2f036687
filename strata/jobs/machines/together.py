"""The moments at which machines tell each other; a memory on one machine has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.jobs.undoing.runs import alone

if TYPE_CHECKING:
    from strata.memory import Memory


def together(memory: Memory) -> list[str]:
    """
    Let this machine and those that share *memory*, if any, tell each other.

    Return the notes that changed here. The caller lets no other job in.
    """
    if memory.machines is None:
        return []
    from strata.jobs.machines.exchange import exchange  # noqa: PLC0415 - few have several

    return exchange(memory).paths


def tell_others(memory: Memory) -> list[str]:
    """Do as `together` does, letting no other job in."""
    if memory.machines is None:
        return []
    with alone(memory):
        return together(memory)
