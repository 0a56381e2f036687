"""One line of MEMORY.md: what it says, since when, and when OpenClaw should recall it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from strata.notes.entries import one_line

_LINE = re.compile(
    r"- (?P<text>.+?) \(src: (?P<days>20\d\d-\d\d-\d\d(?:, 20\d\d-\d\d-\d\d)*)\)"
    r"(?P<comments>(?: <!-- [^<>]* -->)*)"
)
_COMMENT = re.compile(r"<!--\s*(?P<key>[a-z]+)(?::\s*(?P<value>.*?))?\s*-->")
# What would end a comment, or stand for two phrases.
_NOT_IN_A_TRIGGER = re.compile(r"[<>,;]|--+")
KEEP = re.compile(r"<!--\s*keep\s*-->")


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
    days = ", ".join(day.isoformat() for day in line.days)
    comments = [f"importance: {line.importance}"]
    phrases = [_NOT_IN_A_TRIGGER.sub(" ", phrase).strip() for phrase in line.triggers]
    if any(phrases):
        comments.append(f"trigger: {', '.join(phrase for phrase in phrases if phrase)}")
    if line.pinned:
        comments.append("keep")
    marks = "".join(f" <!-- {comment} -->" for comment in comments)
    return f"- {one_line(line.text)} (src: {days}){marks}"


def parse_line(raw: str) -> Line | None:
    """Return what a line of Strata's form says, or None for any other."""
    found = _LINE.fullmatch(raw)
    if not found:
        return None
    values = {c["key"]: c["value"] or "" for c in _COMMENT.finditer(found["comments"])}
    phrases = (phrase.strip() for phrase in values.get("trigger", "").split(","))
    try:
        days = tuple(date.fromisoformat(day) for day in found["days"].split(", "))
        importance = int(values.get("importance", "5"))
    except ValueError:
        return None
    triggers = tuple(phrase for phrase in phrases if phrase)
    return Line(found["text"], days, importance, triggers, "keep" in values)


def said_by(raw: str) -> str:
    """Return what any line of MEMORY.md says, without bullet, source and comments."""
    bare = re.sub(r"<!--.*?-->", " ", raw)
    bare = re.sub(r"\(src: [^)]*\)", " ", bare)
    return one_line(bare)
