"""What a conversation leaves worth keeping, as the local judge finds it."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.local import local_judge
from strata.judges.protocol import KEEPS, TAGS
from strata.language.sentences import language_of, split_sentences
from strata.language.similarity import same, terms_of
from strata.language.wording import (
    capitalised,
    trim,
    with_dates,
    within,
)
from strata.models import Estimate, Evidence, Fact, Frame
from strata.statements.answers import meaning_of, scope_of
from strata.statements.context import topic_of
from strata.statements.corrections import correction_of
from strata.statements.exchanges import exchanges
from strata.statements.results import results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import tzinfo

    from strata.language.sentences import Sentence
    from strata.models import Message
    from strata.statements.answers import Meaning
    from strata.statements.exchanges import Exchange

# A conversation in which so much happened leaves at least so many entries.
_FEWEST = 3
_UNSURE = 0.25
# What is judged less likely than this is chatter, and not looked at any further.
_CHATTER = 0.1
_SURE = 0.5
_OWN_KINDS = ("preference", "decision", "fact", "contact")
# So much a sentence leans on, or goes on with, the one before it.
_LEANING = 0.4
_LASTING = 0.3
_LONGEST = 280
_LONGEST_QUOTE = 600
_QUOTATION_MARK = re.compile(r"[\"“「『<]")
# What the agent reports after it did something, and what it merely says.
_AGENT_DID = Estimate("finding", 0.6, 0.05, 0.05, 1.0, 0.0, 0.0, 0.0, 0.0)
_AGENT_SAID = replace(_AGENT_DID, keep=0.46)


@dataclass(frozen=True)
class Candidate:
    """
    Something that may become an entry.

    *position* orders candidates as they were said.
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

    def fact(self, timezone: tzinfo) -> Fact:
        """Return the entry in its final wording."""
        said_at = self.evidence[0].said_at.astimezone(timezone)
        text, topic = with_dates(self.text, said_at), with_dates(self.topic, said_at)
        kind, kept = self.estimate.kind, self.estimate.keep >= KEEPS
        frame = Frame.NONE
        if kept and kind != "request":
            text = capitalised(text)
        else:
            frame = Frame.REQUEST if kept else Frame.SAYING
        fact = Fact(
            text,
            TAGS.get(kind) if kept else None,
            language_of(text if frame else text + topic),
            self.evidence,
            estimate=self.estimate,
            frame=frame,
            topic=topic,
        )
        return within(fact)


def extract_facts(
    messages: Iterable[Message], *, timezone: tzinfo, floor: int = 1
) -> list[Fact]:
    """
    Return what *messages* leave worth keeping, in the order it was said.

    They are the visible, redacted messages of one session on one local day, or of a later
    stretch of it; they are read as a stream. At least *floor* facts come back wherever
    the owner said anything. *timezone* is where "tomorrow" begins. The same messages give
    the same facts.
    """
    return [each.fact(timezone) for each in find_candidates(messages, floor=floor)]


def find_candidates(messages: Iterable[Message], *, floor: int = 0) -> list[Candidate]:
    """Return what `extract_facts` is made of: also what speaks for keeping it."""
    held: dict[str, Candidate] = {}
    spare: list[Candidate] = []
    for exchange in exchanges(messages):
        for candidate in _candidates_of(exchange):
            if candidate.estimate.keep < _UNSURE:
                # Only the best of these is ever wanted, and a conversation may be long.
                spare = sorted([*spare, candidate], key=_rank)[:floor]
                continue
            rival = held.get(candidate.text)
            if rival is None or candidate.estimate.keep > rival.estimate.keep:
                held[candidate.text] = candidate
    chosen = _chosen([*held.values(), *spare], floor)
    return sorted(chosen, key=lambda each: each.position)


def _rank(candidate: Candidate) -> tuple[float, int, tuple[int, int]]:
    return -candidate.estimate.keep, -len(candidate.text), candidate.position


def _chosen(held: Iterable[Candidate], floor: int) -> Iterator[Candidate]:
    """Give what is worth an entry, and the best of the rest where that is little."""
    ranked = sorted(held, key=_rank)
    chosen: dict[str, list[frozenset[str]]] = defaultdict(list)
    count = 0
    for each in ranked:
        keep = each.estimate.keep
        least = _FEWEST if keep >= _UNSURE else floor
        if keep < KEEPS and count >= least:
            break
        if any(
            same(each.terms, other) for term in each.terms for other in chosen[term]
        ):
            continue
        for term in each.terms:
            chosen[term].append(each.terms)
        count += 1
        yield each


def _candidates_of(exchange: Exchange) -> Iterator[Candidate]:
    if exchange.said is not None:
        yield from _stated(exchange, exchange.said)
    for index, (sentence, reply) in enumerate(results_of(exchange)):
        estimate = _AGENT_DID if reply.after_tool else _AGENT_SAID
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
    for place, group in enumerate(_statements(sentences, estimates)):
        estimate = _joined([estimates[at] for at in group])
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


def _quoting(estimate: Estimate) -> Estimate:
    """Return *estimate* of a sentence that quotes an order to machines: it is told of."""
    keep = min(estimate.keep, _UNSURE)
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
    """Say whether a sentence leans on those before it, or goes on with what lasts."""
    own, before = estimates[at], estimates[at - 1]
    if own.keep < _CHATTER or group[-1] != at - 1:
        return False
    if sentences[at].end - sentences[group[0]].start > _LONGEST:
        return False
    if sentences[at].paragraph != sentences[at - 1].paragraph:
        return False
    return own.leans >= _LEANING or min(own.lasts, before.lasts) >= _LASTING


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
    if candidate.estimate.leans < _SURE:
        return candidate
    estimate = replace(candidate.estimate, leans=1 - candidate.estimate.leans)
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
        return candidate
    return replace(
        candidate,
        estimate=estimate,
        topic=topic.text,
        evidence=(*candidate.evidence, _quoted(topic.message, topic.quote)),
    )


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
