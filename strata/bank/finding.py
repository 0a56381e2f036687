"""Where known names stand in a text."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.bank.names import key_of
from strata.language.simplified import has_han
from strata.language.splitting import places_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# So many letters say enough by themselves.
SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Cut:
    """
    A text as names are looked for in it: its *words* as keys, and where each stands.

    *bare* has for each word the name that may stand in it for several, "" for none.
    """

    starts: list[int]
    ends: list[int]
    words: list[str]
    bare: list[str]


def cut_of(text: str, first: int = 0, last: int | None = None) -> Cut:
    """Cut what stands in *text* from *first* to *last* into words and hanzi."""
    end = len(text) if last is None else last
    places = [at for at in places_of(text) if first <= at[0] and at[1] <= end]
    words = [_word(text[start:end]) for start, end in places]
    return Cut(
        [start for start, _ in places],
        [end for _, end in places],
        [each for each, _ in words],
        [bare for _, bare in words],
    )


class Finder:
    """Finds names in texts, the longest first, by their words and hanzi."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
        for key in keys:
            words = tuple(each.text for each in tokens_of(key))
            if words:
                self._by_first[words[0]].append((words, key))
        for rows in self._by_first.values():
            rows.sort(key=lambda row: (-len(row[0]), row[1]))

    def found(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Give the key of each name in *text*, and where it is."""
        return self.found_in(cut_of(text))

    def found_in(self, cut: Cut) -> Iterator[tuple[str, int, int]]:
        """Give the key of each name in the text of *cut*, and where it is."""
        begins, free = self._by_first.keys(), 0
        for place, (word, bare) in enumerate(zip(cut.words, cut.bare, strict=True)):
            if place < free or not (word in begins or bare in begins):
                continue
            for row, key in self._rows(word, bare):
                end = place + len(row)
                if tuple(cut.words[place : end - 1]) == row[:-1] and row[-1] in {
                    *cut.words[end - 1 : end],
                    *cut.bare[end - 1 : end],
                }:
                    yield key, cut.starts[place], cut.ends[end - 1]
                    free = end
                    break

    def _rows(self, word: str, bare: str) -> Iterator[tuple[tuple[str, ...], str]]:
        """Give the names that may begin with *word*, or be no more than *bare*."""
        yield from self._by_first.get(word, ())
        if bare:
            yield from (row for row in self._by_first.get(bare, ()) if len(row[0]) == 1)


@lru_cache(maxsize=1 << 14)
def _word(said: str) -> tuple[str, str]:
    """Return what *said* is as a key, and the name that may stand in it for several."""
    word = key_of(said) or said
    return word, _singular(word)


def _singular(word: str) -> str:
    """Return the name that may stand in *word* for several, or theirs: the Calders."""
    plural = word.endswith("s") and not word.endswith("ss") and len(word) > SHORTEST
    return word[:-1] if plural and not has_han(word) else ""
