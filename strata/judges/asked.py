"""What a language model says of a candidate: where there is one, it judges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.judges.law import refusal
from strata.language.quotes import carries_orders
from strata.language.vocabulary import content_words
from strata.models import Judgement, Verdict
from strata.statements.triggers import LONGEST, MOST_TRIGGERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.models import Claim

_IMPORTANCES = range(1, 11)
# What the model keeps is about as sure as that.
_CONFIDENCE = 0.85
# What the local judge thinks less likely than this to last is chatter: nobody is asked.
_CHATTER = 0.04
_FEWEST_CHARS = 2


@dataclass(frozen=True, slots=True)
class Opinion:
    """
    What the model *judge* says of a candidate, asked by *prompt*.

    *mistake* is what would go wrong without a line, "" where nothing would. Where its
    answers to questions with known answers were wrong, it is not *trusted* at all.
    """

    text: str
    section: str
    importance: int
    mistake: str
    broad: bool
    alone: bool
    triggers: tuple[str, ...]
    judge: str
    prompt: str
    trusted: bool = True

    @property
    def keeps(self) -> bool:
        """Whether the model would give it a line."""
        return bool(self.mistake) and self.broad and self.alone


def is_open(claim: Claim, judged: Judgement) -> bool:
    """Say whether a model is to be asked about *claim*: it may last, and the law lets it."""
    return judged.confidence >= _CHATTER and refusal(claim, judged.text) is None


def weighed(claim: Claim, judged: Judgement, opinion: Opinion) -> Judgement:
    """
    Return the judgement of *claim*: the model's, as far as it can be *trusted*.

    *judged* is the local judge's, which stands where the model was not heard. Its no is a
    no, and its line is the line, unless the law refuses the words.
    """
    if not opinion.trusted:
        return judged
    text = opinion.text if _is_lawful(claim, opinion.text) else judged.text
    told = replace(
        judged,
        text=text,
        triggers=tuple(_usable(opinion.triggers))[:MOST_TRIGGERS],
        judge=opinion.judge,
        prompt=opinion.prompt,
    )
    if not opinion.keeps:
        return _refused(told, opinion)
    return replace(
        told,
        section=opinion.section,
        importance=min(max(opinion.importance, _IMPORTANCES[0]), _IMPORTANCES[-1]),
        confidence=max(judged.confidence, _CONFIDENCE),
        prevents_mistake=Verdict(holds=True, reason=opinion.mistake),
        broadly_applicable=Verdict(holds=True, reason="it will matter again"),
        self_contained=Verdict(holds=True, reason="it stands by itself"),
    )


def _is_lawful(claim: Claim, text: str) -> bool:
    return bool(text) and refusal(claim, text) is None


def _refused(judged: Judgement, opinion: Opinion) -> Judgement:
    """Return *judged* with the model's no, for the first reason that it gives."""
    who = opinion.judge
    return replace(
        judged,
        broadly_applicable=Verdict(
            holds=opinion.broad, reason=f"{who} sees nothing lasting in it"
        ),
        self_contained=Verdict(
            holds=opinion.alone, reason=f"{who}: it does not stand by itself"
        ),
        prevents_mistake=Verdict(
            holds=bool(opinion.mistake),
            reason=opinion.mistake
            or f"{who} can name no mistake that would happen without it",
        ),
    )


def _usable(triggers: Iterable[str]) -> Iterator[str]:
    for phrase in triggers:
        marks = set(phrase) & set(",;<>\n") or carries_orders(phrase)
        telling = content_words(phrase.lower()) >= 1 and len(phrase) >= _FEWEST_CHARS
        if telling and not marks and len(phrase) <= LONGEST:
            yield phrase
