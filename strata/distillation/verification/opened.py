"""A claim while it is folded: more entries may join it, and others may replace it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.distillation.meaning.relations import folded_terms
from strata.distillation.verification.choosing import best_wording
from strata.distillation.verification.gist import gist_of
from strata.models import Claim, Tag

if TYPE_CHECKING:
    from strata.distillation.verification.gist import Gist
    from strata.models import Mention


@dataclass(slots=True)
class Open:
    """A claim that more entries may join."""

    mentions: list[Mention]
    text: str
    terms: frozenset[str]
    firm: bool
    holds: bool
    rules: bool
    decides: bool
    replaced_by: Open | None = None
    against: list[Open] = field(default_factory=list)
    turns: list[Mention] = field(default_factory=list)

    def join(self, mention: Mention, gist: Gist) -> None:
        self.mentions.append(mention)
        known = [(self.text, True)] if self.turns else []
        self.text = best_wording([*known, *map(_words, self.mentions)])
        self.terms |= folded_terms(gist.text)
        self.firm = self.firm or is_firm(gist)
        self.holds = self.holds or gist.kind is not None
        self.decides = self.decides or decides(mention, gist)

    @property
    def confirmed(self) -> bool:
        return self.firm or self.claim().conversations > 1

    def claim(self) -> Claim:
        return Claim(self.text, tuple(self.mentions), turns=tuple(self.turns))


def end_of(claim: Open) -> Open:
    """Return what holds in the place of *claim* by now."""
    while claim.replaced_by is not None:
        claim = claim.replaced_by
    return claim


def _words(mention: Mention) -> tuple[str, bool]:
    gist = gist_of(mention.text, mention.tag)
    return gist.text, gist.kind is not None


def decides(mention: Mention, gist: Gist) -> bool:
    """Say whether *mention* makes a decision known."""
    return mention.tag is Tag.DECISION or gist.kind == "decision"


def is_firm(gist: Gist) -> bool:
    """Say whether it holds for long, and as more than a habit."""
    return gist.kind is not None and gist.kind != "habit"
