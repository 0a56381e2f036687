"""What a line is worth when not all can stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from strata.models import Claim, Judgement

# So long an unconfirmed statement keeps half of the confidence in it.
CONFIDENCE_HALF_LIFE_DAYS = 365
# So long what was said keeps half of its bonus for being recent.
RECENCY_HALF_LIFE_DAYS = 60
_RECENCY = 0.15
# A line that is there is preferred to an equal newcomer, so that the page does not flicker.
_PRESENT = 0.05
# What is asked for is of use; but being asked for makes nothing true, so it admits nothing.
_RECALLED = 0.1


def confidence_now(claim: Claim, judgement: Judgement, today: date) -> float:
    """Return how sure it is that *claim* still holds; being said again restores it."""
    age = max(0, (today - claim.days[-1]).days)
    return judgement.confidence * _halved(age / CONFIDENCE_HALF_LIFE_DAYS)


def value_of(
    claim: Claim, judgement: Judgement, today: date, *, present: bool, recalled: int = 0
) -> float:
    """
    Return the value of *claim*, about 0 to 1.3.

    It is made of importance, confidence, recency, and *recalled*, the number of days on
    which questions found it.
    """
    age = max(0, (today - claim.days[-1]).days)
    recent = _RECENCY * _halved(age / RECENCY_HALF_LIFE_DAYS)
    sure = confidence_now(claim, judgement, today)
    used = _RECALLED * (1 - _halved(recalled))
    return (
        judgement.importance / 10 * sure + recent + used + (_PRESENT if present else 0)
    )


def _halved(times: float) -> float:
    return float(0.5**times)
