"""
What a note says, whoever wrote it: our blocks, lists, tables and plain paragraphs.

OpenClaw, older tools and people write into the same daily notes, each in a form of their
own; a heading like "Decisions" tells what kind of statement the lines below it are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from strata.models import Tag
from strata.notes.entries import one_line
from strata.notes.headings import retaining, session_of
from strata.notes.markdown import heading, in_code, is_item, lines_of, unbulleted
from strata.notes.words import LANGUAGES, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$|\s*\|?[\s:|-]*-{2,}[\s:|-]*\|?\s*$")
_ROW = re.compile(r"\s*\|(.+)\|\s*$")
_BOLD_HEADING = re.compile(
    r"\s*(?:\*\*|__)([^*_]{1,60}?)[:\uff1a]?(?:\*\*|__)[:\uff1a]?\s*$"
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Told:
    """One statement of a note; *kind* is what the heading above it says that it is."""

    text: str
    ours: bool
    kind: Tag | None = None


def statements_in(note: str) -> Iterator[Told]:
    """Yield what *note* says, in its order; headings, rules and code say nothing."""
    lines = lines_of(_COMMENT.sub("", note))
    ours = {place for place, line in enumerate(lines) if session_of(line)}
    code = in_code(lines, ours)
    reader = _Reader()
    for place, line in enumerate(lines):
        if place in code:
            yield from reader.end()
        else:
            yield from reader.read(line, opens=place in ours)
    yield from reader.end()


class _Reader:
    """Reads a note line by line; a paragraph ends where something else begins."""

    def __init__(self) -> None:
        self._paragraph: list[str] = []
        self._ours = self._in_list = False
        self._kind: Tag | None = None
        self._retaining = 0

    def read(self, line: str, *, opens: bool) -> Iterator[Told]:
        """Yield what ends where *line* begins; a block of ours may be what it *opens*."""
        if title := _title(line):
            yield from self.end()
            if found := heading(line):
                self._retaining = retaining(found, self._retaining)
            self._ours = opens
            self._kind = None if self._ours else _kind_of(title)
        elif self._retaining:
            # It says again what was said, as far as it counts; the note keeps it.
            return
        elif is_item(line) and (said := unbulleted(line)):
            yield from self.end()
            self._paragraph, self._in_list = [said], True
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


def _title(line: str) -> str:
    if found := heading(line):
        return found.title or "#"
    bold = _BOLD_HEADING.match(line)
    return bold[1] if bold else ""


def _kind_of(title: str) -> Tag | None:
    kinds = ((tag, kind) for tag, kind in _kinds() if kind.search(title))
    return next((tag for tag, _ in kinds), None)


@cache
def _kinds() -> tuple[tuple[Tag, re.Pattern[str]], ...]:
    every = [words_in(language).headings for language in LANGUAGES]
    words = {
        tag: "|".join(re.escape(w) for each in every for w in each[tag]) for tag in Tag
    }
    # At the start of a word, which in Chinese is anywhere.
    patterns = {tag: rf"(?<![a-z])(?:{any_of})" for tag, any_of in words.items()}
    return tuple(
        (tag, re.compile(each, re.IGNORECASE)) for tag, each in patterns.items()
    )
