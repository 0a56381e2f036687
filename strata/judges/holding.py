"""What an entry holds: its words, and what a judge made of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.local import local_judge
from strata.judges.protocol import LASTS
from strata.language.wording import capitalised
from strata.notes.entries import without_frame, without_topic
from strata.statements.corrections import LEFT_OUT

if TYPE_CHECKING:
    from strata.models import Estimate, Mention

_SURE = 0.5


@dataclass(frozen=True, slots=True)
class Held:
    """
    What of an entry may hold for long.

    *text* is what was said, without what a note puts around it. It *holds* where it is
    likely to hold for good; it is *bound* to a time, or not *meant* at all.
    """

    text: str
    estimate: Estimate
    holds: bool
    bound: bool
    meant: bool

    @property
    def said(self) -> str:
        """What it is compared by."""
        return said_in(self.text)


def said_in(text: str) -> str:
    """
    Return what *text* itself says; of a correction with what it puts right.

    What an entry is about is often what another one says.
    """
    own = without_topic(text)
    return text if LEFT_OUT in text[len(own) :] else own


def held_in(mention: Mention) -> Held:
    """Return what *mention* holds, as it was judged in its conversation."""
    return _held(mention.text, mention.estimate)


def estimate_of(text: str) -> Estimate:
    """Return what the local judge makes of *text* by itself."""
    return _held(text, None).estimate


@lru_cache(maxsize=8192)
def _held(text: str, estimate: Estimate | None) -> Held:
    bare = without_frame(text)
    # Only what stood behind a frame begins anew: a name keeps its case.
    words = text if bare == text else capitalised(bare)
    if estimate is None:
        estimate = local_judge().judge([Remark(without_topic(words))])[0]
    meant = estimate.meant >= _SURE and estimate.retracted < _SURE
    bound = estimate.until >= _SURE > estimate.lasts
    holds = meant and not bound and estimate.lasts >= LASTS
    return Held(words, estimate, holds, bound, meant)
