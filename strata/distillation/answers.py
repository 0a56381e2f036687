"""What an answer means: "the latter, for all of them" points at the agent's question."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strata.distillation.cues import Cue
from strata.distillation.reading import find_cues, has_cue
from strata.distillation.sentences import split_sentences
from strata.distillation.similarity import terms_of
from strata.distillation.vocabulary import content_words
from strata.distillation.wording import trim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.distillation.exchanges import Exchange
    from strata.distillation.sentences import Sentence
    from strata.models import Message

_CHOICE = re.compile(
    r"(?:the |option )?(?:latter|former|first|second|last|[ab12])\b(?: one"
    r"| option)?|前者|后者|前面(?:那个|的)|后面(?:那个|的)|第[一二](?:个|种|条)"
    r"|[前后]一[个种]|选\s?[ab一二12]"
)
_SECOND = re.compile(r"latter|second|last|\bb\b|\b2\b|后|二|b")
_OR = re.compile(r"[,,]?\s+or\s+|[,,]?\s*还是\s*")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Meaning:
    """Words of the agent that say what the owner's answer refers to."""

    text: str
    message: Message
    quote: str
    chosen: bool


def scope_of(text: str) -> str:
    """Return what the owner's answer *text* adds beyond the answering word."""
    sentences = split_sentences(text)
    if sentences and content_words(sentences[0].plain) <= 1 + bool(
        _CHOICE.match(sentences[0].plain)
    ):
        sentences = sentences[1:]
    return " ".join(trim(sentence.text) for sentence in sentences)


def meaning_of(exchange: Exchange) -> Meaning | None:
    """Return what the owner's answer stands for, or None where it stands for itself."""
    if exchange.said is None or exchange.before is None:
        return None
    sentences = split_sentences(exchange.said.text)
    if not sentences or not has_cue(sentences[0], Cue.ANSWER):
        return None
    question = _question(exchange.before)
    if question is None:
        return None
    choice = _CHOICE.match(sentences[0].plain)
    if not (choice or _bare(sentences)):
        return None
    meaning = _echo(exchange, question) or _option(exchange.before, question, choice)
    return replace(meaning, chosen=choice is not None)


def _question(message: Message) -> Sentence | None:
    asked = [s for s in split_sentences(message.text) if "?" in s.plain[-3:]]
    return asked[-1] if asked else None


def _bare(sentences: Sequence[Sentence]) -> bool:
    """Say whether the answer is a yes with a scope: "yes, always", 对,以后都这样."""
    said = " ".join(s.plain for s in sentences)
    cues = frozenset().union(*(find_cues(s) for s in sentences))
    scope = cues & {Cue.STANDING, Cue.SCOPE, Cue.MEMO, Cue.RECURRING}
    return bool(scope) and content_words(said) <= 4  # noqa: PLR2004 - names nothing itself


def _echo(exchange: Exchange, question: Sentence) -> Meaning | None:
    """Return the agent's confirmation, if it repeats what was asked about."""
    if not exchange.replies:
        return None
    message = exchange.replies[0].message
    for sentence in split_sentences(message.text)[:2]:
        words = trim(sentence.text)
        shared = terms_of(words) & terms_of(question.text)
        if shared and content_words(sentence.plain) > 1 and "?" not in sentence.plain:
            quote = sentence.quote(message.text)
            return Meaning(words[:_LONGEST], message, quote, chosen=False)
    return None


def _option(
    before: Message, question: Sentence, choice: re.Match[str] | None
) -> Meaning:
    """Return the option that was chosen, or the question itself after a plain yes."""
    text = trim(question.text).rstrip("?\uff1f ")
    options = _OR.split(text)
    if choice and len(options) > 1:
        text = options[-1] if _SECOND.search(choice[0]) else options[0]
    return Meaning(text[-_LONGEST:], before, question.quote(before.text), chosen=False)
