"""The words in which a turn is written down, so that they stand by themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.meaning.topics import CLAUSE
from strata.distillation.meaning.turns import FINAL
from strata.distillation.text.sentences import split_sentences
from strata.distillation.text.vocabulary import content_words
from strata.distillation.verification.holding import is_bound
from strata.distillation.verification.leaning import points_outside

if TYPE_CHECKING:
    from strata.distillation.text.sentences import Sentence

# "User asked: …" says who spoke, and is no part of what was said.
_FRAME = re.compile(r"(?:The )?[Uu]ser (?:asked|said):\s*|用户(?:要求|说)[::\uff1a]\s*")
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


def unframed(text: str) -> str:
    """Return the words of an entry without what introduces them."""
    bare = _FRAME.sub("", text, count=1) if _FRAME.match(text) else text
    return bare[:1].upper() + bare[1:]


def lasting_words(text: str) -> str:
    """Return the sentences of an entry that are not bound to one day or one time."""
    kept = [
        sentence.text
        for sentence in split_sentences(unframed(text))
        if not sentence.injected and not _is_bound(sentence)
    ]
    return (" " if text.isascii() else "").join(kept)


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


def _is_bound(sentence: Sentence) -> bool:
    if FINAL.search(sentence.text):
        return False
    cues = find_cues(sentence) - {Cue.EVENT, Cue.DEADLINE}
    begun = _BEGINS.sub("", sentence.text)
    return Cue.QUESTION in cues or is_bound(begun, cues)
