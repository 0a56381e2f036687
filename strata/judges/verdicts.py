"""
The local judge's verdict on a claim: whether it deserves one of eighty lines.

It judges where no language model does. What was said again in another conversation, or
took the place of a line, counts for more than what was said once.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.holding import estimate_of, held_in
from strata.judges.local import local_judge
from strata.language.vocabulary import content_words
from strata.models import Judgement, Verdict

if TYPE_CHECKING:
    from strata.judges.holding import Held
    from strata.judges.owner import OwnerTaste
    from strata.models import Claim

LOCAL = "local"
# From here on it is likely enough that a line would be missed.
ENTERS = 0.5
# So much surer (in log-odds) is what was said in one more conversation; twice counts.
_REPEATED = 0.9
_MOST_REPEATS = 2
# Less sure is what was only said alike.
_ECHOED = 0.6
# What takes the place of a lasting line is a lasting line.
_SUCCEEDS = 2.0
# How surely a line stands by itself.
_LEANS = 0.65
_FEWEST_WORDS = 2
_MOST = 10
_MOST_WORDS = 80
# The reverse check: what would go wrong without the line.
_MISTAKES = {
    "preference": "the agent would act against a standing wish: {0}",
    "contact": "the agent would turn to the wrong person, or in the wrong way: {0}",
    "decision": "the agent would reopen or contradict what is decided: {0}",
    "fact": "the agent would go on with a wrong picture of how things are: {0}",
    "task": "the agent would forget what is due: {0}",
    "finding": "the agent would find out again what is known: {0}",
    "request": "the agent would have to be asked again: {0}",
}
_SECTIONS = {
    "preference": "User Preferences",
    "contact": "Important Contacts",
    "decision": "Key Decisions",
}
_IMPORTANCE = {"preference": 2, "contact": 1, "decision": 2, "fact": 1}
# Who speaks of themselves, and of theirs.
_OWN = re.compile(r"\b(?:i|i'm|my|me|mine|we|our|us)\b|我|咱", re.IGNORECASE)


def judge(claim: Claim, taste: OwnerTaste | None = None, echoes: int = 0) -> Judgement:
    """
    Return what the local judge finds of *claim*, given the owner's *taste*.

    *echoes* counts the other conversations in which something alike was said.
    """
    held = [held_in(mention) for mention in claim.mentions]
    best = max(held, key=lambda each: each.estimate.lasts)
    sure = _lasting(claim, held, taste, echoes)
    kind = best.estimate.kind
    text = claim.text
    holds = Verdict(holds=True, reason=_MISTAKES[kind].format(_brief(text)))
    lasts = sure >= ENTERS and any(each.meant for each in held)
    nothing = Verdict(holds=False, reason="no concrete mistake would happen without it")
    return Judgement(
        text=text,
        section=_SECTIONS.get(kind)
        or ("User Preferences" if _OWN.search(text) else "Active Projects"),
        importance=_importance(kind, sure, claim.conversations),
        confidence=round(sure, 3),
        prevents_mistake=holds if lasts else nothing,
        broadly_applicable=_breadth(claim, best, sure, taste, lasts=lasts),
        self_contained=_alone(text, held),
        judge=LOCAL,
    )


def says_enough(text: str) -> bool:
    """Say whether *text* has more than a word that carries meaning."""
    return content_words(text.lower()) >= _FEWEST_WORDS


def _lasting(
    claim: Claim, held: list[Held], taste: OwnerTaste | None, echoes: int
) -> float:
    """Return how likely *claim* holds for good, with all that speaks for it."""
    likely = max(
        (each.estimate.lasts for each in held if each.meant and not each.bound),
        default=0.0,
    )
    score = math.log((likely + 0.001) / (1.001 - likely))
    score += _REPEATED * min(claim.conversations - 1, _MOST_REPEATS)
    score += _ECHOED * min(echoes, _MOST_REPEATS)
    score += _SUCCEEDS * bool(claim.turns)
    score += taste.shift(claim.text) if taste else 0.0
    return 1 / (1 + math.exp(-score))


def _breadth(
    claim: Claim, best: Held, sure: float, taste: OwnerTaste | None, *, lasts: bool
) -> Verdict:
    if not best.meant:
        reason = "it is a joke, a maybe, or another's view, or was taken back"
    elif best.bound:
        reason = "it holds for some time only"
    elif lasts:
        words = local_judge().reasons(Remark(best.text), "lasts")
        told = " (" + ", ".join(f"“{each}”" for each in words) + ")" if words else ""
        times = f", said in {claim.conversations} conversations"
        again = times if claim.conversations > 1 else ""
        reason = f"it holds for good with a likelihood of {sure:.2f}{again}{told}"
    else:
        reason = f"it holds for good with a likelihood of {sure:.2f} only"
    learned = taste.told(claim.text) if taste else ""
    return Verdict(holds=lasts, reason=f"{reason}; {learned}" if learned else reason)


def _alone(text: str, held: list[Held]) -> Verdict:
    """Say whether the line stands by itself, as it was judged in its conversation."""
    if not says_enough(text):
        return Verdict(holds=False, reason="it says too little by itself")
    said = [each.estimate for each in held if each.text == text]
    leans = min((each.leans for each in said), default=None)
    if (estimate_of(text).leans if leans is None else leans) >= _LEANS:
        return Verdict(holds=False, reason="it points to what the line does not say")
    return Verdict(holds=True, reason="it names everything that it speaks of")


def _importance(kind: str, sure: float, times: int) -> int:
    raised = min(times - 1, _MOST_REPEATS)
    return min(_MOST, 3 + _IMPORTANCE.get(kind, 0) + round(3 * sure) + raised)


def _brief(text: str) -> str:
    return text if len(text) <= _MOST_WORDS else f"{text[: _MOST_WORDS - 1].rstrip()}…"
