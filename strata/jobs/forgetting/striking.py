"""A text without the lines that were forgotten, and without the gaps they would leave."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from strata.notes.headings import is_remembered
from strata.notes.markdown import heading

if TYPE_CHECKING:
    from strata.jobs.forgetting.recognition import Recogniser


def without(path: str, text: str, known: Recogniser) -> str:
    """Return the *text* of the file *path* without the lines that are *known*."""
    left = {said.number: known.left_of(said) for said in known.lines(path, text)}
    gone = {number for number, bare in left.items() if not bare}
    lines = text.split("\n")
    gone |= _emptied(lines, gone)
    kept: list[str] = []
    for number, line in enumerate(lines, 1):
        # A gap that was on both sides of what went is one gap.
        doubled = number - 1 in gone and not line.strip() and kept[-1:] == [""]
        if number not in gone and not doubled:
            kept.append(left.get(number) or line)
    return "\n".join(kept)


def _emptied(lines: list[str], gone: set[int]) -> set[int]:
    """
    Return the headings of what was remembered by hand, under which nothing is left.

    The heading of a conversation stays: it tells that the conversation was read.
    """
    found: set[int] = set()
    for number, line in enumerate(lines, 1):
        if is_remembered(line):
            below = takewhile(lambda each: not heading(each), lines[number:])
            said = {at for at, words in enumerate(below, number + 1) if words.strip()}
            found |= {number} if said and said <= gone else set()
    return found
