"""On which side of today a bare weekday lies, judged by the words around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.dates import tense_chinese, tense_english
from strata.patterns import pattern

if TYPE_CHECKING:
    import re

    from strata.language.dates.spans import Preference

_HANZI = pattern(r"[\u3400-\u9fff]")
_CLAUSE_END = pattern(
    r"(?<!\d)[,;:]|[,;:](?!\d)|[.!?](?=\s|$)|[。\n()]|\s[-–—]\s"
    r"|\s(?=(?:and|but|so|because|while|although|though)\s)"
)
_SENTENCE_END = pattern(r"[.!?](?=\s|$)|[。!?](?=[\u3400-\u9fff])|[。\n]")


def side_of(text: str, start: int, end: int) -> Preference | None:
    """
    Return whether the day that *start* to *end* of *text* names is ahead or behind.

    *text* has its full-width punctuation folded. None where the words do not tell.
    """
    before, after = clause_around(text, start, end)
    chinese = _HANZI.search(text[start:end]) is not None
    judge = tense_chinese.side_of if chinese else tense_english.side_of
    little = tense_chinese.says_little if chinese else tense_english.says_little
    own = judge(before, after)
    if not little(before, after):
        return own
    earlier, later = _around(_SENTENCE_END, text, start, end)
    return own if own == judge(earlier, later) else _unless_scheduled(own, earlier)


def clause_around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what precedes and what follows *start* to *end* in its clause."""
    return _around(_CLAUSE_END, text, start, end)


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the sentence in which *start* to *end* stand, without them."""
    return " ".join(_around(_SENTENCE_END, text, start, end))


def _unless_scheduled(own: Preference | None, before: str) -> Preference | None:
    """Distrust a clause that holds hardly more than the day, unless it was arranged."""
    scheduled = tense_english.SCHEDULED.search(
        before
    ) or tense_chinese.SCHEDULED.search(before)
    return own if scheduled else None


def _around(ends: re.Pattern[str], text: str, start: int, end: int) -> tuple[str, str]:
    first = max((m.end() for m in ends.finditer(text, 0, start)), default=0)
    following = ends.search(text, end)
    return text[first:start], text[end : following.start() if following else len(text)]
