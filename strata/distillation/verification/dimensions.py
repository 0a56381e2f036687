"""
The four dimensions: whether a claim deserves one of eighty lines.

These rules judge where no model does, and are strict: what they cannot name a mistake
for stays in the notes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.text.vocabulary import content_words
from strata.distillation.verification.choosing import best_wording
from strata.distillation.verification.gist import gist_of
from strata.distillation.verification.holding import Kind
from strata.distillation.verification.leaning import points_outside
from strata.models import Judgement, Tag, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.distillation.verification.gist import Gist
    from strata.models import Claim, Mention

RULES = "rules"
# So much of what was said once is still true when it matters.
_CONFIDENCE = {
    Kind.SELF: 0.95,
    Kind.RULE: 0.9,
    Kind.CONTACT: 0.85,
    Kind.DECISION: 0.85,
    Kind.FACT: 0.8,
    Kind.HABIT: 0.7,
}
_IMPORTANCE = {
    Kind.SELF: 8,
    Kind.RULE: 7,
    Kind.CONTACT: 6,
    Kind.DECISION: 7,
    Kind.FACT: 5,
    Kind.HABIT: 5,
}
_REPEATED_CONFIDENCE = 0.6
_MOST = 10
# The reverse check: what would go wrong without the line.
_MISTAKES = {
    Kind.SELF: "the agent would arrange or offer what does not suit the owner: {0}",
    Kind.RULE: "the agent would act against a standing instruction: {0}",
    Kind.CONTACT: "the agent would turn to the wrong person, or in the wrong way: {0}",
    Kind.DECISION: "the agent would reopen or contradict what is decided: {0}",
    Kind.FACT: "the agent would go on working with a wrong value or place: {0}",
    Kind.HABIT: "the agent would do it in another way than the owner does: {0}",
}
_REPEATED = "the agent would have to be told again, as {1} times before: {0}"
_BROAD = {
    Kind.SELF: "it is true of the owner in every conversation",
    Kind.RULE: "it was said to hold from then on",
    Kind.CONTACT: "it holds whenever that person or matter comes up",
    Kind.DECISION: "whatever builds on it has to follow it",
    Kind.FACT: "it is a lasting property, not an event",
    Kind.HABIT: "it is how things are done here",
}
_SECTIONS = {
    Kind.SELF: "User Preferences",
    Kind.RULE: "User Preferences",
    Kind.HABIT: "User Preferences",
    Kind.CONTACT: "Important Contacts",
    Kind.DECISION: "Key Decisions",
    Kind.FACT: "Active Projects",
}
# What is told of an event is no lasting fact, however often it comes up.
HAPPENED = frozenset({Cue.FINDING, Cue.RESULT, Cue.EVENT, Cue.DEADLINE, Cue.REPORTED})
_FIRM = frozenset({Cue.STANDING, Cue.MEMO})
_SPECIFIC = frozenset({Cue.NAME, Cue.NUMBER, Cue.IDENTIFIER, Cue.TIME}) | _FIRM
_FEWEST_WORDS = 2
_PRESSING = re.compile(r"\b(?:always|never|ever|every time|all|only)\b")
# What ends so is the head of a list that stands elsewhere.
_ANNOUNCES = (":", "\uff1a")
_TIMES = 2


def judge(claim: Claim) -> Judgement:
    """Return what the rules find of *claim*."""
    gists = [
        (mention, gist_of(mention.text, mention.tag)) for mention in claim.mentions
    ]
    lasting = _lasting(claim.mentions)
    text = claim.text
    if not claim.turns:
        text = best_wording([(gist.text, gist.kind is not None) for _, gist in gists])
    if not lasting:
        # What takes the place of a rule is one, in whatever words it was said.
        lasting = _lasting(claim.turns)
    kind = min(
        (g.kind for _, g in lasting if g.kind),
        key=list(Kind).index,
        # What was stated on one day and changed on another was more than a remark.
        default=Kind.DECISION if claim.turns else None,
    )
    times = claim.conversations
    return Judgement(
        text=text,
        section=_section(kind, [mention for mention, _ in lasting or gists]),
        importance=_importance(kind, times, [gist for _, gist in lasting]),
        confidence=_confidence(kind, times),
        prevents_mistake=_mistake(kind, text, times),
        broadly_applicable=_breadth(kind, [gist for _, gist in gists], times),
        self_contained=self_contained(text),
        judge=RULES,
    )


def _lasting(mentions: Iterable[Mention]) -> list[tuple[Mention, Gist]]:
    gists = ((mention, gist_of(mention.text, mention.tag)) for mention in mentions)
    return [(mention, gist) for mention, gist in gists if gist.kind]


def self_contained(text: str) -> Verdict:
    """Say whether *text* means anything to a reader who knows nothing else."""
    outside = points_outside(text)
    if outside:
        return Verdict(
            holds=False, reason=f"“{outside}” points to what the line does not say"
        )
    told = content_words(_PRESSING.sub("", text.lower()))
    if told < _FEWEST_WORDS or text.rstrip()[-1:] in _ANNOUNCES:
        return Verdict(holds=False, reason="it says too little by itself")
    return Verdict(holds=True, reason="it names everything that it speaks of")


def _mistake(kind: Kind | None, text: str, times: int) -> Verdict:
    if kind is not None:
        return Verdict(holds=True, reason=_MISTAKES[kind].format(_brief(text)))
    if times >= _TIMES:
        return Verdict(holds=True, reason=_REPEATED.format(_brief(text), times))
    return Verdict(holds=False, reason="no concrete mistake would happen without it")


def _breadth(kind: Kind | None, gists: Sequence[Gist], times: int) -> Verdict:
    if kind is not None:
        return Verdict(holds=True, reason=_BROAD[kind])
    if any(gist.trap for gist in gists):
        return Verdict(
            holds=False, reason="it is a mood, a joke, a maybe, or another's view"
        )
    if all(gist.bound for gist in gists):
        return Verdict(
            holds=False, reason="it speaks of one occasion or one stretch of time"
        )
    if times >= _TIMES and not any(gist.cues & HAPPENED for gist in gists):
        return Verdict(holds=True, reason=f"it came up in {times} conversations")
    if times >= _TIMES:
        return Verdict(holds=False, reason="it tells what happened, not how things are")
    return Verdict(
        holds=False, reason="it came up in one conversation and states no rule"
    )


def _section(kind: Kind | None, mentions: Sequence[Mention]) -> str:
    tags = {mention.tag for mention in mentions}
    if kind in {Kind.RULE, Kind.HABIT, None} and Tag.PREFERENCE not in tags:
        return "Key Decisions" if Tag.DECISION in tags else "Active Projects"
    return _SECTIONS[kind] if kind else "User Preferences"


def _importance(kind: Kind | None, times: int, gists: Sequence[Gist]) -> int:
    """Count also how firmly it was said, what it names, and that it was said again."""
    cues = frozenset[Cue]().union(*(gist.cues for gist in gists))
    least = _IMPORTANCE[kind] if kind else 4
    if cues & _FIRM:
        least = max(least, _IMPORTANCE[Kind.RULE])
    vague = kind in {Kind.FACT, Kind.HABIT} and not cues & _SPECIFIC
    heard = (Cue.GRAVE in cues) - vague + min(times - 1, 2)
    return min(_MOST, least + heard)


def _confidence(kind: Kind | None, times: int) -> float:
    doubt = 1 - (_CONFIDENCE[kind] if kind else _REPEATED_CONFIDENCE)
    return round(1 - doubt / float(2 ** (times - 1)), 3)


def _brief(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79].rstrip()}…"  # noqa: PLR2004 - a reason is one line
