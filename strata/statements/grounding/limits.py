"""Whether a number is the most or the least: under 70 degrees is not over 70."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from strata.language.cues import cue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NUMBER = r"\d+(?:[.,]\d+)*"
_COMPARED = cue("limits.compared")
# "Never over" is at most.
_TURNED = cue("limits.turned")
_LOOK = 24


def other_limit(text: str, quotes: Iterable[str]) -> str | None:
    """Return the number that *text* makes the most where *quotes* make it the least."""
    known: dict[str, set[bool]] = {}
    for quote in quotes:
        for number, is_most, _ in _limits(quote):
            known.setdefault(number, set()).add(is_most)
    for number, is_most, words in _limits(text):
        if number in known and is_most not in known[number]:
            return f"{words!r} turns the words round"
    return None


def _limits(text: str) -> Iterator[tuple[str, bool, str]]:
    """Give each number that is a limit, whether it is the most, and the words."""
    bare = unicodedata.normalize("NFKC", text)
    for found in _COMPARED.finditer(bare):
        before = bare[max(0, found.start() - _LOOK) : found.start()]
        is_most = bool(found["most"] or found["within"])
        turned = _TURNED.search(before) is not None
        yield found["before"] or found["after"], is_most is not turned, found[0]
