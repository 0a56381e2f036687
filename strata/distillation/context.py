"""The topic of an elliptic statement, found in the words around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.answers import Meaning
from strata.distillation.cues import Cue
from strata.distillation.sentences import split_sentences
from strata.distillation.similarity import terms_of
from strata.distillation.vocabulary import content_words
from strata.distillation.wording import trim

if TYPE_CHECKING:
    from strata.distillation.exchanges import Exchange
    from strata.distillation.statements import Statement
    from strata.models import Tag

_FEW = 4
_LONGEST = 140
_POINTING = re.compile(
    r"(?:no,? |yes,? |ok,? |and |so |but )?(?:it|it's|that|that's|this|they|those|these|he's|she's|he|she|them|same)\b|[它那这]|不是?[,]|都"
)


def topic_of(
    exchange: Exchange, statement: Statement, tag: Tag | None
) -> Meaning | None:
    """Return the agent's words that *statement* leans on, or None if it stands alone."""
    if tag is None or exchange.before is None or not _elliptic(statement):
        return None
    sentences = split_sentences(exchange.before.text)
    said = terms_of(statement.text)
    ranked = sorted(
        enumerate(sentences),
        key=lambda pair: (-len(terms_of(pair[1].text) & said), -pair[0]),
    )
    for _, sentence in ranked:
        words = trim(sentence.text)
        if content_words(sentence.plain) > 1 and len(words) <= _LONGEST:
            return Meaning(words, exchange.before, sentence.text, confirmed=False)
    return None


def _elliptic(statement: Statement) -> bool:
    few = statement.content <= _FEW
    pointing = _POINTING.match(statement.plain) is not None
    return few and (pointing or Cue.CORRECTION in statement.cues or statement.content < _FEW - 1)
