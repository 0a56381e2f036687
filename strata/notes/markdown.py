"""The lines of a text of Markdown: which are headings, which items, and which are code."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Who writes Chinese often leaves no space after the marks; "#1" and "#home" are words.
_HEADING = pattern(
    r"\ufeff? {0,3}(#{1,6})(?:(?:[ \t]+|(?=[\u2e80-\uffef]))(.*?))?(?:[ \t]+#+)?[ \t]*\r?$"
)
_ITEM = pattern(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
# In a list it may be indented by any number of spaces.
_FENCE = pattern(r"[ \t]*(`{3,}|~{3,})(.*)$", re.DOTALL)


class Heading(NamedTuple):
    """A heading: how many marks it has, and its words."""

    level: int
    title: str


class _Fence(NamedTuple):
    """A line that opens or closes code; only one that is *bare* closes."""

    place: int
    mark: str
    bare: bool


def lines_of(text: str) -> list[str]:
    """Split at line feeds alone: other separators are part of what somebody wrote."""
    return [line.rstrip("\r") for line in text.split("\n")]


def heading(line: str) -> Heading | None:
    """Return the heading that *line* is, if it is one."""
    # Few lines are, and a pattern takes longer to see that.
    found = _HEADING.match(line) if "#" in line[:5] else None
    return Heading(len(found[1]), (found[2] or "").strip()) if found else None


def is_item(line: str) -> bool:
    """Say whether *line* begins an item of a list."""
    return _ITEM.match(line) is not None


def unbulleted(line: str) -> str:
    """Return *line* without its bullet or number."""
    return line[len(lead_of(line)) :].strip()


def lead_of(line: str) -> str:
    """Return the bullet or number of *line*, with the white space around it."""
    found = _ITEM.match(line)
    return found[0] if found else ""


def in_code(lines: Sequence[str], breaks: Iterable[int] = ()) -> dict[int, int]:
    """
    Return the places of the *lines* that are code, each with the last of its block.

    The fences around code count as it. A fence that nobody closed opens nothing, or all
    that is written below it would be code from then on. None reaches beyond one of the
    *breaks*: what a program wrote there was not meant to be in it.
    """
    fences = [each for place, line in enumerate(lines) if (each := _fence(place, line))]
    if not fences:
        return {}
    ends = sorted(breaks)
    parts = groupby(fences, key=lambda fence: bisect_right(ends, fence.place))
    return {
        place: last
        for _, part in parts
        for first, last in _paired(list(part))
        for place in range(first, last + 1)
    }


def _fence(place: int, line: str) -> _Fence | None:
    # Nine of ten lines have none, and a pattern takes longer.
    if "```" not in line and "~~~" not in line:
        return None
    found = _FENCE.match(line)
    # Three backticks before and after a word are code within a sentence.
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    return _Fence(place, found[1], not found[2].strip())


def _paired(fences: Sequence[_Fence]) -> Iterator[tuple[int, int]]:
    """Yield the place of each fence that opens code, and of the one that closes it."""
    closing = _longest_after(fences)
    opened: _Fence | None = None
    for at, fence in enumerate(fences):
        if opened is None:
            mark = fence.mark
            opened = fence if len(mark) <= closing[at].get(mark[0], 0) else None
        elif fence.bare and fence.mark.startswith(opened.mark):
            yield opened.place, fence.place
            opened = None


def _longest_after(fences: Sequence[_Fence]) -> list[dict[str, int]]:
    """Return for each fence how long those are that could close one, of each kind."""
    longest: dict[str, int] = {}
    found: list[dict[str, int]] = []
    for fence in reversed(fences):
        found.append(longest)
        if fence.bare:
            most = max(longest.get(fence.mark[0], 0), len(fence.mark))
            longest = {**longest, fence.mark[0]: most}
    return found[::-1]
