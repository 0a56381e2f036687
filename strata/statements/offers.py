"""What the agent offered: a question, a proposal, or one of several options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.sentences import split_sentences
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.statements.results import RELAYED, SECRETS

if TYPE_CHECKING:
    from strata.language.sentences import Sentence
    from strata.models import Message

_OR = cue("offers.or", 0)
_MARK = cue("offers.mark")
_PROPOSAL = cue("offers.proposal", 0)
_PROPOSING = cue("offers.proposing")
_EDGES = re.compile(r"^[\s,;.\uff0c\uff1b。]+|[\s,;.\uff0c\uff1b。]+$")
_COURTEOUS = cue("offers.courteous", 0)
# A question that asks about what the sentence before it proposes.
_LEANS = cue("offers.leans", 0)
# What asks for a fact offers nothing.
_ASKS = cue("offers.asks", 0)
_LONGEST = 200


def offer_in(message: Message) -> tuple[Sentence, ...]:
    """
    Return the sentences of *message* that propose something, as the owner may take it up.

    A question that offers tells it, with what it leans on; else all that was said does.
    """
    said = split_sentences(message.text)
    last = next((each for each in reversed(said) if _asks(each)), None)
    if last and not is_fair(last):
        # It is that which is answered.
        return ()
    sentences = [each for each in said if is_fair(each)]
    while sentences and _is_courtesy(sentences[-1]):
        sentences.pop()
    for index in reversed(range(len(sentences))):
        sentence = sentences[index]
        if _asks(sentence) and not asks_for_fact(sentence.plain):
            leans = index > 0 and _LEANS.search(sentence.plain)
            if leans and content_words(sentences[index - 1].plain) > 1:
                return tuple(sentences[index - 1 : index + 1])
            return (sentence,)
        if _asks(sentence):
            return ()
    if proposals := [each for each in sentences if proposes(each.plain)]:
        return tuple(proposals[-1:])
    while len(sentences) > 1 and _length(sentences) > _LONGEST:
        sentences.pop()
    return tuple(sentences)


def _asks(sentence: Sentence) -> bool:
    return "?" in sentence.plain[-3:]


def _is_courtesy(sentence: Sentence) -> bool:
    """Say whether a sentence asks what the owner thinks, and nothing else: 您看呢?"""
    return _asks(sentence) and not content_words(_COURTEOUS.sub(" ", sentence.plain))


def _length(sentences: list[Sentence]) -> int:
    return sentences[-1].end - sentences[0].start


def proposes(plain: str) -> bool:
    """Say whether the words *plain*, in lower case, propose something."""
    return _PROPOSAL.search(plain) is not None


def offers_one_of(plain: str) -> bool:
    """Say whether *plain* offers one of several things."""
    return _OR.search(plain) is not None


def asks_for_fact(plain: str) -> bool:
    """Say whether the question *plain* asks for a fact, and offers nothing."""
    return _ASKS.search(plain) is not None and not offers_one_of(plain)


def worded_offer(offer: tuple[Sentence, ...]) -> str:
    """Return what is offered, without the words that offer it."""
    text = trim(offer[0].text)
    stripped = _PROPOSING.sub("", text, count=1) if _PROPOSING.match(text) else text
    more = (each.text for each in offer[1:] if not _asks(each))
    parts = [stripped or text, *more]
    joint = "" if offer[0].has_hanzi else " "
    return joint.join(parts).rstrip("?\uff1f。. ")


def options_in(message: Message) -> list[str]:
    """Return the options that *message* counts, in order; none where it counts none."""
    parts = _MARK.split(message.text)[1:]
    options = [_EDGES.sub("", part) for part in parts]
    return [option[:_LONGEST] for option in options if option] if len(parts) > 1 else []


def is_fair(sentence: Sentence) -> bool:
    """Nothing that repeats an order to machines, or speaks of secrets, is an offer."""
    if sentence.carries_order or sentence.injected:
        return False
    return not any(each.search(sentence.plain) for each in (SECRETS, RELAYED))
