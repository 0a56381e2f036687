"""Which of several wordings of one thing is the one to keep."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING

from strata.distillation.meaning.relations import richer
from strata.distillation.meaning.turns import REMINDER
from strata.distillation.verification.leaning import points_outside

if TYPE_CHECKING:
    from collections.abc import Sequence

# What tells of an occasion, and not of the rule that was repeated on it.
_OCCASION = re.compile(
    r"\bi (?:saw|got|had|found|heard|met|was)\b|\byour branch\b|\bplease\b"
    r"|\bthis time\b"
    r"|\bagain\b|\byou know\b|\bof course\b|海石新来|你懂的|又来|还是老|再说一遍"
    r"|\bfigure \d"
    r"|\bthe (?:new|last)\b",
    re.IGNORECASE,
)
_LONG = 180


def best_wording(wordings: Sequence[tuple[str, bool]]) -> str:
    """
    Return the wording that says most and stands by itself, the earliest of equals.

    Each comes with whether it holds for long by itself, and not only by being repeated.
    """
    ranks = [(_rank(text, holds=holds), text) for text, holds in wordings]
    top = max(rank for rank, _ in ranks)
    return reduce(richer, (text for rank, text in ranks if rank == top))


def _rank(text: str, *, holds: bool) -> tuple[bool, bool, bool, bool]:
    stands = not points_outside(text)
    return (
        holds,
        stands,
        len(text) <= _LONG,
        not (_OCCASION.search(text) or REMINDER.search(text)),
    )
