"""What a statement leans on, found in the agent's words before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.sentences import split_sentences
from strata.language.similarity import terms_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.statements.answers import Meaning
from strata.statements.results import ADVICE, SECRETS

if TYPE_CHECKING:
    from strata.language.sentences import Sentence
    from strata.models import Message

_LONGEST = 140
_POINTING = cue("context.pointing", 0)


def topic_of(before: Message | None, words: str, plain: str) -> Meaning | None:
    """Return the agent's words *before* on which the owner's *words* lean, if any do."""
    if before is None:
        return None
    sentences = [s for s in split_sentences(before.text) if _may_be_topic(s)]
    if not sentences:
        return None
    said = terms_of(words)
    best = max(sentences, key=lambda s: (len(terms_of(s.text) & said), "?" in s.plain))
    related = terms_of(best.text) & said or "?" in best.plain
    if not related and not _POINTING.match(plain):
        return None
    topic = trim(best.text).rstrip("。.")
    return Meaning(topic, before, best.quote(before.text))


def _may_be_topic(sentence: Sentence) -> bool:
    """Nothing that the agent merely proposed, and no secret, is a topic."""
    if sentence.carries_order or len(sentence.text) > _LONGEST:
        return False
    asked = "?" in sentence.plain
    if SECRETS.search(sentence.plain) or (ADVICE.search(sentence.plain) and not asked):
        return False
    return content_words(sentence.plain) > 1
