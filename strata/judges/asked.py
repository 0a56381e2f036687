"""What a language model says of a candidate: where there is one, it judges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.judges.holding import held_in
from strata.judges.law import refusal
from strata.language.quotes import carries_orders
from strata.language.vocabulary import content_words
from strata.models import Judgement, Tag, Verdict
from strata.statements.tightening import tightened
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
_CHOSEN = frozenset({Tag.DECISION, Tag.PREFERENCE})
# Why a candidate gets no line, in the model's word for it and in ours.
UNCLEAR = "unclear"
TAKEN_BACK = "taken back"
_REASONS = {
    "passing": "it is about one task, one day or a mood",
    "dated": "it is over soon",
    "joke": "it is a joke or a maybe",
    "another's": "it is somebody else's view",
    TAKEN_BACK: "it was taken back",
    UNCLEAR: "it does not stand by itself",
    "known": "memory says so already",
}


@dataclass(frozen=True, slots=True)
class Opinion:
    """
    What the model *judge* says of a candidate, asked by *prompt*.

    *why* is why it gets no line, "" where it does; *mistake* is what would go wrong
    without one. *text* is the line, held to the words that the model was shown; "" leaves
    it in the words of the entry. *ends* are the ids of statements that hold no longer
    because of it. Where its answers to questions with known answers were wrong, it is not
    *trusted* at all.
    """

    text: str
    section: str
    importance: int
    mistake: str
    why: str
    triggers: tuple[str, ...]
    judge: str
    prompt: str
    ends: tuple[str, ...] = ()
    trusted: bool = True

    @property
    def keeps(self) -> bool:
        """Whether the model would give it a line."""
        return not self.why


def is_open(claim: Claim, judged: Judgement) -> bool:
    """Say whether a model is asked about *claim*: it may last, and the law lets it."""
    held = [held_in(mention) for mention in claim.mentions]
    likely = max(each.estimate.lasts for each in held)
    chosen = any(mention.tag in _CHOSEN for mention in claim.mentions)
    # Whether it was meant, and for how long, is for the model to say.
    may_last = chosen or max(likely, judged.confidence) >= _CHATTER
    return may_last and refusal(claim, judged.text) is None


def weighed(claim: Claim, judged: Judgement, opinion: Opinion) -> Judgement:
    """
    Return the judgement of *claim*: the model's, as far as it can be *trusted*.

    *judged* is the local judge's, which stands where the model was not heard. Its no is a
    no, and its line is the line, unless the law refuses the words.
    """
    if not opinion.trusted:
        return judged
    lawful = opinion.text and refusal(claim, opinion.text) is None
    told = replace(
        judged,
        text=opinion.text if lawful else tightened(judged.text),
        triggers=tuple(_usable(opinion.triggers))[:MOST_TRIGGERS],
        judge=opinion.judge,
        prompt=opinion.prompt,
    )
    if not opinion.keeps:
        return _refused(told, opinion)
    return replace(
        told,
        section=opinion.section or judged.section,
        importance=min(max(opinion.importance, _IMPORTANCES[0]), _IMPORTANCES[-1]),
        confidence=max(judged.confidence, _CONFIDENCE),
        prevents_mistake=Verdict(
            holds=True,
            reason=opinion.mistake or f"the agent would not know: {told.text}",
        ),
        broadly_applicable=Verdict(holds=True, reason="it will matter again"),
        self_contained=Verdict(holds=True, reason="it stands by itself"),
    )


def _refused(judged: Judgement, opinion: Opinion) -> Judgement:
    """Return *judged* with the model's no, for the reason that it gives."""
    because = _REASONS.get(opinion.why, "it sees nothing lasting in it")
    no = Verdict(holds=False, reason=f"{opinion.judge}: {because}")
    fine = Verdict(holds=True, reason="it was not for that")
    unclear = opinion.why == UNCLEAR
    return replace(
        judged,
        broadly_applicable=fine if unclear else no,
        prevents_mistake=fine if unclear else no,
        self_contained=no if unclear else fine,
    )


def _usable(triggers: Iterable[str]) -> Iterator[str]:
    for phrase in triggers:
        marks = set(phrase) & set(",;<>\n") or carries_orders(phrase)
        telling = content_words(phrase.lower()) >= 1 and len(phrase) >= _FEWEST_CHARS
        if telling and not marks and len(phrase) <= LONGEST:
            yield phrase
