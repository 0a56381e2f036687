"""
The daily note: one block for each stretch of a conversation.

Agents and people write into the same file. What is not a block of ours is kept as it
stands, byte for byte, and a block that somebody has edited is still known by its heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.models import Block

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

HEADING = re.compile(
    r"^## (?P<time>[01]\d:[0-5]\d|2[0-3]:[0-5]\d) session:(?P<label>[0-9A-Za-z_.-]+)"
    r" \| (?P<messages>[1-9][0-9]{0,8}) messages?[ \t]*\r?$",
    re.MULTILINE,
)
_BLOCK = re.compile(
    r"^## (?P<time>[01]\d:[0-5]\d|2[0-3]:[0-5]\d) session:(?P<label>[0-9A-Za-z_.-]+)"
    r" \| (?P<messages>[1-9][0-9]{0,8}) messages?\n(?P<entries>(?:- .*\n)+)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class DailyNote:
    """A note as parts in order: our blocks, and text of others that is kept verbatim."""

    day: date
    parts: tuple[Block | str, ...] = ()

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Only our own parts."""
        return tuple(part for part in self.parts if isinstance(part, Block))


def parse_daily(text: str, day: date) -> DailyNote:
    """Take the note of *day* apart; `render_daily` puts the same bytes together again."""
    return DailyNote(day, tuple(_parts(text, day)))


def render_daily(note: DailyNote) -> str:
    """Put a note together from its parts."""
    return "".join(
        render_block(part) if isinstance(part, Block) else part for part in note.parts
    )


def render_block(block: Block) -> str:
    """Return the lines of *block*, its heading first, each ended by a newline."""
    noun = "message" if block.messages == 1 else "messages"
    heading = f"## {block.time} session:{block.label} | {block.messages} {noun}\n"
    return heading + "".join(f"- {entry}\n" for entry in block.entries)


def add_block(text: str, block: Block) -> str:
    """Return *text* with *block* at its end; nothing that was there changes."""
    if not text.strip():
        return f"# {block.day.isoformat()}\n\n{render_block(block)}"
    ended = text if text.endswith("\n") else f"{text}\n"
    gap = "" if ended.endswith("\n\n") else "\n"
    return f"{ended}{gap}{render_block(block)}"


def replace_block(text: str, *, old: Block, new: Block) -> str:
    """Return *text* with *new* where *old* stands, to the letter; else *text*."""
    return text.replace(render_block(old), render_block(new), 1)


def headings(text: str, day: date) -> Iterator[Block]:
    """Yield every block of ours as its heading tells, whatever became of its entries."""
    for found in HEADING.finditer(text):
        yield Block(day, found["time"], found["label"], int(found["messages"]))


def entry_lines(text: str) -> set[str]:
    """Return what the bullet lines of *text* say, folded for comparison."""
    return {
        folded(line[2:]) for line in text.splitlines() if line.startswith(("- ", "* "))
    }


def folded(entry: str) -> str:
    """Return *entry* without its tag, its case and its white space."""
    untagged = re.sub(r"^\[[^\]]{2,12}\]\s*", "", entry.strip())
    return re.sub(r"\s+", " ", untagged).casefold()


def _parts(text: str, day: date) -> Iterator[Block | str]:
    position = 0
    for found in _BLOCK.finditer(text):
        block = _block(found, day)
        if render_block(block) != found[0]:
            continue
        if found.start() > position:
            yield text[position : found.start()]
        yield block
        position = found.end()
    if position < len(text):
        yield text[position:]


def _block(found: re.Match[str], day: date) -> Block:
    lines: Iterable[str] = found["entries"].split("\n")[:-1]
    return Block(
        day,
        found["time"],
        found["label"],
        int(found["messages"]),
        tuple(line[2:] for line in lines),
    )
