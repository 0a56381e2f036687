"""Which cues a sentence gives."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.distillation.cues import en as cues_en
from strata.distillation.cues import zh as cues_zh
from strata.distillation.cues.kinds import Cue
from strata.distillation.meaning.lexicon import lexicon, phrase_root
from strata.distillation.text.quotes import MASK

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from strata.distillation.text.sentences import Sentence
    from strata.models import Language

# Cheap to look for, and there wherever a place is.
_PLACE_HINT = re.compile(r"[/@_]|\w[.-]\w|\bport\b|端口")
_PLACE = re.compile(
    r"(?<![\w/.])(?:~|\.{1,2})?/[\w.@-]{2,60}(?:/[\w.@-]{1,60})*|\bhttps?://\S"
    r"|[\w.+-]{1,60}@[\w-]{1,60}\.\w"
    r"|\b[a-z0-9_-]{1,40}(?:\.[a-z0-9_-]{1,40}){0,5}\.[a-z]{2,8}\b"
    r"|\b[A-Za-z]{1,6}-\d+\b|\bv?\d+\.\d+(?:\.\d+)*\b"
    r"|\b[a-z]{1,20}[-_][a-z]{0,20}\d+\b|\b[A-Za-z0-9]{1,40}_\w+|\bport \d|端口"
)
_LAUGHING = re.compile("[😂🤣😜]")
_NUMBER = re.compile(
    r"\d|(?:[二两三四五六七八九]|[一二两三四五六七八九十百千万]{2,5})"
    r"(?:块|元|斤|公斤|度|秒|毫秒|分钟|小时|岁|号|楼|班|台|倍|折|百|千|万)"
    r"|[一二三四五六七八九两][百千万]"
)
_TIME = re.compile(
    r"\b\d{1,2}:\d\d\b|\b\d{1,2}\s?[ap]\.?m\b|\b20\d\d-\d\d|\b(?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)days?\b|\bthe \d\d?(?:st|nd|rd|th)\b|\b(?:today|tonight"
    r"|tomorrow|yesterday|noon|midnight|this week|next week|next month|weekend)\b"
    r"|\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\bmay \d"
    r"|\b\d\d? (?:of )?may\b|\bin may\b"
)
_CHINESE_TIME = re.compile(
    r"\d\s?[月号日点]|[周礼][一二三四五六日天末拜]|星期|[今明昨后前]天|[今明昨]晚"
    r"|明早|月底|年底|[一二三四五六七八九十]点"
)
_NAME = re.compile(
    r"(?<![.!?:\n] )(?<!^)\b(?!I\b|I'|OK\b)[A-Z][a-z]+\b"
    r"|小(?![得时的区学子组心说程伙朋吃票于声孩号黄红费计样型包块段半事件众麦米数步写结节窗题图额量路])"
    r"[\u4e00-\u9fff]"
    r"|老(?![是板师人家化样规要机款版爱掉断飘卡旧婆公朋同铁土在忘])[\u4e00-\u9fff]"
    r"|[\u4e00-\u9fff](?:老师|医生|大夫|师傅|经理|主任|律师|教授|阿姨|编辑)"
    r"|阿(?!姨)[\u4e00-\u9fff]"
    # How a name is written: 学习的学, 立早章.
    r"|([\u4e00-\u9fff])[\u4e00-\u9fff]的\1(?![\u4e00-\u9fff])"
    r"|[\u4e00-\u9fff]([\u4e00-\u9fff])的\2(?![\u4e00-\u9fff])"
)
_OPINION = re.compile(
    r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)? (?:always |still |just |really |never "
    r"|also )*(?:says|said|thinks|prefers|likes|loves|hates|believes|swears|claims"
    r"|insists|reckons|would rather)\b"
)


# "What Java? The page is PHP": asked of nobody, and answered at once.
_RETORT = re.compile(
    r"^(?:啥|什么|哪来的?|哪是|哪有|(?:怎么|咋)又)\s?[^,\uff0c?\uff1f。]{1,14}[,\uff0c]\s?[^?\uff1f]+$"
)
_WRITTEN = re.compile(r"[^\W\d_][^\W\d_]*(?:['’][^\W\d_]+)?")
# What is named as the wrong spelling: in quotation marks, or after one of these.
_MISWRITTEN = re.compile(
    r"[\"“「]([^\W\d_]+(?:['’][^\W\d_]+)?)[\"”」]"
    r"|\b(?:not|never|no|said|says|wrote|written|instead of) ([^\W\d_]+(?:['’][^\W\d_]+)?)"
)
_LEAST_ALIKE = 0.6
_NEARLY = 0.72
_ALIKE_FROM = 2
_ALIKE_TO = 4
_FIGURE = re.compile(r"(?<![\w.:])[A-Z]{0,3}\d+(?:[./-]?\d+)*(?![\w:%])")
_SHORT = 2


# How often a thing happens by itself; whom it is asked of has an imperative beside it.
_RATE = re.compile(
    r"\b(?:every|each) (?:[\w.]+ )?(?:milliseconds?|seconds?|minutes?|hours?)\b"
)
# English cues that mean nothing without another one, which stands earlier in the table.
_ONLY_WITH = {
    Cue.MANNER: Cue.IMPERATIVE,
    Cue.REQUEST: Cue.IMPERATIVE,
    Cue.TASTE: Cue.OTHERS,
}


@lru_cache(maxsize=256)
def find_cues(sentence: Sentence) -> frozenset[Cue]:
    """Return the cues that the writer's own words of *sentence* give."""
    plain = sentence.plain
    found: set[Cue] = set()
    for cue, pattern in _compiled("en").items():
        if _ONLY_WITH.get(cue, cue) in (cue, *found) and _found(
            pattern, cue, plain, 25
        ):
            found.add(cue)
    if sentence.has_hanzi:
        zh = _compiled("zh").items()
        found.update(cue for cue, pattern in zh if _found(pattern, cue, plain, 9))
    found.update(_concrete(sentence))
    if _RETORT.match(sentence.text):
        found = found - {Cue.QUESTION} | {Cue.CORRECTION}
    if _respells(sentence.text):
        found.add(Cue.CORRECTION)
    if _is_only_a_rate(plain, found):
        found -= {Cue.SCOPE}
    return frozenset(found)


def _is_only_a_rate(plain: str, found: AbstractSet[Cue]) -> bool:
    """Say whether *plain* tells how often, and of no other kind of "every"."""
    if Cue.SCOPE not in found or Cue.IMPERATIVE in found or not _RATE.search(plain):
        return False
    rest = _RATE.sub("", plain)
    return not any(
        _compiled(language)[Cue.SCOPE].search(rest) for language in ("en", "zh")
    )


def has_cue(sentence: Sentence, cue: Cue) -> bool:
    """Say whether *sentence* gives *cue*, one that is found by its words alone."""
    languages: tuple[Language, ...] = ("en", "zh") if sentence.has_hanzi else ("en",)
    return any(
        _compiled(language)[cue].search(sentence.plain)
        for language in languages
        if cue in _compiled(language)
    )


def _found(pattern: re.Pattern[str], cue: Cue, plain: str, leading: int) -> bool:
    match = pattern.search(plain)
    # Whose view a sentence gives is said within its *leading* characters.
    return match is not None and (cue is not Cue.OTHERS or match.start() < leading)


def _concrete(sentence: Sentence) -> set[Cue]:
    found = set()
    if _NUMBER.search(sentence.plain):
        found.add(Cue.NUMBER)
    if _PLACE_HINT.search(sentence.text) and _PLACE.search(sentence.text):
        found.add(Cue.IDENTIFIER)
    if _TIME.search(sentence.plain) or _CHINESE_TIME.search(sentence.plain):
        found.add(Cue.TIME)
    if _NAME.search(sentence.text):
        found.add(Cue.NAME)
    if 2 * sentence.plain.count(MASK) > len(sentence.plain):
        found.add(Cue.QUOTED)
    if sentence.carries_order:
        found.add(Cue.RELAYED)
    if _LAUGHING.search(sentence.plain):
        found.add(Cue.JOKE)
    if "→" in sentence.plain:
        found.add(Cue.CONTACT)
    if _OPINION.search(sentence.text):
        found.add(Cue.OTHERS)
    return found


def _respells(text: str) -> bool:
    """Say whether a name stands beside nearly the same one that is wrong: Nair, "Nayar"."""
    wrong = [next(filter(None, found.groups())) for found in _MISWRITTEN.finditer(text)]
    names = [word for word in _WRITTEN.findall(text) if word[:1].isupper()]
    if any(are_misspelt(one, other) for one in wrong for other in names):
        return True
    figures = _FIGURE.findall(text)
    return any(map(are_misread, figures, figures[1:]))


def are_misread(one: str, other: str) -> bool:
    """Say whether figures of two values have changed places: 105.8 and 108.5."""
    if one == other or len(one) != len(other) or not one[-1:].isdigit():
        return False
    places = [
        n for n, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1
    ]
    digits = sum(each.isdigit() for each in one)
    return digits > _SHORT and len(places) in {1, 2} and sorted(one) == sorted(other)


def are_misspelt(one: str, other: str) -> bool:
    """Say whether *one* is nearly the name *other*, and no word of its own."""
    first, second = one.lower(), other.lower()
    if first == second or not one[:1].isupper() or _are_words(first, second):
        return False
    alike = SequenceMatcher(None, first, second).ratio()
    same_start = first[:_ALIKE_FROM] == second[:_ALIKE_FROM]
    same_end = first[-_ALIKE_TO:] == second[-_ALIKE_TO:] and alike >= _NEARLY
    return alike >= _LEAST_ALIKE and (same_start or same_end)


def _are_words(first: str, second: str) -> bool:
    """Say whether both are words that people know: Tuesday, Thursday."""
    return all(phrase_root(each) in lexicon().english for each in (first, second))


# Compiled when the first sentence is read: most commands never read one.
@lru_cache(maxsize=2)
def _compiled(language: Language) -> Mapping[Cue, re.Pattern[str]]:
    sources = cues_en.CUES if language == "en" else cues_zh.CUES
    return {cue: re.compile(source, re.MULTILINE) for cue, source in sources.items()}
