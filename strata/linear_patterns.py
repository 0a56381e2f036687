"""Whether a pattern that a user wrote takes time in proportion to the text, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass

WINDOW = 400
"""A pattern is tried on so many characters at once."""

# How many ways there may be to try a pattern at one place.
_MOST_WAYS = 2_000
_LONGEST = 300
_BOUNDS = re.compile(r"\{(\d{0,4})(,?)(\d{0,4})\}")
_GROUP_START = re.compile(r"\((?:\?(?::|=|!|<=|<!|P?<\w+>))?")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a pattern: in how many *ways* it can match, and whether it *varies*."""

    ways: int = 1
    varies: bool = False


def objection(pattern: str) -> str:
    """Return why *pattern* cannot be taken, "" where it can."""
    if len(pattern) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        return f"it is no valid pattern: {error}"
    if compiled.match(""):
        return "it matches where nothing stands"
    try:
        whole, _ = _alternatives(pattern, 0)
    except ValueError as error:
        return str(error)
    if whole.ways > _MOST_WAYS:
        return "it repeats too much at once; bound it, like {0,40}"
    return ""


def _alternatives(pattern: str, at: int) -> tuple[_Part, int]:
    total, branches, varies = 0, 1, False
    ways = 1
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            total, ways, branches, at = total + ways, 1, branches + 1, at + 1
            continue
        part, at = _repeated(pattern, at)
        ways *= part.ways
        varies = varies or part.varies
    return _Part(total + ways, varies or branches > 1), at + 1


def _repeated(pattern: str, at: int) -> tuple[_Part, int]:
    part, at = _single(pattern, at)
    least, most, end = _bounds(pattern, at)
    if end == at:
        return part, at
    if part.varies and most > 1:
        raise ValueError("a repetition holds another one, or a choice; write it flat")
    ways = part.ways * (most - least + 1)
    # A question mark behind a repetition only turns round what is tried first.
    return _Part(ways, part.varies or least != most), end + pattern.startswith("?", end)


def _single(pattern: str, at: int) -> tuple[_Part, int]:
    letter = pattern[at]
    if letter == "\\":
        if pattern[at + 1 : at + 2].isdigit() and pattern[at + 1] != "0":
            raise ValueError("it refers back to what it matched before")
        return _Part(), at + 2
    if letter == "[" and (found := _CLASS.match(pattern, at)):
        return _Part(), found.end()
    if letter != "(":
        return _Part(), at + 1
    start = _GROUP_START.match(pattern, at)
    if start is None or (pattern.startswith("(?", at) and start.end() == at + 1):
        raise ValueError("it has a kind of group that is not supported here")
    return _alternatives(pattern, start.end())


def _bounds(pattern: str, at: int) -> tuple[int, int, int]:
    """Return how often at least and at most, and where the quantifier ends."""
    signs = {"*": (0, WINDOW), "+": (1, WINDOW), "?": (0, 1)}
    if pattern[at : at + 1] in signs:
        return (*signs[pattern[at]], at + 1)
    found = _BOUNDS.match(pattern, at)
    if found is None or not (found[1] or found[3]):
        return 1, 1, at
    least = int(found[1] or 0)
    most = int(found[3]) if found[3] else WINDOW if found[2] else least
    return least, max(least, most), found.end()
