"""Who reads what is shared, and which lines those are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import NotFound
from strata.jobs.other_agents import other_memories
from strata.messages import Notice
from strata.search.answering.citations import get
from strata.workspace.layout import SHARED_COPIES
from strata.workspace.shared_pages import is_page, page_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

# A line of a page ends with whom it is from, in brackets of either language.
_LINE = re.compile(r"- (?P<text>.+?) ?[(\uff08](?P<label>[^()\uff08\uff09]*)[)\uff09]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class SharedLine:
    """A line of a copy: where it stands, what it says with whom it is from, and its day."""

    path: str
    number: int
    text: str
    day: str


def shared_lines(memory: Memory) -> Iterator[SharedLine]:
    """Yield what the other agents share with *memory*."""
    for file in sorted((memory.workspace.root / SHARED_COPIES).glob("*.md")):
        path = f"{SHARED_COPIES}/{file.name}"
        page = memory.workspace.read(path)
        for number, line in enumerate(page.split("\n") if is_page(page) else (), 1):
            if found := _LINE.fullmatch(line):
                day = _DAY.search(found["label"])
                yield SharedLine(path, number, line[2:], day[0] if day else "")


def reading_agents(memory: Memory) -> Iterator[str]:
    """Yield the other agents whose settings let them read what is shared."""
    for agent, other in other_memories(memory):
        if other.settings.shared_read:
            yield agent


def line_of_copy(memory: Memory, citation: str) -> tuple[Memory, str]:
    """Return the memory that shares the line *citation* of a copy, and what that says."""
    passage = get(memory.workspace.root, citation, 1)
    found = _LINE.fullmatch(passage.text)
    name = passage.path.rpartition("/")[2]
    for agent, other in other_memories(memory):
        if found and page_name(agent) == name:
            other.unlock()
            return other, found["text"]
    raise NotFound(Notice("share.no-such", what=citation))
