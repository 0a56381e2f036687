"""Which blocks stand in the daily notes right now."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from strata.notes.daily import headings, put_block
from strata.notes.entries import render_entry
from strata.notes.headings import is_title
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

    def put(self, block: Block | None, path: str, *, old: Block | None) -> None:
        """Count *block*, which has just taken the place of *old* in *path*."""
        if old is not None:
            standing = self._blocks[old.label]
            standing.remove(replace(old, entries=()))
        if block is not None:
            self._blocks.setdefault(block.label, []).append(replace(block, entries=()))
            self._paths.setdefault(block.day, path)


def write_block(
    workspace: Workspace, path: str, new: Block | None, *, old: Block | None = None
) -> bool:
    """
    Put *new* into the note *path* in the place of *old*; say whether that changed it.

    A note of which nothing but its title is left goes.
    """
    if not workspace.update(path, partial(put_block, new=new, old=old)):
        return False
    text = workspace.read(path)
    if new is None and all(is_title(line) for line in text.split("\n") if line):
        workspace.remove(path, text=text)
    return True


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
