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
    An entry of MEMORY.md.

    *days* are those on which it was said, the oldest first; *pinned* lines never leave by
    themselves.
    """

    text: str
    days: tuple[date, ...]
    importance: int
    triggers: tuple[str, ...] = ()
    pinned: bool = False


def render_line(line: Line) -> str:
    """Return *line* as it stands in MEMORY.md, without its end."""
    comments = [f"importance: {line.importance}"]
    phrases = [_NOT_IN_A_TRIGGER.sub(" ", phrase).strip() for phrase in line.triggers]
    if any(phrases):
        comments.append(f"trigger: {', '.join(phrase for phrase in phrases if phrase)}")
    if line.pinned:
        comments.append("keep")
    marks = "".join(f" <!-- {comment} -->" for comment in comments)
    return f"- {with_source(one_line(line.text), line.days)}{marks}"


def said_by(raw: str) -> str:
    """Return what any line of MEMORY.md says, without bullet, source and comments."""
    return one_line(unmarked(raw))
