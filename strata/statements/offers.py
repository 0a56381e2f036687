"""What the agent offered: a question, a proposal, or one of several options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import cue, cues
from strata.language.sentences import split_sentences
from strata.language.wording import trim
from strata.statements.results import SECRETS

if TYPE_CHECKING:
    from strata.language.sentences import Sentence
    from strata.models import Message

CHOICE = cue("offers.choice", 0)
# A bare value as an answer: 那定 NAS 吧, 顺丰。, "Thursdays then,".
VALUE = cue("offers.value", 0)
_LAST = cue("offers.last", 0)
_NUMBERS = cues("offers.numbers", 0)
_OR = cue("offers.or", 0)
_MARK = cue("offers.mark")
_PROPOSAL = cue("offers.proposal", 0)
_PROPOSING = cue("offers.proposing")
_EDGES = re.compile(r"^[\s,;.\uff0c\uff1b。]+|[\s,;.\uff0c\uff1b。]+$")
# A question that asks about what the sentence before it proposes.
_LEANS = cue("offers.leans", 0)
# What asks for a fact offers nothing.
_ASKS = cue("offers.asks", 0)
_LONGEST = 200
# "标签你说 A 好还是 B 好": what is asked about, before what is asked.
_ABOUT = cue("offers.about", 0)
_PLAIN = re.compile(r"^先?是|[好呢]+$")


def offer_in(message: Message) -> tuple[Sentence, ...]:
    """Return the sentences of *message* that ask or propose something."""
    sentences = [s for s in split_sentences(message.text) if _is_fair(s)]
    for index in reversed(range(len(sentences))):
        sentence = sentences[index]
        if "?" in sentence.plain[-3:]:
            if _ASKS.search(sentence.plain) and not _OR.search(sentence.plain):
                return ()
            leaning = index > 0 and _LEANS.search(sentence.plain)
            return tuple(sentences[index - 1 : index + 1] if leaning else [sentence])
    proposals = [s for s in sentences if _PROPOSAL.search(s.plain)]
    return tuple(proposals[-1:])


def words_of(offer: tuple[Sentence, ...]) -> str:
    """Return what is offered, without the words that offer it."""
    text = trim(offer[0].text).rstrip("?\uff1f。. ")
    stripped = _PROPOSING.sub("", text, count=1) if _PROPOSING.match(text) else text
    return (stripped or text)[:_LONGEST]


def options_in(message: Message) -> list[str]:
    """Return the options that *message* counts, in order; none where it counts none."""
    parts = _MARK.split(message.text)[1:]
    options = [_EDGES.sub("", part) for part in parts]
    return [option[:_LONGEST] for option in options if option] if len(parts) > 1 else []


def chosen(words: str, options: list[str]) -> str | None:
    """Return the option that *words* ("the second one", 后者) name, if it is there."""
    if _LAST.search(words) and options:
        return options[-1]
    for index, pattern in enumerate(_NUMBERS):
        if pattern.search(words):
            return options[index] if index < len(options) else None
    return None


def sides_of(text: str) -> list[str]:
    """Return the sides of a question between things, each with what it is about."""
    sides = alternatives(text.rstrip("?\uff1f。. "))
    asked = _ABOUT.match(sides[0])
    if len(sides) == 1 or asked is None:
        return sides if len(sides) > 1 else []
    rest = [sides[0][asked.end() :], *sides[1:]]
    return [f"{asked['topic']}:{_PLAIN.sub('', side)}" for side in rest]


def alternatives(text: str) -> list[str]:
    """Return the two sides of "A or B"."""
    return _OR.split(text)


def _is_fair(sentence: Sentence) -> bool:
    """Nothing that repeats an order to machines, or speaks of secrets, is an offer."""
    if sentence.carries_order or sentence.injected:
        return False
    return SECRETS.search(sentence.plain) is None
