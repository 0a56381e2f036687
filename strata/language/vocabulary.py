"""How much a sentence says once greetings, thanks and small words are gone."""

from __future__ import annotations

import re

from strata.language.cues import cue, words
from strata.language.quotes import TERM
from strata.patterns import pattern

_WORD = pattern(r"[a-z0-9][a-z0-9'_./-]*|[\u3400-\u9fff]+", re.IGNORECASE)
_TERMS = pattern(f"{TERM}+")
_HANZI = pattern(r"[\u3400-\u9fff]")

_SMALL = frozenset(words("vocabulary.small_words"))
_CHINESE_SMALL = cue("vocabulary.chinese_small", 0)


def content_words(plain: str) -> int:
    """
    Return how many words of *plain* (lower case) carry meaning.

    Two hanzi count as one word, a quoted term as two.
    """
    count = 2 * len(_TERMS.findall(plain))
    for word in _WORD.findall(plain):
        if _HANZI.match(word):
            count += (len(_CHINESE_SMALL.sub("", word)) + 1) // 2
        elif word not in _SMALL:
            count += 1
    return count
