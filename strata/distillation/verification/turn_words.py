"""The words in which a turn is written down, so that they stand by themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.meaning.topics import CLAUSE
from strata.distillation.meaning.turns import FINAL, STRONG_TURN
from strata.distillation.text.sentences import split_sentences
from strata.distillation.text.vocabulary import content_words
from strata.distillation.verification.holding import is_bound
from strata.distillation.verification.leaning import points_outside

if TYPE_CHECKING:
    from strata.distillation.text.sentences import Sentence

# "User asked: …" says who spoke, and is no part of what was said.
_FRAME = re.compile(r"(?:The )?[Uu]ser (?:asked|said):\s*|用户(?:要求|说)[:\uff1a]\s*")
# A line that tells more than this of how it came about wastes the page.
_LONGEST = 200
# So many words a line needs.
_FEWEST = 3
# From when on something holds tells no end of it.
_BEGINS = re.compile(
    r"\b(?:from|as of|starting) (?:today|tonight|tomorrow|this \w+|next \w+)"
    r"(?: \([^)]*\))?(?: on(?:wards?)?)?|从?[今明]天(?:\([^)]*\))?(?:起|开始)",
    re.IGNORECASE,
)


# A day of every week, until a date was put to it.
_WEEKDAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|(?:周|星期|礼拜)[一二三四五六日天末]",
    re.IGNORECASE,
)
_DATED = re.compile(r"[(\uff08]20\d\d-")
_WEEKDAY_DATED = re.compile(
    r"((?<!next )(?<!this )(?<!last )\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"(?: (?:morning|afternoon|evening|night|noon))?"
    r"|(?<![这下上本])(?:周|星期|礼拜)[一二三四五六日天末](?:[早晚]上?|[上中下]午|傍晚|夜里)?)"
    r"\s?[(\uff08]20\d\d-\d\d-\d\d[)\uff09]",
    re.IGNORECASE,
)


def unframed(text: str) -> str:
    """Return the words of an entry without what introduces them."""
    bare = _FRAME.sub("", text, count=1) if _FRAME.match(text) else text
    return bare[:1].upper() + bare[1:]


def lasting_words(text: str) -> str:
    """Return the sentences of an entry that are not bound to one day or one time."""
    sentences = [s for s in split_sentences(unframed(text)) if not s.injected]
    kept = filter(None, map(_lasting, sentences))
    return (" " if text.isascii() else "").join(kept)


def moving_words(text: str) -> str:
    """Return the clause of *text* that moves something, if it tells what."""
    words = lasting_words(text)
    for clause in CLAUSE.split(words):
        if clause and STRONG_TURN.search(clause):
            tells = content_words(clause.lower()) >= _FEWEST and not points_outside(
                clause
            )
            return clause if tells else words
    return words


def undated(text: str) -> str:
    """Return *text* without the dates that were put to bare weekdays."""
    return _WEEKDAY_DATED.sub(r"\1", text)


def keeps_a_weekday(text: str) -> bool:
    """Say whether *text* names a weekday, and no week of the calendar."""
    return _WEEKDAY.search(text) is not None and not _DATED.search(text)


def worded(words: str, around: str) -> str:
    """Return *words*, with what was said *around* them where they lean on it."""
    if not points_outside(words):
        return words
    whole = lasting_words(around)
    if len(whole) <= _LONGEST and not points_outside(whole):
        return whole
    rest = words
    while (mark := CLAUSE.search(rest)) and points_outside(rest):
        rest = rest[mark.end() :]
    if points_outside(rest) or content_words(rest.lower()) < _FEWEST:
        return words
    return _headed(words, rest)


def _headed(words: str, rest: str) -> str:
    """Return *rest* of *words* with the few words that name its topic at their head."""
    mark = CLAUSE.search(words)
    head = words[: mark.start()] if mark else ""
    if not head or content_words(head.lower()) > _FEWEST - 1 or points_outside(head):
        return rest[:1].upper() + rest[1:]
    return f"{head}: {rest}"


def _lasting(sentence: Sentence) -> str:
    """Return what of *sentence* is not bound: by when it is moved says not for how long."""
    if not _is_bound(sentence):
        return sentence.text
    clauses = [part for part in CLAUSE.split(sentence.text) if part and part.strip()]
    free = [part for part in clauses if not any(map(_is_bound, split_sentences(part)))]
    turns = any(map(STRONG_TURN.search, free)) and len(free) + 1 == len(clauses)
    return (", " if sentence.text.isascii() else ",").join(free) if turns else ""


def _is_bound(sentence: Sentence) -> bool:
    if FINAL.search(sentence.text):
        return False
    cues = find_cues(sentence) - {Cue.EVENT, Cue.DEADLINE}
    begun = _BEGINS.sub("", sentence.text)
    return Cue.QUESTION in cues or is_bound(begun, cues)
