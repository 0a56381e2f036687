"""Whether a number is the most or the least: under 70 degrees is not over 70."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST = "under|below|less than|fewer than|at most|up to|within|低于|小于|少于|最多|至多"
_LEAST = "over|above|more than|at least|exceeds?|超过|高于|大于|多于|至少|最少"
_NUMBER = r"\d+(?:[.,]\d+)*"
_COMPARED = re.compile(
    rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\s?(?:the )?[$€£]?(?P<before>{_NUMBER})"
    rf"|(?P<after>{_NUMBER})[^\d\s,;。]{{0,3}}(?:(?P<within>以内|以下|之内)|以上)",
    re.IGNORECASE,
)
# "Never over" is at most.
_TURNED = re.compile(
    r"(?:\b(?:not|no|never|cannot)|n't)(?: (?:be|get|go|rise|fall|drop|exceed))? $"
    r"|[不没别勿][能得许会要可]?$",
    re.IGNORECASE,
)
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
