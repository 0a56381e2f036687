"""What the words around a statement show, whatever the statement says."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.vocabulary import content_words

if TYPE_CHECKING:
    from strata.statements.topics import Clause

_SIGNS = tuple(map(cue, ("turns.turned", "turns.trouble", "turns.final")))
_SAME_THING = re.compile(
    r"[,;]\s*(?:they|it|he|she|that)(?:'s|'re| is| are)\b", re.IGNORECASE
)
_WORD = re.compile(r"(?<![a-z])([a-z]{4,})|(?=([\u4e00-\u9fff]{2}))")


@lru_cache(maxsize=4096)
def is_signed(around: str) -> bool:
    """Say whether anything is said of a change, of trouble, or of finality."""
    return any(sign.search(around) for sign in _SIGNS)


def words_in_both(older: str, around: str) -> set[str]:
    """Return the words of some length that stand in both, whatever they mean."""
    one, other = ({*_WORD.findall(text.casefold())} for text in (older, around))
    return {"".join(found) for found in one & other}


def goes_on_about(text: str) -> bool:
    """Say whether a later clause is about what an earlier one named."""
    return _SAME_THING.search(text) is not None


def is_cry(clause: Clause) -> bool:
    """Say whether a clause is no more than a word: "enough", 算了."""
    return content_words(clause.text.lower()) <= 1


def denies(clause: Clause) -> bool:
    """Say whether a clause denies anything."""
    return any(term.sign < 0 for term in clause.terms.values())
