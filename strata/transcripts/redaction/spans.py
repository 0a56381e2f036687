"""A stretch of text that must not be kept, and how several finds become one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# A name says only that something is secret; a format says what it is, so it wins.
_VAGUE = frozenset({"secret:password", "secret:token", "secret:key", "secret:encoded"})


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """
    A secret or personal number at characters *start* to *end* of a text.

    *kind* is the class and the type, such as ``secret:aws-access-key`` or
    ``personal:card-number``; the placeholder shows it.
    """

    start: int
    end: int
    kind: str

    def moved(self, distance: int) -> Secret:
        """Return the same so many characters further on."""
        return Secret(self.start + distance, self.end + distance, self.kind)

    def meets(self, other: Secret) -> bool:
        """Say whether they have a character in common."""
        return self.start < other.end and other.start < self.end


def merge(found: Iterable[Secret]) -> list[Secret]:
    """Order *found* by position and unite what overlaps."""
    merged: list[Secret] = []
    for secret in sorted(found):
        if not merged or secret.start >= merged[-1].end:
            merged.append(secret)
            continue
        first = merged[-1]
        kind = secret.kind if first.kind in _VAGUE else first.kind
        merged[-1] = replace(first, end=max(first.end, secret.end), kind=kind)
    return merged


Verdict = tuple[int, tuple[Secret, ...]]
"""Up to where the text was read, and what is secret in it."""

# No rule looks further back or ahead than this to judge one word.
_BEFORE, _AFTER = 220, 480
_MOST_REMEMBERED = 512


class Verdicts:
    """
    What *judge* says about a word at *start* to *end* of a text.

    A log, or somebody who wants us to hang, says the same words a hundred thousand times;
    the verdict depends on the words around alone, so the first one holds for all.
    """

    def __init__(self, judge: Callable[[str, int, int], Verdict]) -> None:
        self._judge = judge
        self._known: dict[tuple[str, int], Verdict] = {}

    def on(self, text: str, start: int, end: int) -> Verdict:
        """Return the verdict on the word at *start* to *end* of *text*."""
        around = (text[max(0, start - _BEFORE) : end + _AFTER], min(start, _BEFORE))
        if known := self._known.get(around):
            return known[0] + start, tuple(secret.moved(start) for secret in known[1])
        read, secrets = self._judge(text, start, end)
        if read < end + _AFTER and len(self._known) < _MOST_REMEMBERED:
            moved = tuple(secret.moved(-start) for secret in secrets)
            self._known[around] = read - start, moved
        return read, secrets
