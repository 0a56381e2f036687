"""How much of a question stands in a text: its words, and its letters without spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.search.language.terms import bare, tokens, word_terms
from strata.search.language.words import ENGLISH, ORDER, chinese

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

# A word is as much of a question as two Chinese characters.
_WORD_WEIGHT = 2.0


class Asked:
    """
    The words of the question *text* that a note which answers it would have.

    *days* are terms that count as words of it, whatever words named them.
    """

    def __init__(self, text: str, days: Iterable[str] = ()) -> None:
        self._words: list[tuple[str, tuple[str, ...]]] = [(day, ()) for day in days]
        self._runs: list[str] = []
        for token, unspaced in tokens(ORDER.sub(" ", text)):
            if unspaced:
                self._runs += chinese().sub(" ", token).split()
            elif bare(token) not in ENGLISH:
                self._words.append(word_terms(token))
        self._size = _WORD_WEIGHT * len(self._words) + sum(map(len, self._runs))

    def share(self, found: Collection[str]) -> float:
        """
        Return how much of it the terms *found* make up; 1 where nothing is asked for.

        A name is there with its parts as well, and a character with one of its
        neighbours: where words begin and end is not known in Chinese.
        """
        held = sum(_WORD_WEIGHT * _held(*word, found) for word in self._words)
        held += sum(_characters(run, found) for run in self._runs)
        return held / self._size if self._size else 1.0

    @property
    def several(self) -> bool:
        """Whether it asks for more than one word, or three characters."""
        return self._size > _WORD_WEIGHT + 1

    @property
    def unspaced(self) -> bool:
        """Whether most of it is written without spaces."""
        return 2 * sum(map(len, self._runs)) > self._size


def _held(whole: str, parts: tuple[str, ...], found: Collection[str]) -> float:
    if whole in found or not parts:
        return float(whole in found)
    return sum(part in found for part in parts) / len(parts)


def _characters(run: str, found: Collection[str]) -> int:
    if len(run) == 1:
        return int(run in found)
    return len(set(_beside(run, found)))


def _beside(run: str, found: Collection[str]) -> Iterator[int]:
    for at in range(len(run) - 1):
        if run[at : at + 2] in found:
            yield from (at, at + 1)
