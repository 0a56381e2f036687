"""The topic of an elliptic statement, found in the words around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.extraction.answers import Meaning
from strata.distillation.extraction.results import ADVICE, SECRETS
from strata.distillation.extraction.statements import is_trap
from strata.distillation.meaning.similarity import terms_of
from strata.distillation.text.sentences import split_sentences
from strata.distillation.text.vocabulary import content_words
from strata.distillation.text.wording import trim

if TYPE_CHECKING:
    from strata.distillation.extraction.exchanges import Exchange
    from strata.distillation.extraction.statements import Statement
    from strata.distillation.text.sentences import Sentence
    from strata.models import Message, Tag

_FEW = 4
_FEW_FOR_AN_ANSWER = 6
_LONGEST = 140
_POINTING = re.compile(
    r"(?:no,? |yes,? |ok,? |and |so |but )?(?:it|it's|that|that's|this|they|those"
    r"|these|he's|she's|he|she|them|same)\b|[它他她那这]"
)
_PERSON = re.compile(r"[他她]")
_SAME = re.compile(
    r"(?:the )?same (?:drill|procedure|routine|deal|rules?|way|thing)\b"
    r"|(?:还是)?(?:老规矩|老样子|照旧)"
)
# "That pan stays apart", 那口锅单独放: a thing that the words before name in full.
_THING = re.compile(
    r"\b(?:that|those) (?P<thing>(?!is\b|was\b|are\b|one\b|way\b)[a-z]{3,})"
    r"|那[口个台条本间份张辆把家件盒瓶袋箱盆缸套双只块棵部支][\u4e00-\u9fff]{0,2}?(?P<noun>[\u4e00-\u9fff])"
)


def topic_of(
    exchange: Exchange, statement: Statement, earlier: Statement | None, tag: Tag | None
) -> Meaning | None:
    """
    Return the words that *statement* leans on, or None if it stands alone.

    *earlier* is the statement before it in the same message; else the agent's last words
    are looked at.
    """
    if tag is None or exchange.said is None:
        return None
    if earlier is not None:
        return _from_message(exchange.said, statement, earlier)
    if exchange.before is None or not _elliptic(statement):
        return None
    return _from_agent(exchange.before, statement)


def _from_message(
    message: Message, statement: Statement, earlier: Statement
) -> Meaning | None:
    pointing = _POINTING.match(statement.plain) or _PERSON.search(statement.plain)
    leans = (pointing and Cue.NAME not in statement.cues) or _names_again(
        statement.plain, earlier.plain
    )
    if not leans or is_trap(earlier.cues) or len(earlier.text) > _LONGEST:
        return None
    words = message.text[earlier.sentences[0].start : earlier.sentences[-1].end]
    return Meaning(trim(earlier.text), message, words, chosen=False)


def _names_again(plain: str, earlier: str) -> bool:
    return any(
        (match["thing"] or match["noun"]) in earlier for match in _THING.finditer(plain)
    )


def _from_agent(before: Message, statement: Statement) -> Meaning | None:
    said = terms_of(statement.text)
    sentences = [s for s in split_sentences(before.text) if _may_be_topic(s)]
    if not sentences:
        return None
    best = max(sentences, key=lambda s: (len(terms_of(s.text) & said), "?" in s.plain))
    related = terms_of(best.text) & said or "?" in best.plain
    points = _POINTING.match(statement.plain) or _SAME.match(statement.plain)
    if not related and not points:
        return None
    words = trim(best.text).rstrip("。.")
    return Meaning(words, before, best.quote(before.text), chosen=False)


def _may_be_topic(sentence: Sentence) -> bool:
    """Nothing that the agent merely proposed, and no secret, is a topic."""
    if sentence.carries_order or len(sentence.text) > _LONGEST:
        return False
    asked = "?" in sentence.plain
    if SECRETS.search(sentence.plain) or (ADVICE.search(sentence.plain) and not asked):
        return False
    return content_words(sentence.plain) > 1


def _elliptic(statement: Statement) -> bool:
    if _SAME.match(statement.plain):
        return True
    if statement.cues & {Cue.STANDING, Cue.SELF} and Cue.RECURRING in statement.cues:
        return False
    if Cue.ANSWER in statement.cues and statement.content <= _FEW_FOR_AN_ANSWER:
        return True
    if statement.content > _FEW or Cue.TIME in statement.cues:
        return False
    pointing = _POINTING.match(statement.plain) is not None
    return pointing or Cue.CORRECTION in statement.cues
