"""The few candidates that become entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.distillation.extraction.scoring import WORTH_KEEPING, WORTH_NOTHING
from strata.distillation.meaning.similarity import same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.distillation.extraction.candidates import Candidate

# A note should have so many entries where so many things happened.
FEWEST = 3


class Shelf:
    """
    Holds the best candidates seen so far, never more than a small multiple of *limit*.

    What weighs no more than `bar` has no chance any more and need not be worked out.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[str, Candidate] = {}
        self.bar = float("-inf")

    def put(self, candidate: Candidate) -> None:
        """Take *candidate* in; of two with the same words the better one stays."""
        rival = self._held.get(candidate.text)
        if rival is None or candidate.weight > rival.weight:
            self._held[candidate.text] = candidate
        if len(self._held) > 16 * self._limit:
            keep = self._ranked()[: 8 * self._limit]
            self._held = {candidate.text: candidate for candidate in keep}
            self.bar = keep[-1].weight

    def best(self, floor: int) -> list[Candidate]:
        """Return what is worth an entry, in the order in which it was said."""
        chosen: list[Candidate] = []
        for candidate in self._distinct():
            if len(chosen) == self._limit:
                break
            wanted = self._limit if candidate.weight >= WORTH_KEEPING else FEWEST
            least = floor if candidate.weight <= WORTH_NOTHING else wanted
            if len(chosen) < least:
                chosen.append(candidate)
        return sorted(chosen, key=lambda candidate: candidate.position)

    def _ranked(self) -> list[Candidate]:
        return sorted(self._held.values(), key=lambda c: (-c.weight, c.position))

    def _distinct(self) -> Iterator[Candidate]:
        seen: list[frozenset[str]] = []
        for candidate in self._ranked():
            terms = candidate.terms
            if not any(same(terms, other) for other in seen):
                seen.append(terms)
                yield candidate
