"""What a statement is about where it does not say so: found in what was said before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.judges.features import Remark
from strata.judges.local import local_judge
from strata.language.cues import cue
from strata.language.sentences import split_sentences
from strata.language.similarity import terms_of
from strata.language.statement import read
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.models import Origin
from strata.statements.results import ADVICE, RELAYED, SECRETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from strata.language.sentences import Sentence
    from strata.models import Message

# What leans so much on what was said before it does not tell what a statement is about.
LEANING = 0.4
# What leans so little says itself what it is about; some words about it more do no harm.
STANDS = 0.2
LONGEST = 140
# A question, what it was about, and what that was: more is a conversation.
_MOST = 3
# What was a joke, or was taken back, does not stand again as what something is about.
_SURE = 0.5
_POINTING = cue("context.pointing", 0)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a statement is about: *text*, made of *quotes* of messages in their order."""

    text: str
    quotes: tuple[tuple[Message, str], ...]


def topic_of(talk: Sequence[Message], words: str, *, leans: float) -> Topic | None:
    """
    Return what the owner's *words* are about, if that was said in *talk*, oldest first.

    That has a word or a kind of value in common with them, or is asked, or pointed at; and
    where it was the agent's, or leans itself, what the owner said before it as well.
    """
    if leans < STANDS:
        return None
    points = bool(_POINTING.match(words.lower()))
    return _joined(_said_before(talk, words, points=points))


def asked_of(talk: Sequence[Message], said: Message, words: str) -> Topic | None:
    """Return what the owner had *said*, after *talk*, when the agent found out *words*."""
    return _joined(_said_before([*talk, said], words, asked=True))


def _joined(found: Iterable[tuple[Message, Sentence]]) -> Topic | None:
    parts = list(found)[::-1]
    if not parts:
        return None
    text = " / ".join(trim(each.text).rstrip("。.") for _, each in parts)
    return Topic(text, tuple((m, s.quote(m.text)) for m, s in parts))


def _said_before(
    talk: Sequence[Message], words: str, *, points: bool = False, asked: bool = False
) -> Iterator[tuple[Message, Sentence]]:
    """Give the sentences that tell what *words* are about, the newest first."""
    known, count, room = terms_of(words), 0, LONGEST
    sorts = read(words).named.keys() - {"name"}
    for message in reversed(talk):
        own = message.origin is Origin.OWNER
        if count and not own:
            continue
        any_of_it = points or (own and asked)
        best = _nearest(message, known, sorts, any_of_it=any_of_it)
        if best is None or len(best.text) > room:
            continue
        judged = local_judge().judge([Remark(best.text)])[0] if own else None
        if judged and (judged.meant < _SURE or judged.retracted >= _SURE):
            continue
        yield message, best
        count, room = count + 1, room - len(best.text)
        # Of what the agent asks it was the owner who began.
        if count == _MOST or (judged and judged.leans < LEANING):
            return
        known, points, asked = known | terms_of(best.text), False, True


def _nearest(
    message: Message, known: frozenset[str], sorts: AbstractSet[str], *, any_of_it: bool
) -> Sentence | None:
    """Return the sentence of *message* that what is *known* is about, if one is."""
    fair = [each for each in split_sentences(message.text) if _may_be_topic(each)]
    if not fair:
        return None
    fits = {each: _fit(each, known, sorts) for each in fair}
    best = max(fair, key=fits.__getitem__)
    return best if any_of_it or any(fits[best]) else None


def _fit(
    sentence: Sentence, known: frozenset[str], sorts: AbstractSet[str]
) -> tuple[int, bool, bool]:
    """Return how well *sentence* fits: by its words, its values, or as a question."""
    # Few words name a value, and most sentences need not be read for one.
    valued = bool(sorts) and any(each in sorts for each in read(sentence.text).named)
    return len(terms_of(sentence.text) & known), valued, "?" in sentence.plain


def _may_be_topic(sentence: Sentence) -> bool:
    """Nothing that the agent merely proposed or read, and no secret, is a topic."""
    if sentence.injected or sentence.carries_order or len(sentence.text) > LONGEST:
        return False
    asked = "?" in sentence.plain
    if any(each.search(sentence.plain) for each in (SECRETS, RELAYED)):
        return False
    if ADVICE.search(sentence.plain) and not asked:
        return False
    return content_words(sentence.plain) > 1
