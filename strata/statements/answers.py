"""What an answer means: "the latter, for all of them" points at the agent's question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.sentences import split_sentences
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.statements.offers import (
    CHOICE,
    VALUE,
    alternatives,
    chosen,
    offer_in,
    options_in,
    sides_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.language.sentences import Sentence
    from strata.models import Message
    from strata.statements.exchanges import Exchange

_ACCEPTED = cue("answers.accepted", 0)
_REFUSES = cue("answers.refuses", 0)
# A confirmation that something was done, and not what.
_DONE = cue("answers.done")
_ANSWERING = re.compile(
    rf"(?:{CHOICE.pattern})[\s,.;:!。,\uff0c]*(?:[吧呗啊哈嘛呀啦][\s,.;:!。\uff0c]*)?"
)
_LONGEST = 200
_FEW = 2
# An answer of so few words that carry meaning says nothing without its question.
_BARE = 1
# Who takes up a proposal in so few may add something to it.
_TAKES = 4


@dataclass(frozen=True, slots=True)
class Meaning:
    """Words of the agent that say what the owner's answer refers to."""

    text: str
    message: Message
    quote: str
    named: bool = False


def scope_of(text: str, *, named: bool = False) -> str:
    """Return what the owner's answer *text* adds beyond the answering word."""
    if named and (value := VALUE.match(text)):
        return trim(text[value.end() :])
    first, *others = split_sentences(text) or (None,)
    said = [] if first is None or _only_answers(first) else [_beyond(first)]
    return " ".join([*said, *(trim(s.text) for s in others if s)])


def _beyond(sentence: Sentence) -> str:
    words = trim(sentence.text)
    answer = _ANSWERING.match(words.lower())
    return words[answer.end() :] if answer else words


def meaning_of(exchange: Exchange) -> Meaning | None:
    """Return what the owner's answer stands for, or None where it stands for itself."""
    if exchange.said is None or exchange.before is None:
        return None
    sentences = split_sentences(exchange.said.text)
    if not sentences or _REFUSES.match(sentences[0].plain):
        return None
    choice = CHOICE.match(sentences[0].plain)
    if named := named_option(exchange, sentences):
        return named
    if not (choice or _accepts(sentences) or _bare(sentences, exchange.before)):
        return None
    offered = _offered(exchange.before, choice) or _asked(exchange, choice)
    if offered is None:
        return None
    return _echo(exchange, offered, 1 if choice else 2) or offered


def named_option(exchange: Exchange, sentences: Sequence[Sentence]) -> Meaning | None:
    """
    Return what a bare "NAS then, for good" stands for: it names one of what was offered.

    The agent's confirmation says it best, where it has the word; else the question does.
    """
    value = VALUE.match(sentences[0].text)
    if value is None:
        return None
    word = value["value"]
    places = [m for m in (exchange.before, exchange.earlier) if m and word in m.text]
    if not places or not 0 < content_words(word.lower()) <= _FEW:
        return None
    for reply in exchange.replies[:1]:
        for sentence in split_sentences(reply.message.text)[:1]:
            words = trim(sentence.text)
            more = content_words(sentence.plain) > content_words(word.lower()) + 1
            if word in words and more and "?" not in sentence.plain:
                quote = sentence.quote(reply.message.text)
                return Meaning(words, reply.message, quote, named=True)
    for message in places:
        for sentence in split_sentences(message.text):
            if word in sentence.text and len(sides_of(trim(sentence.text))) > 1:
                question = trim(sentence.text).rstrip("?\uff1f。. ")
                joint = ":" if sentence.has_hanzi else ": "
                text = f"{question}{joint}{word}"
                quote = sentence.quote(message.text)
                return Meaning(text, message, quote, named=True)
    return None


def _only_answers(sentence: Sentence) -> bool:
    few = 2 * bool(CHOICE.match(sentence.plain))
    accepted = _ACCEPTED.search(sentence.plain) is not None
    return accepted or content_words(sentence.plain) <= few


def _accepts(sentences: Sequence[Sentence]) -> bool:
    """Say whether the answer takes up a proposal: "sounds good, let's do that"."""
    said = " ".join(s.plain for s in sentences[:2])
    return _ACCEPTED.search(said) is not None and content_words(said) <= _TAKES


def _bare(sentences: Sequence[Sentence], before: Message) -> bool:
    """Say whether the answer is so short that the question must tell what it means."""
    said = " ".join(s.plain for s in sentences)
    new = terms_of(said) - terms_of(before.text)
    named = any(content_words(term) for term in new)
    return content_words(said) <= _BARE and not named


def _echo(exchange: Exchange, offered: Meaning, least: int) -> Meaning | None:
    """Return the agent's confirmation, if *least* words repeat what it had offered."""
    if not exchange.replies:
        return None
    message = exchange.replies[0].message
    known = terms_of(offered.text)
    for sentence in split_sentences(message.text)[:2]:
        words = trim(sentence.text)
        if _DONE.search(words) or "?" in sentence.plain:
            continue
        if len(terms_of(words) & known) >= least and content_words(sentence.plain) > 1:
            quote = sentence.quote(message.text)
            return Meaning(words[:_LONGEST], message, quote)
    return None


def _asked(exchange: Exchange, choice: re.Match[str] | None) -> Meaning | None:
    """Return what the owner chose of two things that the owner had named before."""
    if choice is None or exchange.earlier is None:
        return None
    for sentence in split_sentences(exchange.earlier.text):
        option = chosen(choice[0], sides_of(trim(sentence.text)))
        if option and not sentence.injected:
            quote = sentence.quote(exchange.earlier.text)
            return Meaning(option[:_LONGEST], exchange.earlier, quote)
    return None


def _offered(before: Message, choice: re.Match[str] | None) -> Meaning | None:
    """Return the option that was chosen, or what was proposed."""
    option = chosen(choice[0], options_in(before)) if choice else None
    if option:
        return Meaning(option, before, option)
    offer = offer_in(before)
    if not offer:
        return None
    text = words_of(offer)
    if choice and len(sides := alternatives(text)) > 1:
        text = chosen(choice[0], sides) or text
    quote = before.text[offer[0].start : offer[-1].end]
    return Meaning(text, before, quote)
