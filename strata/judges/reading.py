"""The statements of one exchange, judged in their conversation and resolved."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from strata.judges.acts import Act, acts_of, together
from strata.judges.candidates import CHATTER, UNSURE, Candidate, about, quoted
from strata.judges.features import Remark
from strata.judges.findings import findings_of
from strata.judges.local import local_judge
from strata.judges.resolving import Resolving
from strata.judges.topics import LEANING, asked_of
from strata.language.sentences import split_sentences
from strata.language.wording import trim
from strata.models import Estimate
from strata.statements.antecedents import Stated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.language.sentences import Sentence
    from strata.models import Message
    from strata.statements.antecedents import Position, Talk
    from strata.statements.exchanges import Exchange, Reply

_LONGEST = 280
_QUOTATION_MARK = re.compile(r"[\"“「『<]")
# The agent's replies come after the owner's statements, and are read so far.
_REPLIES = 100
_READ = 8


def candidates_of(exchange: Exchange, talk: Talk) -> Iterator[Candidate]:
    """
    Give what the owner states in *exchange*, and what the agent reports.

    *talk* is what was said before it in the stretch, as it stands by then; what is said
    here comes to it.
    """
    if exchange.said is not None:
        for each in _stated(exchange, exchange.said, talk):
            talk.drop(each.undoes)
            talk.add([_as_stated(each)])
            yield each
        for sentence, reply, estimate in findings_of(exchange):
            words = sentence.quote(reply.message.text)
            candidate = Candidate(
                _place_of(exchange, reply, sentence),
                estimate,
                trim(sentence.text),
                (quoted(reply.message, words),),
            )
            asked = asked_of(talk.heard(exchange), exchange.said, candidate.text)
            yield about(candidate, asked) if asked else candidate
    talk.add(_told_by_agent(exchange))


def _place_of(exchange: Exchange, reply: Reply, sentence: Sentence) -> Position:
    """Return the place of a sentence of the agent: after the owner's, in their order."""
    told = split_sentences(reply.message.text)
    at = next(n for n, each in enumerate(told) if each.start == sentence.start)
    return _place(exchange, exchange.replies.index(reply), at)


def _place(exchange: Exchange, reply: int, at: int) -> Position:
    return exchange.position, _REPLIES + _READ * reply + min(at, _READ - 1)


def _as_stated(candidate: Candidate) -> Stated:
    own = candidate.estimate
    return Stated(
        candidate.text,
        candidate.position,
        candidate.evidence,
        by_owner=True,
        worth=own.keep,
        retracted=own.retracted,
        topic=candidate.topic,
    )


def _told_by_agent(exchange: Exchange) -> Iterator[Stated]:
    for number, reply in enumerate(exchange.replies):
        for at, sentence in enumerate(split_sentences(reply.message.text)[:_READ]):
            if not sentence.injected and not sentence.carries_order:
                yield Stated(
                    trim(sentence.text),
                    _place(exchange, number, at),
                    (quoted(reply.message, sentence.quote(reply.message.text)),),
                    by_owner=False,
                )


def _stated(exchange: Exchange, said: Message, talk: Talk) -> Iterator[Candidate]:
    sentences = [s for s in split_sentences(said.text) if not s.injected]
    if not any(map(str.isalnum, said.text)):
        return
    remarks = _remarks(exchange, said.text, sentences)
    estimates = [
        _quoting(estimate) if sentence.carries_order else estimate
        for sentence, estimate in zip(
            sentences, local_judge().judge(remarks), strict=True
        )
    ]
    groups = list(_statements(sentences, estimates))
    candidates = [
        Candidate(
            (exchange.position, place),
            _joined([estimates[at] for at in group]),
            trim(_line([sentences[at] for at in group])),
            (quoted(said, _words(said, [sentences[at] for at in group])),),
        )
        for place, group in enumerate(groups)
    ]
    # What quotes an order to machines takes nothing up and alters nothing.
    orders = any(sentence.carries_order for sentence in sentences)
    acts = [Act()] * len(remarks) if orders else acts_of(remarks)
    does = [together([acts[at] for at in group]) for group in groups]
    yield from Resolving(exchange, talk).resolved(candidates, does)


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
    if own.keep < CHATTER or group[-1] != at - 1:
        return False
    if sentences[at].end - sentences[group[0]].start > _LONGEST:
        return False
    if sentences[at].paragraph != sentences[at - 1].paragraph:
        return False
    return own.leans >= LEANING


def _joined(parts: Sequence[Estimate]) -> Estimate:
    """Return what a judge makes of several sentences that are one statement."""
    strongest = max(parts, key=lambda each: each.keep)
    return Estimate(
        strongest.kind,
        strongest.keep,
        max(each.lasts for each in parts),
        strongest.until,
        min(each.meant for each in parts if each.keep >= CHATTER or each is strongest),
        parts[0].leans,
        max(each.retracts for each in parts),
        max(each.retracted for each in parts),
        max(each.opens for each in parts),
    )


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
