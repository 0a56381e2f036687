"""Two lists of candidates become one order, in which newer wins where all else is equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.models import Tier

if TYPE_CHECKING:
    from datetime import date

    from strata.search.candidates import Candidates
    from strata.search.manifest import Row
    from strata.search.store import Ranked
    from strata.search.times import Times

# Good keywords beat a small model, so words have the larger vote. Measured on six sets of
# notes with bench/recall.py: 0.3 to 0.5 differ little, 0.7 and reciprocal ranks lose.
DENSE_SHARE = 0.4
# A plain half-life buries the only right answer: recall@5 fell from 0.83 to 0.52. A bonus
# of a tenth at most decides only between near equals.
RECENCY_BONUS = 0.1

# What a question says about time prefers those notes and excludes no others: on a year of
# Chinese notes recall@5 rose from 0.71 to 0.80; 0.3 to 0.5 differ little (bench/recall.py).
TIME_BONUS = 0.4

_EVERGREEN = frozenset({Tier.LONG_TERM, Tier.BANK, Tier.OTHER})


@dataclass(frozen=True, slots=True)
class Ranking:
    """How ids are weighed: the *day* of asking, and when a note's bonus has halved."""

    day: date
    half_life_days: int
    times: Times | None = None


@dataclass(frozen=True, slots=True)
class Parts:
    """What a candidate's score is the product of."""

    number: str
    fused: float
    recency: float
    time: float

    @property
    def score(self) -> float:
        """The score, from 0 to 1."""
        return self.fused * self.recency * self.time


def rank(candidates: Candidates, ranking: Ranking) -> Ranked:
    """Return every candidate with a score of 0 to 1, best first."""
    return [(parts.number, parts.score) for parts in weighed(candidates, ranking)]


def weighed(candidates: Candidates, ranking: Ranking) -> list[Parts]:
    """Return every candidate with the parts of its score, best first."""
    fused = fuse(candidates.found.sparse, candidates.found.dense)
    found = (
        Parts(number, score, _recency(row, ranking), _in_time(row, ranking))
        for number, score in fused.items()
        if (row := candidates.rows.get(number))
    )
    return sorted(found, key=lambda parts: (-parts.score, parts.number))


def fuse(sparse: Ranked, dense: Ranked) -> dict[str, float]:
    """Add the two scores, each stretched to reach from 0 to 1 over its own list."""
    words, meaning = _stretched(sparse), _stretched(dense)
    if not (words and meaning):
        return words or meaning
    return {
        number: (1 - DENSE_SHARE) * words.get(number, 0.0)
        + DENSE_SHARE * meaning.get(number, 0.0)
        for number in words | meaning
    }


def _stretched(ranked: Ranked) -> dict[str, float]:
    if not ranked:
        return {}
    scores = [score for _, score in ranked]
    low, high = min(scores), max(scores)
    width = high - low
    return {number: (score - low) / width if width else 1.0 for number, score in ranked}


def _in_time(row: Row, ranking: Ranking) -> float:
    times = ranking.times
    named = times is None or not times.stretches or times.hold(row.day, row.tier)
    return 1.0 if named else 1 - TIME_BONUS


def _recency(row: Row, ranking: Ranking) -> float:
    if row.tier in _EVERGREEN or row.day is None:
        return 1.0
    age_days = max((ranking.day - row.day).days, 0)
    bonus: float = 0.5 ** (age_days / max(ranking.half_life_days, 1))
    return 1 - RECENCY_BONUS + RECENCY_BONUS * bonus
