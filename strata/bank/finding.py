"""Where known names stand in a text."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from strata.bank.names import key_of
from strata.language.splitting import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# So many letters say enough by themselves.
SHORTEST = 4


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

    def found(
        self, text: str, first: int = 0, last: int | None = None
    ) -> Iterator[tuple[str, int, int]]:
        """Give the key of each name in *text* from *first* to *last*, and where it is."""
        end = len(text) if last is None else last
        tokens = [t for t in tokens_of(text) if first <= t.start and t.end <= end]
        words = [key_of(each.text) or each.text for each in tokens]
        bare = [_singular(each) for each in words]
        place = 0
        while place < len(words):
            rows = self._by_first.get(words[place], ())
            alike = self._by_first.get(bare[place], ()) if bare[place] else ()
            for row, key in (*rows, *(each for each in alike if len(each[0]) == 1)):
                end = place + len(row)
                if tuple(words[place : end - 1]) == row[:-1] and row[-1] in {
                    *words[end - 1 : end],
                    *bare[end - 1 : end],
                }:
                    yield key, tokens[place].start, tokens[end - 1].end
                    place = end
                    break
            else:
                place += 1


def _singular(word: str) -> str:
    """Return the name that may stand in *word* for several, or theirs: the Calders."""
    plural = word.endswith("s") and not word.endswith("ss") and len(word) > SHORTEST
    return word[:-1] if plural and word.isascii() else ""
