"""What a model's opinion of a candidate counts for: the model proposes, code decides."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.meaning.similarity import terms_of
from strata.distillation.text.quotes import is_order_to_machines
from strata.distillation.text.vocabulary import content_words
from strata.distillation.verification.admission import carries_orders, is_vague, refusal
from strata.distillation.verification.dimensions import HAPPENED
from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.rewording import changed_in
from strata.distillation.verification.triggers import LONGEST, MOST_TRIGGERS
from strata.models import Judgement, Tag, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.models import Claim, Mention

# What only a model would keep is less sure than what the rules would keep as well.
_RAISED_CONFIDENCE = 0.6
_MOST_RAISED = 6
# So far a model may move the importance that the rules give.
_SWAY = 2
_IMPORTANCES = range(1, 11)
_FIRM = frozenset({Cue.STANDING, Cue.MEMO})
_CHOSEN = frozenset({Tag.PREFERENCE, Tag.DECISION})
# What shows in the words themselves that somebody chose, is or likes something.
_CHOICE = frozenset(
    {
        Cue.DECIDED,
        Cue.DECISION,
        Cue.SELF,
        Cue.HABIT,
        Cue.TASTE,
        Cue.REQUIRES,
        Cue.PROPERTY,
        Cue.LOCATED,
        Cue.RECURRING,
        Cue.CONDITION,
    }
)
_LIKES = re.compile(
    r"\b(?:i|we|owner|user)(?:'d| would| always| really)? "
    r"(?:rather|likes?|prefers?|loves?|hates?|dislikes?|picked|chose|choose)\b"
    r"|\bsuits? me\b|我们?(?:比较|更|最|一直)?(?:喜欢|偏好|习惯|讨厌|不爱|宁愿|宁可|选了?)",
    re.IGNORECASE,
)
# What is asked for at the moment, or leans on what was said before.
_MOMENTARY = frozenset(
    {
        Cue.IMPERATIVE,
        Cue.REQUEST,
        Cue.FAVOUR,
        Cue.QUESTION,
        Cue.MOOD,
        Cue.LAUGHTER,
        Cue.DANGLING,
        Cue.ANSWER,
    }
)
_TWICE = 2
_FEWEST_WORDS = 2


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


def is_open(claim: Claim, ruled: Judgement) -> bool:
    """
    Say whether a model's opinion of *claim* could count, so that it is worth asking.

    *ruled* is what the rules find.
    """
    if any(is_order_to_machines(m.text, quoted=True) for m in claim.mentions):
        return False
    refused = refusal(claim, ruled)
    return refused is None or _may_raise(claim, ruled)


def weighed(claim: Claim, ruled: Judgement, opinion: Opinion) -> Judgement:
    """
    Return the judgement of *claim* that code makes of *ruled* and of *opinion*.

    A model may keep out what was said once and not for good; it may raise a preference or
    decision of the owner in which the rules see nothing lasting, if the words show one. It
    never throws out what the owner asked to be remembered or said again, and never raises
    an occasion, an event, a request, a maybe or another's view. Its wording counts where
    it says exactly the same.
    """
    if not opinion.trusted or not is_open(claim, ruled):
        return ruled
    worded = _worded(ruled, opinion)
    if refusal(claim, ruled) is None:
        if opinion.keeps:
            return _agreed(worded, opinion)
        return ruled if _is_asked_for(claim) else _vetoed(worded, opinion)
    return _raised(worded, opinion) if opinion.keeps else ruled


def _is_asked_for(claim: Claim) -> bool:
    """Say whether the owner said it for good, asked to remember it, or said it again."""
    gists = (gist_of(mention.text, mention.tag) for mention in claim.mentions)
    firm = any(gist.kind and gist.cues & _FIRM for gist in gists)
    return firm or claim.conversations >= _TWICE


def _may_raise(claim: Claim, ruled: Judgement) -> bool:
    gists = [gist_of(mention.text, mention.tag) for mention in claim.mentions]
    if any(gist.trap or gist.bound or gist.cues & HAPPENED for gist in gists):
        return False
    if not any(map(_tells_a_choice, claim.mentions)):
        return False
    # What else is wrong with it no opinion can mend.
    return refusal(claim, _approved(ruled)) is None


def _tells_a_choice(mention: Mention) -> bool:
    """Say whether the words show a choice or a liking, whoever tagged them as one."""
    cues = gist_of(mention.text, mention.tag).cues
    if mention.tag not in _CHOSEN or cues & _MOMENTARY:
        return False
    return bool(cues & _CHOICE or _LIKES.search(mention.text))


def _approved(ruled: Judgement) -> Judgement:
    """Return *ruled* as if a model had found that it deserves a line."""
    holds = Verdict(holds=True, reason=f"the agent would get this wrong: {ruled.text}")
    return replace(ruled, prevents_mistake=holds, broadly_applicable=holds)


def _worded(ruled: Judgement, opinion: Opinion) -> Judgement:
    """Return *ruled* with what of the opinion's wording and triggers may be used."""
    better = opinion.text and changed_in(opinion.text, [ruled.text]) is None
    return replace(
        ruled,
        text=opinion.text if better else ruled.text,
        triggers=tuple(_usable(opinion.triggers))[:MOST_TRIGGERS],
        judge=opinion.judge,
        prompt=opinion.prompt,
    )


def _agreed(ruled: Judgement, opinion: Opinion) -> Judgement:
    low, high = ruled.importance - _SWAY, ruled.importance + _SWAY
    mistake = ruled.prevents_mistake
    if _names_mistake(opinion, ruled.text):
        mistake = Verdict(holds=True, reason=opinion.mistake)
    return replace(
        ruled,
        section=opinion.section,
        importance=_importance(min(max(opinion.importance, low), high)),
        prevents_mistake=mistake,
    )


def _vetoed(ruled: Judgement, opinion: Opinion) -> Judgement:
    reason = f"{opinion.judge} sees nothing lasting in it"
    if not opinion.broad:
        return replace(ruled, broadly_applicable=Verdict(holds=False, reason=reason))
    if not opinion.alone:
        reason = f"{opinion.judge} says that it does not stand by itself"
        return replace(ruled, self_contained=Verdict(holds=False, reason=reason))
    reason = f"{opinion.judge} can name no mistake that would happen without it"
    return replace(ruled, prevents_mistake=Verdict(holds=False, reason=reason))


def _raised(ruled: Judgement, opinion: Opinion) -> Judgement:
    named = _names_mistake(opinion, ruled.text)
    reason = opinion.mistake if named else "the reverse check names no mistake of it"
    return replace(
        ruled,
        section=opinion.section,
        importance=_importance(min(opinion.importance, _MOST_RAISED)),
        confidence=_RAISED_CONFIDENCE,
        prevents_mistake=Verdict(holds=named, reason=reason),
        broadly_applicable=Verdict(holds=True, reason="it will matter again"),
    )


def _names_mistake(opinion: Opinion, text: str) -> bool:
    """Say whether the answer is a mistake, and one about what *text* says."""
    about = not terms_of(opinion.mistake).isdisjoint(terms_of(text))
    return about and not is_vague(opinion.mistake)


def _usable(triggers: Iterable[str]) -> Iterator[str]:
    for phrase in triggers:
        marks = set(phrase) & set(",;<>\n") or carries_orders(phrase)
        telling = content_words(phrase.lower()) >= 1 and len(phrase) >= _FEWEST_WORDS
        if telling and not marks and len(phrase) <= LONGEST:
            yield phrase


def _importance(wanted: int) -> int:
    return min(max(wanted, _IMPORTANCES[0]), _IMPORTANCES[-1])
