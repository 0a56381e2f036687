"""Whether a line stands by itself, and how to mend one that leans on what was before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues import Cue
from strata.distillation.holding import KIN, is_bound, kind_of
from strata.distillation.reading import find_cues
from strata.distillation.sentences import split_sentences
from strata.distillation.vocabulary import content_words

if TYPE_CHECKING:
    from strata.distillation.holding import Kind
    from strata.models import Tag

# Words that need something before them; only what follows can save "it".
_START = re.compile(
    r"(?:and |but |so |or |also |then |yes,? |no,? |ok,? |again\b|same (?:as|here"
    r"|with)\b"
    r"|that(?:'s|'ll| (?:is|was|will|must|means|makes|one|way|thing|plan|step|idea"
    r"|trick|would|should|goes))\b|it(?:'s| is| has"
    r"| was|'ll)?\b"
    r"|this\b|these\b|those\b|they(?:'re| are)?\b|them\b|he(?:'s)?\b|she(?:'s)?\b"
    r"|his\b|her\b"
    r"|both\b|neither\b|the (?:same|latter|former|other(?: one)?|second"
    r"|first) (?:one|variant"
    r"|version|option)?\b|the usual\b|as (?:before|usual|we said|discussed|agreed)\b"
    r"|(?:do|keep|leave|put|make|change|move|use|take|send|have|give|split|drop|swap) "
    r"(?:it|that|this|them|those|these|him|her)\b)"
    r"|(?:[它他她]们?|这(?:个|样|么|些|种|边)?|那(?:个|样|么|些|种|边)?|此|其|同样"
    r"|照旧|还是那|前者"
    r"|后者|跟(?:上次|之前)|按(?:上次|之前|老样)|照(?:上次|之前|老样))",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:the way we (?:said|did|discussed)|as (?:we|i) (?:said|discussed|did)"
    r"|like last time"
    r"|same (?:trick|way|thing) as|the usual way|that (?:plan|thing|one|step|idea"
    r"|trick)"
    r"|as before|what (?:\w+) (?:said|proposed|suggested)|you know (?:which|what"
    r"|the one))\b"
    r"|上(?:次|回)(?:说|讲|讨论|定|那)|之前(?:说|讲|那)|老样子|老办法|你(?:懂"
    r"|知道)的|那件事|那个事"
    r"|刚才(?:说|那)|前面(?:说|那)"
    r"|(?:[昨前]天|[上这]周|当时)(?:[(\uff08][^)\uff09]*[)\uff09])?(?:我们?|你)?"
    r"(?:说|讲|讨论|商量|定)好?的(?:那样|那个|这样|做|办|来"
    r"|(?:办法|方案)[做办来去])",
    re.IGNORECASE,
)
# "…, he can cope": somebody of whom the line does not tell.
_TAIL = re.compile(
    r"(?:,|;|\s[–—-])\s*(?:and |but |so )?(?:he|she|they|him|her|them)(?:'s|'re"
    r"|'ll)?\b[^,;.]*[.!]?$"
    r"|[,\uff0c](?:他|她|他们|她们)[^,\uff0c。]*[。!]?$",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"^[A-Z][a-z]+ (?:[A-Z][a-z]+|and|is|wants?|only|gets?|likes?|from|has)\b"
    r"|(?<!^)(?<![.!?] )\b[A-Z][a-z]+|\b(?:my|our|the|a|an|any|every|each|no) [a-z]+\b"
    r"|[老小阿][\u4e00-\u9fff]|[\u4e00-\u9fff](?:姐|哥|总|工|老师|经理|医生|师傅"
    r"|主任|教授)"
    r"|\b(?:people|team|client|customer|reviewer)s?\b|客户|甲方|同事|家长|学生"
    r"|孩子|老板|医生|(?:给|找|跟|问)[\u4e00-\u9fff]{2,3},"
)
_PRONOUN = re.compile(r"\b(?:he|she|him|her|his)\b|[他她](?!们|人)", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;\uff0c;:\uff1b:]\s*|\s[–—-]\s")


_DENIED = re.compile(r"(?:and )?not\b|(?:可)?不是|而不是", re.IGNORECASE)


def leans(text: str) -> bool:
    """Say whether *text* begins with a word that stands for something said before."""
    return _START.match(text.strip()) is not None


def points_outside(text: str) -> str:
    """Return the words of *text* that point to what is not in it, or ""."""
    found = _START.match(text.strip()) or _POINTS.search(text) or _stranger(text)
    return found[0].strip() if found else ""


def _stranger(text: str) -> re.Match[str] | None:
    """Return the first "she" of whom nothing before it tells who she is."""
    found = _PRONOUN.search(text)
    if found is None or _PERSON.search(text[: found.start()]):
        return None
    return None if KIN.search(text[: found.start()]) else found


def repaired(text: str, kind: Kind, tag: Tag | None) -> str:
    """
    Return *text* without first clauses that lean, where what follows says as much.

    A request of the moment before a fact goes too: "fix it please, the checkout is at ~/x".
    """
    shorter = text
    while _may_go(shorter, kind) and (mark := _CLAUSE.search(shorter)):
        rest = shorter[mark.end() :].strip()
        # "It's 5, not 7": what is denied says nothing without what is right.
        if _DENIED.match(rest) or not _holds(rest, kind, tag):
            break
        shorter = rest
    if leans(shorter):
        return text
    shorter = _without_stranger(shorter)
    return shorter[:1].upper() + shorter[1:] if shorter[:1].islower() else shorter


def _without_stranger(text: str) -> str:
    tail = _TAIL.search(text)
    if tail is None or _PERSON.search(text[: tail.start()]):
        return text
    rest = text[: tail.start()]
    return rest if content_words(rest.lower()) > 1 else text


def _may_go(text: str, kind: Kind) -> bool:
    if leans(text):
        return True
    mark = _CLAUSE.search(text)
    first = text[: mark.start()] if mark else ""
    cues = _cues(first)
    return kind == "fact" and Cue.REQUEST in cues and Cue.IDENTIFIER not in cues


def _holds(rest: str, kind: Kind, tag: Tag | None) -> bool:
    cues = _cues(rest)
    if content_words(rest.lower()) < 2 or is_bound(rest, cues):  # noqa: PLR2004 - a word says little
        return False
    return kind_of(cues, tag, rest) is not None or (
        kind == "fact" and Cue.IDENTIFIER in cues
    )


def _cues(text: str) -> frozenset[Cue]:
    return frozenset[Cue]().union(*(find_cues(s) for s in split_sentences(text)))
