"""Passages in their final order become the hits that are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.hits import Hit
from strata.search.answering.snippets import MAX_CHARACTERS, snippet, telling
from strata.search.answering.superseded import demoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from strata.search.answering.abstaining import Verdict
    from strata.search.answering.operators import Wanted
    from strata.search.answering.passages import Passage
    from strata.search.answering.refining import Reader
    from strata.search.answering.snippets import Marked
    from strata.search.answering.superseded import History, Succession
    from strata.search.language.terms import Finder


@dataclass(frozen=True, slots=True)
class Shown:
    """Passages in their final order, as far as they are shown."""

    passages: list[Passage]
    marked: list[Marked]
    outdated: list[Succession | None]

    @property
    def waiting(self) -> list[Marked]:
        """Those that have no vector yet."""
        pairs = zip(self.passages, self.marked, strict=True)
        return [marked for passage, marked in pairs if passage.waiting]


def ordered(
    passages: Sequence[Passage],
    reader: Reader,
    terms: Mapping[str, float],
    history: History,
    wanted: Wanted,
) -> Shown:
    """Put what was superseded after its successor, and phrases before all else."""
    marked = [reader.mark(passage) for passage in passages]
    judged = demoted(passages, marked, terms, history)
    judged.sort(key=lambda each: wanted.holds(each[0]), reverse=True)
    return Shown(
        [passage for passage, _, _ in judged],
        [each for _, each, _ in judged],
        [old for _, _, old in judged],
    )


def hits_of(
    shown: Shown,
    terms: Mapping[str, float],
    finder: Finder,
    verdict: Verdict,
    budget: int | None,
) -> tuple[Hit, ...]:
    """Return what of each passage is shown, of all together no more than *budget*."""
    weights = telling(terms, shown.marked)
    trust = max(verdict.nearest, verdict.covered)
    if budget is None:
        return tuple(_all_hits(shown, weights, finder, trust, MAX_CHARACTERS))
    from strata.search.answering.packing import pack, snippet_characters  # noqa: PLC0415

    size = snippet_characters(budget)
    hits = list(_all_hits(shown, weights, finder, trust, size))

    def shorter(at: int, characters: int) -> str:
        return snippet(shown.marked[at], weights, finder, characters)

    return pack(hits, shorter, budget)


def _all_hits(
    shown: Shown,
    weights: Mapping[str, float],
    finder: Finder,
    trust: float,
    characters: int,
) -> Iterator[Hit]:
    for passage, marked, old in zip(
        shown.passages, shown.marked, shown.outdated, strict=True
    ):
        yield Hit(
            path=passage.path,
            start_line=passage.start_line,
            end_line=passage.end_line,
            score=min(max(passage.score * trust, 0.0), 1.0),
            snippet=snippet(marked, weights, finder, characters),
            tier=passage.tier,
            day=passage.day,
            superseded=(old.day or True) if old else False,
            successor=old.text if old else "",
        )
