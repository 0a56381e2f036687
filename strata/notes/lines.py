"""One line of MEMORY.md: what it says, since when, and when OpenClaw should recall it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.notes.entries import one_line
from strata.notes.marks import unmarked, with_source

if TYPE_CHECKING:
    from datetime import date

# What would end a comment, or stand for two phrases.
_NOT_IN_A_TRIGGER = re.compile(r"[<>,;]|--+")


@dataclass(frozen=True, slots=True)
class Line:
    """
    An entry of MEMORY.md; all that nobody reads there is in the journal.

    *day* is the newest on which it was said as it stands, None where there is no room.
    """

    text: str
    day: date | None
    triggers: tuple[str, ...] = ()


def render_line(line: Line) -> str:
    """Return *line* as it stands in MEMORY.md, without its end."""
    said = f"- {one_line(line.text)}"
    if line.day is not None:
        said = with_source(said, [line.day])
    cleaned = (_NOT_IN_A_TRIGGER.sub(" ", each).strip() for each in line.triggers)
    phrases = ", ".join(filter(None, cleaned))
    return f"{said} <!-- trigger: {phrases} -->" if phrases else said


def said_by(raw: str) -> str:
    """Return what any line of MEMORY.md says, without bullet, source and comments."""
    return one_line(unmarked(raw))
