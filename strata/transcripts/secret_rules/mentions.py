"""Where a view mentions one of some words: what is searched before any pattern is."""

from __future__ import annotations

import re
from itertools import compress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.transcripts.secret_rules.view import View

_LETTERS = re.compile("[a-z]+")


class Clues:
    """
    *phrases* in lower case; a rule reads only the text around them.

    Most texts hold none, and those are told by the words of a view alone, many times as
    fast as by a pattern.
    """

    def __init__(self, *phrases: str) -> None:
        self.phrases = phrases
        self._words = tuple(map(_longest_word, phrases))

    def in_view(self, view: View) -> list[str]:
        """Return the phrases that *view* holds."""
        return [*self._held_by(view)]

    def are_in(self, view: View) -> bool:
        """Say whether *view* holds one of the phrases."""
        return next(self._held_by(view), None) is not None

    def _held_by(self, view: View) -> Iterator[str]:
        likely: Iterable[str] = self.phrases
        if view.words is not view.lowered:
            likely = compress(likely, map(view.words.__contains__, self._words))
        return filter(view.lowered.__contains__, likely)

    def are_in_text(self, lowered: str) -> bool:
        """Say whether a few words, *lowered* to lower case, hold one of the phrases."""
        return any(map(lowered.__contains__, self.phrases))

    def places(self, view: View) -> Iterator[int]:
        """Yield where the phrases begin in *view*."""
        for phrase in self.in_view(view):
            at = view.lowered.find(phrase)
            while at >= 0:
                yield at
                at = view.lowered.find(phrase, at + 1)

    def lines(self, view: View) -> list[tuple[int, int]]:
        """Return start and end of the lines of *view* that hold a phrase, in order."""
        spans = {
            span
            for phrase in self.in_view(view)
            for span in _lines_with(view.lowered, phrase)
        }
        return sorted(spans)


def any_of(*several: Clues) -> Clues:
    """Return the fewest clues of which a view holds one if it holds one of *several*."""
    phrases = dict.fromkeys(phrase for clues in several for phrase in clues.phrases)
    return Clues(
        *(
            phrase
            for phrase in phrases
            if not any(other in phrase for other in phrases if other != phrase)
        )
    )


def _longest_word(phrase: str) -> str:
    return max(_LETTERS.findall(phrase), key=len, default=phrase)


def _lines_with(lowered: str, phrase: str) -> Iterable[tuple[int, int]]:
    at, end = lowered.find(phrase), 0
    while at >= 0:
        start = lowered.rfind("\n", end, at) + 1
        end = lowered.find("\n", at)
        end = end if end >= 0 else len(lowered)
        yield start, end
        at = lowered.find(phrase, end)
