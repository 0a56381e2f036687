"""One question in several wordings: what each of them finds becomes one answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from strata.search.answering.finding import find
from strata.search.answering.showing import cost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from strata.hits import Answer, Hit
    from strata.search.answering.finding import Question
    from strata.search.answering.ranking import Ranking
    from strata.search.indexing.index import Index

# A wording that found nothing good enough may still have found it.
_UNSURE = 0.5
# What a second wording finds as well counts for so much of its score there.
_AGAIN = 0.5


def find_any(
    index: Index, workspace: Path, questions: Sequence[Question], ranking: Ranking
) -> Answer:
    """
    Answer *questions*, which say the same in other words; the first is the owner's.

    A hit counts as much as where it fits best, and more where several find it. Raise as
    `find` does.
    """
    answers = [find(index, workspace, each, ranking) for each in questions]
    first = answers[0]
    if len(answers) == 1:
        return first
    good = any(each.answerable for each in answers)
    hits = _fused(answers, good=good)[: questions[0].limit]
    if (budget := questions[0].budget) is not None:
        hits = list(_within(hits, budget))
    mode = "hybrid" if any(each.mode == "hybrid" for each in answers) else first.mode
    return replace(
        first,
        mode=mode,
        hits=tuple(hits) if good else (),
        closest=() if good else tuple(hits),
        answerable=good,
        told_of="" if good else first.told_of,
    )


def _fused(answers: Sequence[Answer], *, good: bool) -> list[Hit]:
    """Return the hits of all *answers*, each place once, best first."""
    found: list[Hit] = []
    scores: list[float] = []
    for answer in answers:
        unsure = good and not answer.answerable
        for near in answer.hits or answer.closest:
            hit = replace(near, unsure=unsure)
            score = _UNSURE * hit.score if unsure else hit.score
            for place, other in enumerate(found):
                if _overlap(hit, other):
                    best = max(scores[place], score)
                    scores[place] = best + _AGAIN * min(scores[place], score)
                    better = hit if hit.score > other.score else other
                    sure = not (hit.unsure and other.unsure)
                    found[place] = replace(better, unsure=not sure)
                    break
            else:
                found.append(hit)
                scores.append(score)
    order = sorted(range(len(found)), key=lambda place: -scores[place])
    return [replace(found[place], score=min(scores[place], 1.0)) for place in order]


def _overlap(one: Hit, other: Hit) -> bool:
    same = one.path == other.path
    return (
        same and one.start_line <= other.end_line and other.start_line <= one.end_line
    )


def _within(hits: Sequence[Hit], budget: int) -> Iterator[Hit]:
    for hit in hits:
        budget -= cost(hit)
        if budget < 0:
            return
        yield hit
