"""What a daily note holds, line by line: below which heading, and of what kind it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from strata.notes.entries import split_tag
from strata.notes.headings import session_of
from strata.notes.markdown import heading, in_code, lines_of, unbulleted
from strata.notes.marks import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Tag


class Noted(NamedTuple):
    """
    Line *number* of a note, whoever wrote it, without bullet, tag and source.

    *tag* is None where it has none; *under* is the heading above it, without its marks.
    """

    number: int
    text: str
    tag: Tag | None
    under: str


def noted_lines(note: str, start: int = 1) -> Iterator[Noted]:
    """
    Yield each line of *note* that says something; headings and rules say nothing.

    Of the lines before the one with number *start* only the headings are looked at.
    """
    lines = lines_of(note)
    blocks = {place for place, line in enumerate(lines) if session_of(line)}
    code = in_code(lines, blocks)
    under = ""
    for place, line in enumerate(lines):
        titled = place not in code or place in blocks
        if titled and (found := heading(line)):
            under = found.title
            continue
        if place + 1 < start:
            continue
        tag, text = split_tag(unbulleted(unmarked(line)))
        if any(map(str.isalnum, text)):
            yield Noted(place + 1, text, tag, under)
