"""A model is asked before memory is locked: nobody waits for it but the job that asks."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from strata.workspace.locks import exclusive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

LOCK_SECONDS = 120.0


def has_model(memory: Memory) -> bool:
    """Say whether there is a model to be asked, without opening it."""
    return bool(memory.model_if_open) or memory.settings.model_provider != "none"


@contextmanager
def thinking(memory: Memory) -> Iterator[None]:
    """
    Let one job at a time ask, so that no question is paid for twice.

    What is answered is kept, and found again under the lock of memory, which is not held
    meanwhile. Raise `Busy` where another job asks for longer than two minutes.
    """
    memory.workspace.make_private()
    before = forgotten_state(memory)
    with exclusive(
        memory.workspace.layout.private / "locks" / "asking.lock",
        timeout_seconds=LOCK_SECONDS,
        doing="waiting",
    ):
        try:
            yield
        finally:
            if forgotten_state(memory) != before:
                _drop_answers(memory)


def _all(memory: Memory) -> Iterator[Memory]:
    """Yield *memory* and those of every scope."""
    yield memory
    for scope in memory.scopes.names():
        yield memory.within(scope)


def forgotten_state(memory: Memory) -> set[str]:
    """Return what changes whenever anything is forgotten in *memory* or a scope."""
    return {
        f"{each.scope} {each.tombstones.state()}"
        for each in _all(memory)
        if each.tombstones.exist
    }


def _drop_answers(memory: Memory) -> None:
    # What was forgotten meanwhile may be in what the model had read.
    for each in _all(memory):
        for answer in each.workspace.layout.model_cache_folder.glob("*.json"):
            each.workspace.remove_private(answer)
