"""Which blocks stand in the daily notes right now."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from strata.notes.daily import entry_lines, headings
from strata.notes.entries import render_entry
from strata.notes.marks import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import date

    from strata.models import Block, Fact
    from strata.workspace.files import Workspace


class Captured:
    """The blocks of all daily notes, archived ones too, as their headings tell."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._blocks: dict[str, list[Block]] = {}
        self._paths: dict[date, str] = {}
        for day, path in workspace.layout.daily_notes():
            self._paths.setdefault(day, path)
            for block in headings(workspace.read(path), day):
                self._blocks.setdefault(block.label, []).append(block)

    @property
    def labels(self) -> Collection[str]:
        """The label of every conversation that has a block."""
        return self._blocks.keys()

    def blocks(self, label: str) -> Sequence[Block]:
        """Return the blocks of the conversation that is called *label*."""
        return self._blocks.get(label, [])

    def digest(self, label: str) -> str:
        """Return what changes when a block of *label* comes or goes."""
        lines = sorted(
            f"{block.day} {block.time} {block.messages}" for block in self.blocks(label)
        )
        return hashlib.sha256("\n".join([label, *lines]).encode()).hexdigest()[:16]

    def path(self, day: date) -> str:
        """Return where the note of *day* lies, or where a new one belongs."""
        return self._paths.get(day) or self._workspace.layout.daily(day)

    def entries(self, label: str) -> set[str]:
        """Return what the notes in which *label* has blocks say already."""
        days = {block.day for block in self.blocks(label)}
        texts = (self._workspace.read(self.path(day)) for day in days)
        return {line for text in texts for line in entry_lines(text)}

    def add(self, block: Block, path: str) -> None:
        """Count *block*, which has just been written to *path*."""
        self._blocks.setdefault(block.label, []).append(block)
        self._paths.setdefault(block.day, path)


def fresh_entries(
    facts: Iterable[Fact], is_said: Callable[[str], bool]
) -> list[tuple[str, Fact]]:
    """Return the entries of *facts*, each once, that the notes do not say yet."""
    fresh: dict[str, tuple[str, Fact]] = {}
    for fact in facts:
        entry = render_entry(fact.entry)
        if entry and not is_said(folded(entry)):
            fresh.setdefault(folded(entry), (entry, fact))
    return list(fresh.values())
