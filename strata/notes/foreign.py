"""
What a note says, whoever wrote it: our blocks, lists, tables and plain paragraphs.

OpenClaw, older tools and people write into the same daily notes, each in a form of their
own; a heading like "Decisions" tells what kind of statement the lines below it are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.models import Tag
from strata.notes.daily import HEADING
from strata.notes.entries import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(\S.*)")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$|\s*\|?[\s:|-]*-{2,}[\s:|-]*\|?\s*$")
_ROW = re.compile(r"\s*\|(.+)\|\s*$")
_BOLD_HEADING = re.compile(
    r"\s*(?:\*\*|__)([^*_]{1,60}?)[:\uff1a]?(?:\*\*|__)[:\uff1a]?\s*$"
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_KINDS = (
    (Tag.DECISION, re.compile(r"decision|decided|决策|决定", re.IGNORECASE)),
    (
        Tag.FINDING,
        re.compile(r"finding|learn|lesson|insight|发现|结论|经验", re.IGNORECASE),
    ),
    (Tag.PREFERENCE, re.compile(r"preference|偏好|喜好|习惯", re.IGNORECASE)),
    (Tag.TASK, re.compile(r"\btasks?\b|to-?do|next step|任务|待办", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class Told:
    """One statement of a note; *kind* is what the heading above it says that it is."""

    text: str
    ours: bool
    kind: Tag | None = None


def statements_in(note: str) -> Iterator[Told]:
    """Yield what *note* says, in its order; headings, rules and code say nothing."""
    reader = _Reader()
    for line in _COMMENT.sub("", note).split("\n"):
        yield from reader.read(line.rstrip("\r"))
    yield from reader.end()


class _Reader:
    """Reads a note line by line; a paragraph ends where something else begins."""

    def __init__(self) -> None:
        self._paragraph: list[str] = []
        self._ours = self._in_list = self._fenced = False
        self._kind: Tag | None = None

    def read(self, line: str) -> Iterator[Told]:
        if _FENCE.match(line):
            yield from self.end()
            self._fenced = not self._fenced
        elif self._fenced:
            return
        elif heading := _heading(line):
            yield from self.end()
            self._ours = HEADING.match(line) is not None
            self._kind = None if self._ours else _kind_of(heading)
        elif found := _BULLET.match(line):
            yield from self.end()
            self._paragraph, self._in_list = [found[1]], True
        elif not line.strip() or _RULE.match(line):
            yield from self.end()
        elif row := _ROW.match(line):
            yield from self.end()
            cells = [cell.strip() for cell in row[1].split("|")]
            yield from self._tell(" | ".join(cell for cell in cells if cell))
        else:
            if self._in_list and not line[:1].isspace():
                yield from self.end()
            self._paragraph.append(line.strip())

    def end(self) -> Iterator[Told]:
        """Yield the paragraph or list item that was read so far."""
        text, listed = " ".join(self._paragraph), self._in_list
        self._paragraph, self._in_list = [], False
        yield from self._tell(text, listed=listed)

    def _tell(self, text: str, *, listed: bool = False) -> Iterator[Told]:
        line = one_line(text)
        if line and listed:
            yield Told(line, self._ours, None if self._ours else self._kind)
        elif line:
            yield Told(line, ours=False)


def _heading(line: str) -> str:
    if line.lstrip("\ufeff").startswith("#"):
        return line.lstrip("\ufeff# ").strip() or "#"
    found = _BOLD_HEADING.match(line)
    return found[1] if found else ""


def _kind_of(heading: str) -> Tag | None:
    return next((tag for tag, words in _KINDS if words.search(heading)), None)
