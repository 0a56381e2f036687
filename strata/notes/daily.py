"""
The daily note: one block for each stretch of a conversation.

Agents and people write into the same file. What is not a block of ours is kept as it
stands, byte for byte, and a block that somebody has edited is still known by its heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from strata.models import Block
from strata.notes.headings import (
    OURS,
    SESSION,
    Session,
    retaining,
    session_heading,
    session_of,
    sessions_in,
)
from strata.notes.markdown import heading, in_code, is_item, lines_of, unbulleted
from strata.notes.marks import folded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

_ENTRIES = re.compile(r"\n((?:- .*\n)+)")


@dataclass(frozen=True, slots=True)
class DailyNote:
    """A note as parts in order: our blocks, and text of others that is kept verbatim."""

    day: date
    parts: tuple[Block | str, ...] = ()

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Only our own parts."""
        return tuple(part for part in self.parts if isinstance(part, Block))


class Item(NamedTuple):
    """
    A bullet at line *number*, without its bullet; *block* is None where others wrote.

    Below a heading "Retain" *retained* counts the bullets from 1; elsewhere it is 0.
    """

    number: int
    said: str
    block: Session | None
    retained: int = 0


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
    told = session_heading(Session(block.time, block.label, block.messages))
    return "".join([f"{told}\n", *(f"- {entry}\n" for entry in block.entries)])


def put_block(text: str, new: Block | None, *, old: Block | None = None) -> str:
    """
    Return *text* with *new* among our blocks, where its time puts it.

    It takes the place of *old*; where that no longer stands to the letter, *text* stays.
    What others wrote is not moved, whatever time it is of.
    """
    if old is not None:
        standing = render_block(old)
        place = text.find(standing)
        if place < 0 or text.startswith("- ", place + len(standing)):
            return text
        later = _headings(text[place + len(standing) :])
        if new and all(_order(told) > _order(new) for _, told in later):
            return text.replace(standing, render_block(new), 1)
        text = _without(text, place, len(standing))
    if new is None:
        return text
    if not text.strip():
        return f"# {new.day.isoformat()}\n\n{render_block(new)}"
    places = (at for at, told in _headings(text) if _order(told) > _order(new))
    place = next(places, len(text))
    before, after = text[:place], text[place:]
    return _ended(before) + render_block(new) + (f"\n{after}" if after else "")


def headings(text: str, day: date) -> Iterator[Block]:
    """Yield every block of ours as its heading tells, whatever became of its entries."""
    return (Block(day, *session) for session in sessions_in(text))


def items(text: str) -> Iterator[Item]:
    """Yield every item of a list in *text*, whoever wrote it; code has none."""
    lines = lines_of(text)
    blocks = {at: told for at, line in enumerate(lines) if (told := session_of(line))}
    code = in_code(lines, blocks)
    block: Session | None = None
    level = count = 0
    for place, line in enumerate(lines):
        found = heading(line) if place in blocks or place not in code else None
        if found:
            block, level = blocks.get(place), retaining(found, level)
        elif place not in code and is_item(line) and (said := unbulleted(line)):
            count += bool(level)
            yield Item(place + 1, said, block, count if level else 0)


def heading_above(text: str, number: int) -> tuple[str, Session | None]:
    """Return the heading below which line *number* stands, and the block it opens."""
    lines = lines_of(text)
    blocks = [place for place, line in enumerate(lines) if session_of(line)]
    code = in_code(lines, blocks)
    for place in range(min(number - 1, len(lines)) - 1, -1, -1):
        if place not in code and (found := heading(lines[place])):
            return found.title, session_of(lines[place])
    return "", None


def entry_lines(text: str) -> set[str]:
    """Return what the bullet lines of *text* say, folded for comparison."""
    return {
        folded(line[2:]) for line in text.splitlines() if line.startswith(("- ", "* "))
    }


def _headings(text: str) -> Iterator[tuple[int, Session]]:
    """Yield where each block of ours begins, and what the owner told Strata itself."""
    for found in OURS.finditer(text):
        yield found.start(), session_of(found[0]) or Session(found["at"], "", 0)


def _order(told: Session | Block) -> tuple[str, str, int]:
    return told.time, told.label, told.messages


def _ended(text: str) -> str:
    """Return *text* with an empty line at its end."""
    ended = text if text.endswith("\n") or not text else f"{text}\n"
    return ended if ended.endswith("\n\n") or not ended else f"{ended}\n"


def _without(text: str, place: int, length: int) -> str:
    """Return *text* without the block at *place*, nor the empty line that parted it."""
    before, after = text[:place], text[place + length :]
    if after.startswith("\n"):
        return before + after[1:]
    return before + after if after else before.removesuffix("\n")


def _parts(text: str, day: date) -> Iterator[Block | str]:
    position = 0
    for found in SESSION.finditer(text):
        entries = _ENTRIES.match(text, found.end())
        if found.start() < position or entries is None:
            continue
        told = tuple(line[2:] for line in entries[1].split("\n")[:-1])
        block = Block(day, found["time"], found["label"], int(found["messages"]), told)
        if render_block(block) != text[found.start() : entries.end()]:
            continue
        if found.start() > position:
            yield text[position : found.start()]
        yield block
        position = entries.end()
    if position < len(text):
        yield text[position:]
