"""Shorter words for the same thing: no number, name or negation may be lost."""

from __future__ import annotations

import re
from functools import lru_cache

from strata.language.cues import cue
from strata.language.sentences import split_sentences
from strata.language.vocabulary import content_words
from strata.language.wording import capitalised
from strata.statements.grounding.agreement import missing

_FILLERS = cue("tightening.fillers")
_AFTERWORD = cue("tightening.afterword")
_CHINESE_FILLERS = cue("tightening.chinese_fillers", 0)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# How somebody feels about it adds nothing to what it is.
_FEELING = cue("tightening.feeling")
# A last clause with a subject of its own: why it is so, what came of it once.
_ASIDE = cue("tightening.aside")
_WORD_NEXT = re.compile(r"\s+\w")
_SHORTEST = 3


@lru_cache(maxsize=8192)
def tightened(text: str) -> str:
    """Return *text* without filling words and afterwords."""
    felt = _FEELING.sub("", text)
    shorter = felt if _says_as_much(text, felt) else text
    while (cut := _AFTERWORD.sub("", shorter)) != shorter and _keeps(shorter, cut):
        shorter = cut
    without = _CHINESE_FILLERS.sub("", _FILLERS.sub(_comma, shorter))
    without = re.sub(r"\s+([,.;])", r"\1", re.sub(r"\s{2,}", " ", without)).strip(" ,;")
    shorter = without if _keeps(shorter, without) else shorter
    return capitalised(shorter)


def first_words(text: str) -> str:
    """
    Return *text* without the sentences and the last aside that name and count nothing.

    This is what remains of a line when memory is full: no figure, no name and no
    negation of it is lost.
    """
    sentences = [sentence.text for sentence in split_sentences(text)]
    joint = " " if text.isascii() else ""
    while len(sentences) > 1 and _keeps(text, joint.join(sentences[:-1])):
        sentences.pop()
    shorter = joint.join(sentences) if len(sentences) > 1 else text
    if len(sentences) == 1 and _keeps(text, sentences[0]):
        shorter = sentences[0]
    while aside := _ASIDE.search(shorter):
        cut = shorter[: aside.start()]
        if not _keeps(shorter, cut):
            break
        shorter = cut
    return shorter


def _comma(filler: re.Match[str]) -> str:
    """Return the comma before a filler, where it parts what stands on both sides."""
    ends = filler[0].startswith(","), filler[0].endswith(",")
    between = ends[0] != ends[1] and filler.string[: filler.start()].strip()
    return "," if between and _WORD_NEXT.match(filler.string, filler.end()) else ""


def _says_as_much(before: str, after: str) -> bool:
    """Say whether no figure is lost; a name in what is only felt is no loss."""
    if content_words(after.lower()) < _SHORTEST:
        return False
    return set(_NUMBER.findall(before)) == set(_NUMBER.findall(after))


def _keeps(before: str, after: str) -> bool:
    """Say whether *after* has every number, name and negation of *before*."""
    if content_words(after.lower()) < _SHORTEST - 1:
        return False
    return missing(before, after) is None
