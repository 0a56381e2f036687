"""The statements of one exchange, judged in their conversation and resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.findings import findings_of
from strata.judges.local import local_judge
from strata.language.sentences import language_of, split_sentences
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.models import Estimate, Evidence
from strata.statements.answers import meaning_of, scope_of
from strata.statements.context import topic_of
from strata.statements.corrections import correction_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.language.sentences import Sentence
    from strata.models import Message
    from strata.statements.answers import Meaning
    from strata.statements.exchanges import Exchange

# Less likely worth a note than this, something fills up a thin one at best.
UNSURE = 0.25
# What is judged less likely than this is chatter.
_CHATTER = 0.1
_SURE = 0.5
_OWN_KINDS = ("preference", "decision", "fact", "contact")
# So much a sentence leans on the one before it.
_LEANING = 0.4
# So likely the owner's next words, if they are few, take back what was said.
_TAKES_BACK = 0.4
_FEW_CHARS = 80
_LONGEST = 280
_LONGEST_QUOTE = 600
_QUOTATION_MARK = re.compile(r"[\"“「『<]")


@dataclass(frozen=True)
class Candidate:
    """
    Something that may become an entry.

    *position* orders candidates as they were said, *topic* is what it leans on.
    """

    position: tuple[int, int]
    estimate: Estimate
    text: str
    evidence: tuple[Evidence, ...]
    topic: str = ""

    @cached_property
    def terms(self) -> frozenset[str]:
        """What the candidate is compared by."""
        return terms_of(self.text)


def candidates_of(exchange: Exchange) -> Iterator[Candidate]:
    """Give what the owner states in *exchange*, and what the agent reports."""
    if exchange.said is not None:
        yield from _stated(exchange, exchange.said)
    for index, (sentence, reply, estimate) in enumerate(findings_of(exchange)):
        quote = sentence.quote(reply.message.text)
        place = (exchange.position, 100 + index)
        evidence = (_quoted(reply.message, quote),)
        yield Candidate(place, estimate, trim(sentence.text), evidence)


def _stated(exchange: Exchange, said: Message) -> Iterator[Candidate]:
    sentences = [s for s in split_sentences(said.text) if not s.injected]
    judged = local_judge().judge(_remarks(exchange, said.text, sentences))
    estimates = [
        _quoting(estimate) if sentence.carries_order else estimate
        for sentence, estimate in zip(sentences, judged, strict=True)
    ]
    groups = list(_statements(sentences, estimates))
    joined = [_joined([estimates[at] for at in group]) for group in groups]
    for place, (group, estimate) in enumerate(
        zip(groups, _after_the_next(exchange, joined), strict=True)
    ):
        candidate = Candidate(
            (exchange.position, place),
            estimate,
            trim(_line([sentences[at] for at in group])),
            (_quoted(said, _words(said, [sentences[at] for at in group])),),
        )
        if group[0] == 0:
            yield _resolved(candidate, exchange, said, sentences[0].plain)
        else:
            yield candidate


def _after_the_next(
    exchange: Exchange, estimates: Sequence[Estimate]
) -> Sequence[Estimate]:
    """Return *estimates* of a message as what its owner says next leaves them."""
    after = exchange.after
    if after is None or len(after.text) > _FEW_CHARS or not estimates:
        return estimates
    reply = exchange.replies[-1].message.text if exchange.replies else ""
    said = exchange.said.text if exchange.said else ""
    first = split_sentences(after.text)[:1]
    remarks = [Remark(each.text, before=reply, earlier=said) for each in first]
    takes_back = max((e.retracts for e in local_judge().judge(remarks)), default=0.0)
    if takes_back < _TAKES_BACK:
        return estimates
    places = range(len(estimates))
    meant = max(places, key=lambda at: (estimates[at].retracted, estimates[at].lasts))
    gone = replace(
        estimates[meant], retracted=max(takes_back, _SURE), keep=_CHATTER, lasts=0.0
    )
    return [*estimates[:meant], gone, *estimates[meant + 1 :]]


def _quoting(estimate: Estimate) -> Estimate:
    """Return *estimate* of a sentence that quotes an order to machines: it is told of."""
    keep = min(estimate.keep, UNSURE)
    return replace(estimate, kind="finding", keep=keep, lasts=0.0, meant=0.0)


def _remarks(
    exchange: Exchange, text: str, sentences: Sequence[Sentence]
) -> list[Remark]:
    reply = exchange.replies[0].message.text if exchange.replies else ""
    before = exchange.before.text if exchange.before else ""
    earlier = exchange.earlier.text if exchange.earlier else ""
    after = exchange.after.text if exchange.after else ""
    return [
        Remark(
            each.text,
            lead=text[: each.start],
            rest=text[each.end :],
            before=before,
            reply=reply,
            earlier=earlier,
            after=after,
        )
        for each in sentences
    ]


def _statements(
    sentences: Sequence[Sentence], estimates: Sequence[Estimate]
) -> Iterator[list[int]]:
    """Give the sentences that make one statement: with those on which they lean."""
    group: list[int] = []
    for at in range(len(sentences)):
        if at and _belongs(sentences, estimates, group or [at - 1], at):
            group = [*(group or [at - 1]), at]
            continue
        if group:
            yield group
        group = [at]
    if group:
        yield group


def _belongs(
    sentences: Sequence[Sentence],
    estimates: Sequence[Estimate],
    group: Sequence[int],
    at: int,
) -> bool:
    """Say whether a sentence leans on those before it."""
    own = estimates[at]
    if own.keep < _CHATTER or group[-1] != at - 1:
        return False
    if sentences[at].end - sentences[group[0]].start > _LONGEST:
        return False
    if sentences[at].paragraph != sentences[at - 1].paragraph:
        return False
    return own.leans >= _LEANING


def _joined(parts: Sequence[Estimate]) -> Estimate:
    """Return what a judge makes of several sentences that are one statement."""
    strongest = max(parts, key=lambda each: each.keep)
    return Estimate(
        strongest.kind,
        strongest.keep,
        max(each.lasts for each in parts),
        strongest.until,
        min(each.meant for each in parts if each.keep >= _CHATTER or each is strongest),
        parts[0].leans,
        max(each.retracts for each in parts),
        max(each.retracted for each in parts),
        max(each.opens for each in parts),
    )


def _resolved(
    candidate: Candidate, exchange: Exchange, said: Message, plain: str
) -> Candidate:
    """Return *candidate* with what it leans on, where that can be found."""
    if meaning := meaning_of(exchange):
        text = _answered(said.text, meaning)
        return replace(
            candidate,
            estimate=_taken_up(candidate.estimate, text),
            text=text,
            evidence=(*candidate.evidence, _quoted(meaning.message, meaning.quote)),
        )
    if candidate.estimate.leans < _LEANING:
        return candidate
    estimate = replace(candidate.estimate, leans=min(candidate.estimate.leans, 0.3))
    if right := correction_of(exchange.before, candidate.text):
        quote = _quoted(right.message, right.quote)
        return replace(
            candidate,
            estimate=estimate,
            text=right.text,
            evidence=(*candidate.evidence, quote),
        )
    topic = topic_of(exchange.before, candidate.text, plain)
    if topic is None:
        # A yes to nothing that was offered says nothing.
        says = content_words(candidate.text.lower()) > 1
        return candidate if says else replace(candidate, estimate=_nothing(estimate))
    return replace(
        candidate,
        estimate=estimate,
        topic=topic.text,
        evidence=(*candidate.evidence, _quoted(topic.message, topic.quote)),
    )


def _nothing(estimate: Estimate) -> Estimate:
    return replace(estimate, keep=min(estimate.keep, _CHATTER), lasts=0.0)


def _taken_up(answer: Estimate, text: str) -> Estimate:
    """Return what a judge makes of a proposal that the owner took up by *answer*."""
    [offered] = local_judge().judge([Remark(text)])
    return replace(
        offered,
        # What an agent offers to do, and its owner takes up, is decided.
        kind=offered.kind if offered.kind in _OWN_KINDS else "decision",
        keep=max(answer.keep, offered.keep),
        lasts=(answer.lasts + offered.lasts) / 2,
        until=(answer.until + offered.until) / 2,
        meant=min(answer.meant, offered.meant),
        leans=min(answer.leans, offered.leans),
        retracted=answer.retracted,
        opens=max(answer.opens, offered.opens),
    )


def _answered(text: str, meaning: Meaning) -> str:
    """Return the resolved meaning, with what the owner added to it."""
    scope = scope_of(text, named=meaning.named)
    joint = "。" if language_of(meaning.text) == "zh" else ". "
    return meaning.text.rstrip("。. ") + (joint + scope if scope else "")


def _line(sentences: Sequence[Sentence]) -> str:
    """Return the words of neighbouring sentences, on one line."""
    words = sentences[0].text
    for sentence in sentences[1:]:
        close = words[-1:] in "。!?;…」』”\uff01\uff1f\uff1b" and sentence.has_hanzi
        words += ("" if close else " ") + sentence.text
    return words


def _words(message: Message, sentences: Sequence[Sentence]) -> str:
    """Return the words as they were said, up to a quoted order to machines."""
    whole = message.text[sentences[0].start : sentences[-1].end]
    quotes = any(sentence.carries_order for sentence in sentences)
    return _QUOTATION_MARK.split(whole, maxsplit=1)[0] if quotes else whole


def _quoted(message: Message, words: str) -> Evidence:
    return Evidence(message.id, words[:_LONGEST_QUOTE], message.time, message.origin)
