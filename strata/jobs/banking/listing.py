"""Who and what has a page, how much is known of each, and which names are in doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.bank.names import key_of
from strata.bank.pages import EXPERIENCE, OPINIONS, WORLD
from strata.jobs.banking.knowing import counted_lines, heard_names, known_entities
from strata.workspace.layout import BANK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.banking.knowing import KnownEntity
    from strata.memory import Memory

# The pages that are of nobody in particular.
LISTS = (OPINIONS, WORLD, EXPERIENCE)


@dataclass(frozen=True, slots=True)
class Listed:
    """An entity, how many *lines* its page has, and the day of the *last* of them."""

    entity: KnownEntity
    lines: int
    last: str

    @property
    def folder(self) -> str:
        """Where its page is: people, projects or things."""
        return self.entity.path.removeprefix(f"{BANK}/").partition("/")[0]


def listed_entities(memory: Memory) -> list[Listed]:
    """Return all who have a page, those first of whom there was talk last."""
    counted = counted_lines(memory)
    rows = [
        Listed(each, *counted.get(each.path, (0, "")))
        for each in known_entities(memory)
    ]
    rows.sort(key=lambda row: key_of(row.entity.names[0]))
    return sorted(rows, key=lambda row: row.last, reverse=True)


def called_like(rows: Sequence[Listed], words: str) -> list[Listed]:
    """Return those of *rows* that have a name in which *words* stand."""
    wanted = key_of(words)
    return [
        row for row in rows if any(wanted in key_of(each) for each in row.entity.names)
    ]


def doubts(memory: Memory) -> dict[str, tuple[str, ...]]:
    """Return each name that may mean several, with the names of those."""
    called = {
        key_of(form): each.names[0]
        for each in known_entities(memory)
        for form in each.names
    }
    return {
        each.name: tuple(called.get(key, key) for key in each.among)
        for each in heard_names(memory)
        if each.among
    }
