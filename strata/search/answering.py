"""Whether what was found answers the question, judged by the notes' own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.search.days import is_day

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from strata.search.snippets import Marked

# How near a chunk must be, and what words count beside it: a logistic fit over questions
# that the public notes answer, other people's questions and invented ones
# (bench/abstention.py), then moved to the side of answering: people ask their own notes in
# other words than they once said it, and a wrong silence costs more than a poor hit.
NEAR_ENOUGH = 0.25
COVERED_BESIDE = 0.13
ABSENT_BESIDE = 0.26
# Without a model's word for it: the share of the question that stands in one passage is
# held against the share that stands in no note at all.
COVERED_ENOUGH = -0.25
ABSENT_WEIGHT = 0.83


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    How well the best passages fit the question.

    *nearest* is the cosine of the nearest chunk, 0 where meaning was not compared.
    *covered* is the share of the question's terms, by weight, that stands in one passage,
    *absent* the share that stands in no note.
    """

    nearest: float
    covered: float
    absent: float

    @property
    def margin(self) -> float:
        """By how much the answer is good enough; below zero where it is not."""
        if self.nearest:
            words = COVERED_BESIDE * self.covered - ABSENT_BESIDE * self.absent
            return self.nearest + words - NEAR_ENOUGH
        return self.covered - ABSENT_WEIGHT * self.absent - COVERED_ENOUGH

    @property
    def answered(self) -> bool:
        """Whether the answer is good enough to be shown."""
        return self.margin >= 0


def judge(
    terms: Mapping[str, float],
    passages: Sequence[Marked],
    nearest: float,
    absent: Collection[str],
) -> Verdict:
    """Judge *passages* for a question of *terms*, of which *absent* stand nowhere."""
    # A month is where to look, and not what for.
    weights = {t: terms[t] for t in terms if is_day(t) or not t.startswith("@")}
    total = sum(weights.values())
    if not total:
        return Verdict(nearest, 0.0, 0.0 if passages else 1.0)
    covered = [
        sum(weights.get(term, 0.0) for term in passage.terms) for passage in passages
    ]
    missing = sum(weights[term] for term in weights if term in absent)
    return Verdict(nearest, max(covered, default=0.0) / total, missing / total)
