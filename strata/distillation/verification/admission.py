"""The last word on a judgement: what code refuses, whoever proposed it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.meaning.polarity import negation_mismatch
from strata.distillation.text.quotes import is_order_to_machines
from strata.distillation.text.vocabulary import content_words
from strata.distillation.verification.dimensions import RULES, self_contained
from strata.distillation.verification.gist import gist_of
from strata.models import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Claim, Judgement

PLACEHOLDER = "⟦"
_MARKUP = re.compile(
    r"<!--|-->|‹!--|--›|</?[a-z][^>]{0,80}>|\]\(|^\s*[#>|]|\{\{|\[\[", re.IGNORECASE
)
# What a judge writes who has found no mistake.
_VAGUE = re.compile(
    r"\b(?:might|may|could) (?:be )?(?:useful|helpful|relevant|good|forget|matter)\b"
    r"|\b(?:could|may|might|would|can) (?:\w+ )?(?:cause|create|lead to|result in|be)"
    r" (?:some |unnecessary |potential )?(?:confus\w+|misunderstand\w*|frustrat\w+"
    r"|inconvenien\w+|mistakes?|errors?|problems?|issues?|inefficien\w+|delays?)"
    r"|\b(?:lacks?|lose|loses|miss(?:es)?|without) (?:\w+ )?(?:context|information"
    r"|awareness|details?)\b|\b(?:something|things?) (?:would|could|might) go wrong\b"
    r"|\bgood to know\b|\bfor context\b|\bbackground\b|\bn/?a\b|\bnone\b|\bunclear\b"
    r"|可能有用|供参考|以备|背景|不清楚|无$|(?:可能|也许|或许|会)?(?:会)?(?:造成|引起|导致"
    r"|产生|带来)(?:一些|不必要的?)?(?:混淆|混乱|误解|误会|困惑|不便|麻烦|错误|问题|失误)"
    r"|缺(?:乏|少)(?:上下文|信息|了解)"
)
_LEAST_ANSWER = 4
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def refusal(claim: Claim, judgement: Judgement) -> tuple[str, str] | None:
    """Return the dimension and the reason for which *claim* may not enter, or None."""
    return next(_refusals(claim, judgement), None)


def carries_orders(text: str) -> bool:
    """Say whether *text* holds markup, or speaks to assistants as no owner would."""
    ordering = is_order_to_machines(text, quoted=False)
    return ordering or _MARKUP.search(text) is not None


def is_vague(answer: str) -> bool:
    """Say whether *answer* to the reverse check names no mistake."""
    plain = answer.lower()
    return content_words(plain) < _LEAST_ANSWER or _VAGUE.search(plain) is not None


def _refusals(claim: Claim, judgement: Judgement) -> Iterator[tuple[str, str]]:
    if not any(mention.origin is Origin.OWNER for mention in claim.mentions):
        yield "origin", "it does not rest on the owner's own words"
    if PLACEHOLDER in judgement.text:
        yield "secret", "it holds a secret or a personal number"
    if carries_orders(judgement.text):
        yield (
            "injection",
            "it carries markup, or speaks to assistants as no owner would",
        )
    wrong = _ungrounded(claim, judgement.text)
    if wrong:
        yield "grounded", wrong
    if all(gist_of(m.text, m.tag).trap for m in claim.mentions):
        yield "broadly_applicable", "it is a mood, a joke, a maybe, or another's view"
    for dimension in ("broadly_applicable", "prevents_mistake", "self_contained"):
        verdict = getattr(judgement, dimension)
        if not verdict.holds:
            yield dimension, verdict.reason
    # The rules name a mistake of each kind, and quote the line in their answer.
    if judgement.judge != RULES and is_vague(judgement.prevents_mistake.reason):
        yield "prevents_mistake", "the answer to the reverse check names no mistake"
    stands = self_contained(judgement.text)
    if not stands.holds:
        yield "self_contained", stands.reason


def _ungrounded(claim: Claim, text: str) -> str:
    """Return what *text* says that no entry does, or ""."""
    said = [mention.text for mention in claim.mentions]
    if any(_plain(text) in _plain(words) for words in said):
        return ""
    known = set(_NUMBER.findall(" ".join(said)))
    for number in _NUMBER.findall(text):
        if number not in known:
            return f"the number {number} is in no entry"
    mismatches = [negation_mismatch(text.lower(), words.lower()) for words in said]
    return "" if None in mismatches else str(mismatches[0])


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
