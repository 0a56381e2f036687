"""Which cues a sentence gives."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.distillation import cues_en, cues_zh
from strata.distillation.cues import Cue
from strata.distillation.quotes import MASK

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.distillation.sentences import Sentence
    from strata.models import Language

_PLACE = re.compile(
    r"(?<![\w/.])(?:~|\.{1,2})?/[\w.@-]{2,60}(?:/[\w.@-]{1,60})*|\bhttps?://\S+|[\w.+-]{1,60}@[\w-]{1,60}\.\w"
    r"|\b[a-z0-9_-]{1,40}(?:\.[a-z0-9_-]{1,40}){0,5}\.[a-z]{2,8}\b|\b[A-Za-z]{1,6}-\d+\b"
    r"|\bv?\d+\.\d+(?:\.\d+)*\b|\b[a-z]{1,20}[-_][a-z]{0,20}\d+\b|\b[A-Za-z0-9]{1,40}_\w+|\bport \d+|端口"
)
_NUMBER = re.compile(r"\d")
_TIME = re.compile(
    r"\b\d{1,2}:\d\d\b|\b\d{1,2}\s?[ap]\.?m\b|20\d\d-\d\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\bthe \d\d?(?:st|nd|rd|th)\b|\b(?:today|tonight|tomorrow|yesterday|noon|midnight|this week|next week|next month|weekend)\b"
    r"|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)\b|\bmay \d|\d (?:of )?may\b|\bin may\b"
    r"|\d\s?[月号日点]|[周礼][一二三四五六日天末拜]|星期|[今明昨后前]天|[今明昨]晚|明早|月底|年底|[一二三四五六七八九十]点"
)
_NAME = re.compile(r"(?<![.!?:\n] )(?<!^)\b(?!I\b|I'|OK\b)[A-Z][a-z]+\b|[老小阿][\u4e00-\u9fff](?![\u4e00-\u9fff]{0,1}[时候])")


_OPINION = re.compile(
    r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)? (?:always |still |just |really |never |also )*"
    r"(?:says|said|thinks|prefers|likes|loves|hates|believes|swears|claims|insists|reckons|would rather)\b"
)


_LEADING: dict[Language, int] = {"en": 25, "zh": 9}


def find_cues(sentence: Sentence) -> frozenset[Cue]:
    """Return the cues that the writer's own words of *sentence* give."""
    plain = sentence.plain
    found = set(_matching("en", plain))
    if sentence.has_hanzi:
        found.update(_matching("zh", plain))
    found.update(_concrete(sentence))
    return frozenset(found)


def _matching(language: Language, plain: str) -> Iterator[Cue]:
    for cue, pattern in _compiled(language).items():
        match = pattern.search(plain)
        # Whose view a sentence gives is said where it begins.
        if match and (cue is not Cue.OTHERS or match.start() < _LEADING[language]):
            yield cue


def _concrete(sentence: Sentence) -> set[Cue]:
    found = set()
    if _NUMBER.search(sentence.plain):
        found.add(Cue.NUMBER)
    if _PLACE.search(sentence.text):
        found.add(Cue.IDENTIFIER)
    if _TIME.search(sentence.plain):
        found.add(Cue.TIME)
    if _NAME.search(sentence.text):
        found.add(Cue.NAME)
    if 2 * sentence.plain.count(MASK) > len(sentence.plain):
        found.add(Cue.QUOTED)
    if sentence.carries_order:
        found.add(Cue.RELAYED)
    if _OPINION.search(sentence.text):
        found.add(Cue.OTHERS)
    return found


# Compiled when the first sentence is read: most commands never read one.
@lru_cache(maxsize=2)
def _compiled(language: Language) -> Mapping[Cue, re.Pattern[str]]:
    sources = cues_en.CUES if language == "en" else cues_zh.CUES
    return {cue: re.compile(source, re.MULTILINE) for cue, source in sources.items()}
