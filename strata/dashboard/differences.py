"""The difference between two texts, as lines that a page can show."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import SequenceMatcher
from html import escape
from itertools import takewhile
from typing import TYPE_CHECKING

from strata.messages import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_AROUND = 2
# Of each line, as many letters as `run.html.j2` shows.
_MOST_LETTERS = 300
# Of longer texts nobody wants to wait for the smallest difference.
_MOST_COMPARED = 2000
GONE, CAME, SAME, PLACE = "gone", "came", "same", "place"


@dataclass(slots=True)
class Room:
    """How many *bytes* of texts a page has room for."""

    bytes: int

    def takes(self, text: str, around: int = 20) -> bool:
        """Say whether *text*, with bytes *around* it, still has room, and take it."""
        self.bytes -= len(escape(text).encode("utf-8", "replace")) + around
        return self.bytes > 0


@dataclass(slots=True)
class Difference:
    """
    Lines, each with its kind; the text of a place is the number of a line as it is new.

    It *is_cut* where there was no room for all, and not *is_text* where it holds bytes.
    """

    lines: list[tuple[str, str]] = field(default_factory=list)
    is_cut: bool = False
    is_text: bool = True


def difference(before: bytes | None, after: bytes | None, room: Room) -> Difference:
    """Return what differs between two files, None where there is none, within *room*."""
    if any(b"\0" in each for each in (before, after) if each):
        return Difference(is_text=False)
    found = Difference()
    one, other = (_lines(each or b"") for each in (before, after))
    for kind, text in _differing(one, other):
        if not room.takes(text[:_MOST_LETTERS]):
            found.is_cut = True
            break
        found.lines.append((kind, text))
    return found


def _lines(content: bytes) -> list[str]:
    lines = content.decode("utf-8", "replace").split("\n")
    return lines if lines[-1] else lines[:-1]


def _differing(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines that differ, with a few around them."""
    pairs = zip(one, other, strict=False)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    rest = min(len(one), len(other)) - start
    ends = zip(one[::-1], other[::-1], strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    first, last = max(start - _AROUND, 0), max(min(end, rest) - _AROUND, 0)
    old, new = one[first : len(one) - last], other[first : len(other) - last]
    for group in _groups(old, new):
        yield PLACE, str(first + group[0][3] + 1)
        for name, a, b, c, d in group:
            if name == "equal":
                yield from ((SAME, on_one_line(each)) for each in old[a:b])
            else:
                yield from ((GONE, on_one_line(each)) for each in old[a:b])
                yield from ((CAME, on_one_line(each)) for each in new[c:d])


def _groups(
    old: Sequence[str], new: Sequence[str]
) -> list[list[tuple[str, int, int, int, int]]]:
    if old == new:
        return []
    if max(len(old), len(new)) > _MOST_COMPARED:
        return [[("replace", 0, len(old), 0, len(new))]]
    matcher = SequenceMatcher(None, old, new)
    return [[*each] for each in matcher.get_grouped_opcodes(_AROUND)]
