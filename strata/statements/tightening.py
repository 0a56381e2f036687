"""Shorter words for the same thing: no number, name or negation may be lost."""

from __future__ import annotations

import re
from functools import lru_cache

from strata.language.polarity import negation_mismatch
from strata.language.sentences import split_sentences
from strata.language.vocabulary import content_words
from strata.language.wording import capitalised

_FILLERS = re.compile(
    r"(?:,\s*)?\b(?:please|by the way|btw|apparently|of course"
    r"|you know(?: the drill)?|frankly"
    r"|honestly|basically|obviously|i guess|i think|i suppose|as i said|like i said"
    r"|ok\?"
    r"|okay\?|thanks)\b(?:,(?=\s))?|(?:,\s*)?\bplease (?:remember|note)(?: (?:that"
    r"|this))?\b",
    re.IGNORECASE,
)
_AFTERWORD = re.compile(
    r"(?:[.;,!]|\s[–—-])\s*(?:(?:please )?(?:keep|bear) (?:that|this"
    r"|it) in mind(?: for good)?"
    r"|(?:please )?(?:remember|note) (?:that|this|it)|keep it that way"
    r"|that's (?:final|it|all)"
    r"|final|and that's that|i'm not kidding|i mean it|write (?:that|it|this) down"
    r"|decided|for good|(?:decided, )?tell \w+)[.!]*\s*$"
    r"|[,\uff0c。;\uff1b]\s*(?:你?(?:帮我|给我)?(?:记住|记牢|记下来?|记一下"
    r"|记好)了?|别忘了?|定了"
    r"|就这么(?:定|办)了?|拜托了?|谢谢|切记)[。!\uff01~]*\s*$",
    re.IGNORECASE,
)
_CHINESE_FILLERS = re.compile(
    r"(?<=[\u3400-\u9fff])(?:哈|啊|呀|嘛|哦|咯|啦)(?=[,\uff0c。!\uff01]|$)|^(?:就是"
    r"|其实|反正)"
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][\w&+.-]*\w|[\w~./@-]*[\d_/@][\w~./@-]*")
# How somebody feels about it adds nothing to what it is.
_FEELING = re.compile(
    r"(?:,| and)\s+(?:is |are |am |i'm |she's |he's )?(?:very |quite |really |so "
    r"|rather )?"
    r"(?:fed up|annoyed|angry|cross|tired|sick|happy|glad|proud"
    r"|thrilled)\b[^,.;]*(?=[.!]?$)"
    r"|[,\uff0c](?:我|她|他)?(?:快|都)?(?:烦|气|愁|累|笑)死[^,\uff0c。]*(?=。?$)",
    re.IGNORECASE,
)
# A last clause with a subject of its own: why it is so, what came of it once.
_ASIDE = re.compile(
    r"(?:[,;]|\s[–—-])\s+(?P<words>(?:and |but |so |or |because |since |as )?"
    r"(?:i|we|he|she|they|it|people|in case|that's|it's|i've|i'd|i'm|he's|she's|they're)\b"
    r"[^,;]*)$"
    r"|[,;\uff0c\uff1b](?P<why>(?:我|他们?|她们?|人家|上[回次]|前[回街面]|隔壁|省得|免得|不然"
    r"|因为|毕竟|反正|老是)[^,;\uff0c\uff1b]*)$",
    re.IGNORECASE,
)
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
    return _found(_NUMBER, before) == _found(_NUMBER, after)


def _keeps(before: str, after: str) -> bool:
    """Say whether *after* has every number, name and negation of *before*."""
    if content_words(after.lower()) < _SHORTEST - 1:
        return False
    if _found(_NUMBER, before) != _found(_NUMBER, after):
        return False
    if _found(_NAME, before) - _found(_NAME, after):
        return False
    return negation_mismatch(before.lower(), after.lower()) is None


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return set(pattern.findall(text))
