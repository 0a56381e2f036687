"""What an answer means: "sounds good", "the latter" point at what the agent offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.mentioned import values_in
from strata.language.sentences import language_of, split_sentences
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.patterns import pattern
from strata.statements.choosing import choice_in, lead_of, rejected_in
from strata.statements.offers import (
    is_fair,
    offer_in,
    offers_one_of,
    proposes,
    worded_offer,
)

if TYPE_CHECKING:
    from strata.language.sentences import Sentence
    from strata.models import Message
    from strata.statements.exchanges import Exchange

# A clause of so few words that carry meaning only says yes.
_BARE = 2
# A confirmation that something was done, and not what.
_DONE = cue("answers.done")
_CLAUSE = pattern(r"(?<=[.!?;。！？；])\s*|(?<=[,，])\s*")
_LONGEST = 240
_LONGEST_TOPIC = 110
# So much of what the owner spoke of stands in a proposal that tells itself of what it is.
_TOLD = 0.5


@dataclass(frozen=True, slots=True)
class Meaning:
    """Words of the agent that say what the owner's words refer to."""

    text: str
    message: Message
    quote: str


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What the owner took up: *meaning*, what was *added* to it, and what it is *about*.

    *chosen* is true where it was one of several, *named* or pointed at: it *settles* what
    was asked. It was *offered* as such where the agent asked or proposed; else the agent
    only said it.
    """

    meaning: Meaning
    added: str = ""
    about: Meaning | None = None
    settles: Message | None = None
    chosen: bool = False
    named: bool = False
    offered: bool = True


def answer_of(exchange: Exchange, said: str) -> Answer | None:
    """Return what the owner's words *said* mean, which take up what was offered before."""
    before, earlier = exchange.before, exchange.earlier
    if before is None:
        return None
    wanted = earlier.text if earlier else ""
    if chosen := choice_in(before, said, wanted):
        option, rest, named = chosen
        meaning = Meaning(option, before, option)
        meaning = _echo(exchange, meaning, 1) or meaning
        asks = offers_one_of(wanted.lower()) and rejected_in(wanted, option, before)
        settles = earlier if asks else None
        about = None if settles else _context(exchange, option, meaning.text)
        again = terms_of(rest) <= terms_of(meaning.text)
        added = trim(rest) if content_words(rest.lower()) and not again else ""
        return Answer(meaning, added, about, settles, chosen=True, named=named)
    offer = offer_in(before)
    if not offer:
        return None
    text = worded_offer(offer)[:_LONGEST]
    quote = before.text[offer[0].start : offer[-1].end]
    offered = any("?" in s.plain[-3:] or proposes(s.plain) for s in offer)
    meaning = Meaning(text, before, quote)
    meaning = _echo(exchange, meaning, 2) or meaning
    told = _about(earlier, meaning.text)
    about = told if earlier else _before(before, offer[0])
    return Answer(meaning, _added(said), about, offered=offered)


def _echo(exchange: Exchange, offered: Meaning, least: int) -> Meaning | None:
    """Return the agent's confirmation, if *least* words repeat what it had offered."""
    if not exchange.replies:
        return None
    message = exchange.replies[0].message
    known = terms_of(offered.text)
    for sentence in split_sentences(message.text)[:2]:
        words = trim(sentence.text)
        shared = len(terms_of(words) & known)
        if least == 1 and 2 * shared < len(known):
            continue
        if "?" in sentence.plain or _DONE.search(words) or shared < least:
            continue
        # It is no better where it tells less.
        if content_words(sentence.plain) > content_words(offered.text.lower()):
            return Meaning(words[:_LONGEST], message, sentence.quote(message.text))
    return None


def _before(message: Message, offer: Sentence) -> Meaning | None:
    """Return what the agent told of before it made its *offer*."""
    told = [s for s in split_sentences(message.text) if s.end <= offer.start]
    if not told or not is_fair(told[-1]):
        return None
    topic = trim(told[-1].text).rstrip("。.")
    fits = len(topic) <= _LONGEST_TOPIC and content_words(topic.lower()) >= _BARE
    return Meaning(topic, message, told[-1].quote(message.text)) if fits else None


def _context(exchange: Exchange, option: str, text: str) -> Meaning | None:
    """Return what was said before the list that has *option*, which became *text*."""
    before, earlier = exchange.before, exchange.earlier
    if before is None:
        return None
    told = _told(before, option) or _about(earlier, text)
    return told or _listed(before, option)


def _told(message: Message, option: str) -> Meaning | None:
    """Return what the agent told of right before it listed what it offered."""
    sentences = split_sentences(message.text)
    listed = next((each for each in sentences if option in each.text), None)
    if listed is None:
        return None
    told = _before(message, listed)
    return None if told and rejected_in(told.text, option, message) else told


def _listed(message: Message, option: str) -> Meaning | None:
    """Return what the agent's list that has *option* is of."""
    sentences = (trim(each.text) for each in split_sentences(message.text))
    lead = next((lead_of(each) for each in sentences if option in each), "")
    fits = option not in lead and content_words(lead.lower()) >= _BARE
    return Meaning(lead, message, lead) if fits else None


def is_report(text: str) -> bool:
    """Say whether *text*, the agent's, tells that something was done."""
    return _DONE.search(text) is not None


def only_answers(text: str) -> bool:
    """Say whether the first clause of *text* says no more than an answer does."""
    if _is_opened(text):
        return True
    clauses = [each for each in _CLAUSE.split(trim(text)) if each.strip()]
    return bool(clauses) and _only_answers(clauses[0], _BARE)


def _is_opened(text: str) -> bool:
    """Say whether *text* begins with a word that only answers: "yes, everywhere"."""
    return trim(text) != text.strip(" .!。\uff01")


def _added(text: str) -> str:
    """Return what the owner's answer *text* says beyond the answering clauses."""
    # Once "yes" is said, a word may be a proviso; of hanzi one is half of a word.
    few = 0 if _is_opened(text) and language_of(text) == "en" else _BARE
    clauses = [each for each in _CLAUSE.split(trim(text)) if each.strip()]
    while clauses and _only_answers(clauses[0], few):
        del clauses[0]
    return trim("".join(_spaced(clauses)))


def _spaced(clauses: list[str]) -> list[str]:
    return [
        each if each[-1:] in "，。！？；" or place == len(clauses) - 1 else f"{each} "
        for place, each in enumerate(clauses)
    ]


def _only_answers(clause: str, few: int) -> bool:
    return content_words(clause.lower()) <= few and not values_in(clause)


def _about(earlier: Message | None, text: str) -> Meaning | None:
    """Return what the owner had spoken of, unless *text* says so itself."""
    if earlier is None:
        return None
    sentences = [s for s in split_sentences(earlier.text) if not s.injected]
    if not sentences or not all(map(is_fair, sentences)):
        return None
    whole = len(earlier.text) <= _LONGEST_TOPIC
    chosen = sentences if whole else sentences[:1]
    topic = trim(" ".join(s.text for s in chosen)).rstrip("。.?\uff1f!\uff01")
    told = terms_of(topic)
    if len(topic) > _LONGEST_TOPIC or len(told & terms_of(text)) >= _TOLD * len(told):
        return None
    if content_words(topic.lower()) < _BARE:
        return None
    quote = earlier.text[chosen[0].start : chosen[-1].end]
    return Meaning(topic, earlier, quote)
