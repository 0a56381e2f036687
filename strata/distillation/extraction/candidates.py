"""What an exchange offers for the note, before anything is chosen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import has_cue
from strata.distillation.extraction.answers import Meaning, meaning_of, scope_of
from strata.distillation.extraction.context import topic_of
from strata.distillation.extraction.corrections import correction_of
from strata.distillation.extraction.results import HEAVIEST, result_tag, results_of
from strata.distillation.extraction.scoring import RIGHT, WORTH_NOTHING, score, tag_of
from strata.distillation.extraction.statements import (
    Statement,
    is_trap,
    read_statements,
)
from strata.distillation.meaning.similarity import terms_of
from strata.distillation.text.sentences import language_of, split_sentences
from strata.distillation.text.wording import (
    capitalised,
    framed,
    shortened,
    trim,
    with_dates,
    with_topic,
)
from strata.models import Evidence, Fact, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from strata.distillation.extraction.exchanges import Exchange
    from strata.models import Message

_CONCRETE = frozenset({Cue.NUMBER, Cue.TIME, Cue.IDENTIFIER, Cue.NAME})
_LONGEST_QUOTE = 600
_QUOTATION_MARK = re.compile(r"[\"“「『<]")


@dataclass(frozen=True)
class Candidate:
    """
    Something that may become an entry.

    *frame* says how an entry without a tag is introduced: ``request``, ``saying`` or not
    at all (empty). *position* orders candidates as they were said.
    """

    position: tuple[int, int]
    weight: float
    tag: Tag | None
    text: str
    evidence: tuple[Evidence, ...]
    frame: str = ""
    topic: str = ""
    cues: frozenset[Cue] = frozenset()

    @cached_property
    def terms(self) -> frozenset[str]:
        """What the candidate is compared by."""
        return terms_of(self.text)

    def fact(self, timezone: tzinfo) -> Fact:
        """Return the entry in its final wording."""
        said_at = self.evidence[0].said_at.astimezone(timezone)
        text = with_dates(self.text, said_at)
        text = framed(text, self.frame) if self.frame else capitalised(text)
        text = with_topic(text, with_dates(self.topic, said_at)) if self.topic else text
        line = shortened(text)
        return Fact(line, self.tag, language_of(line), self.evidence)


def candidates_of(exchange: Exchange, *, above: float) -> Iterator[Candidate]:
    """Give what in *exchange* the owner states and the agent reports, if it weighs more."""
    if exchange.said is not None:
        meaning = meaning_of(exchange)
        if meaning:
            yield _answer(exchange, exchange.said, meaning)
        else:
            yield from _statements(exchange, exchange.said, above)
    if above >= HEAVIEST:
        return
    for index, (statement, reply, weight) in enumerate(results_of(exchange)):
        place = (exchange.position, 100 + index)
        evidence = _evidence(reply.message, statement)
        words = trim(statement.text)
        yield Candidate(place, weight, result_tag(statement), words, evidence)


def _statements(
    exchange: Exchange, message: Message, above: float
) -> Iterator[Candidate]:
    statements = read_statements(message.text)
    doubt = _doubt(exchange) if statements else ""
    for index, statement in enumerate(statements):
        weight = score(statement)
        if weight <= above:
            continue
        tag = tag_of(statement)
        if doubt and (doubt == "revoked" or not statement.cues & _CONCRETE):
            weight, tag = min(weight, WORTH_NOTHING), None
        earlier = statements[index - 1] if index else None
        topic = topic_of(exchange, statement, earlier, tag)
        evidence = _evidence(message, statement)
        words = trim(statement.text)
        right = correction_of(exchange.before, statement)
        if right is not None:
            words, topic = right.text, None
            weight, tag = weight + RIGHT, tag or Tag.FINDING
            evidence = (*evidence, _quote(right.message, right.quote))
        if topic:
            evidence = (*evidence, _quote(topic.message, topic.quote))
        yield Candidate(
            (exchange.position, index),
            weight,
            tag,
            words,
            evidence,
            _frame(statement, tag),
            topic.text if topic else "",
            statement.cues,
        )
    if not statements:
        yield from _last_resort(exchange, message)


def _doubt(exchange: Exchange) -> str:
    """Say whether the owner's next words take back what was said."""
    if exchange.after is None:
        return ""
    if any(has_cue(s, Cue.SERIOUS) for s in split_sentences(exchange.after.text)[:2]):
        return "laughed"
    if len(exchange.after.text) > 80:  # noqa: PLR2004 - says more
        return ""
    sentences = split_sentences(exchange.after.text)[:2]
    if any(has_cue(sentence, Cue.REVOKED) for sentence in sentences):
        return "revoked"
    laughs = [has_cue(sentence, Cue.LAUGHTER) for sentence in sentences]
    return "laughed" if laughs and all(laughs) else ""


def _frame(statement: Statement, tag: Tag | None) -> str:
    if is_trap(statement.cues):
        return ""
    if tag is None and statement.cues & {Cue.QUESTION, Cue.REQUEST}:
        return "request"
    return ""


def _answer(exchange: Exchange, message: Message, meaning: Meaning) -> Candidate:
    """Return the resolved meaning, with what the owner added to it."""
    statements = read_statements(message.text)
    scope = scope_of(message.text, named=meaning.named)
    cues = frozenset().union(*(statement.cues for statement in statements))
    standing = cues & {Cue.MEMO, Cue.STANDING, Cue.RECURRING}
    evidence = (
        _quote(message, message.text),
        _quote(meaning.message, meaning.quote),
    )
    joint = "。" if language_of(meaning.text) == "zh" else ". "
    text = meaning.text.rstrip("。. ") + (joint + scope if scope else "")
    tag = Tag.PREFERENCE if standing and not meaning.chosen else Tag.DECISION
    place, decided = (exchange.position, 0), cues | {Cue.DECIDED}
    return Candidate(place, 4.5, tag, text, evidence, cues=decided)


def _last_resort(exchange: Exchange, message: Message) -> Iterator[Candidate]:
    sentences = [s for s in split_sentences(message.text) if not s.injected]
    if not sentences:
        return
    longest = max(sentences, key=lambda sentence: len(sentence.text))
    evidence = (_quote(message, longest.quote(message.text)),)
    weight = -5.0 + min(len(longest.text), 40) / 40
    place = (exchange.position, 0)
    yield Candidate(place, weight, None, longest.text, evidence, "saying")


def _evidence(message: Message, statement: Statement) -> tuple[Evidence, ...]:
    """Return the words of *statement*, without what was left out between them."""
    runs: list[tuple[int, int]] = []
    for sentence in statement.sentences:
        if runs and not message.text[runs[-1][1] : sentence.start].strip():
            runs[-1] = (runs[-1][0], sentence.end)
        else:
            runs.append((sentence.start, sentence.end))
    relayed = Cue.RELAYED in statement.cues
    words = [message.text[start:end] for start, end in runs]
    return tuple(_quote(message, _before_quotation(w) if relayed else w) for w in words)


def _before_quotation(words: str) -> str:
    """Return what introduces an attempt to instruct assistants, without the attempt."""
    return _QUOTATION_MARK.split(words, maxsplit=1)[0]


def _quote(message: Message, words: str) -> Evidence:
    return Evidence(message.id, words[:_LONGEST_QUOTE], message.time, message.origin)
