"""Whether a line stands by itself, and how to mend one that leans on what was before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.cues.reading import find_cues
from strata.distillation.text.pointing import points_back
from strata.distillation.text.sentences import language_of, split_sentences
from strata.distillation.text.vocabulary import content_words
from strata.distillation.text.wording import capitalised
from strata.distillation.verification.holding import CLEFT, KIN, is_bound, kind_of

if TYPE_CHECKING:
    from strata.distillation.verification.holding import Kind
    from strata.models import Tag

# Words that need something before them; only what follows can save "it".
_START = re.compile(
    r"(?:and |but |so |or |also |then |yes,? |no, |no (?=it|that|this|not|he|she|they|i\b"
    r"|we\b)|ok,? |again\b|same (?:as|here"
    r"|with|drill|procedure|routine|deal|rules?|way|thing)\b"
    r"|that(?:'s|'ll| (?:is|was|will|must|means|makes|one|way|thing|plan|step|idea"
    r"|trick|would|should|goes))\b|it(?:'s| is| has"
    r"| was|'ll)?\b"
    r"|this\b|these\b|those\b|they(?:'re| are)?\b|them\b|he(?:'s)?\b|she(?:'s)?\b"
    r"|his\b|her\b"
    r"|both\b|neither\b|the (?:same|latter|former|other(?: one)?|second"
    r"|first) (?:one|variant"
    r"|version|option)?\b|the usual\b|as (?:before|usual|we said|discussed|agreed)\b"
    r"|(?:do|keep|leave|put|make|change|move|use|take|send|have|give|split|drop|swap) "
    r"(?:it|that|this|them|those|these|him|her)\b|[a-z]+ (?:it|them|both)\b"
    r"|\d[\d.,:]* (?:is|was|are|isn't)\b|(?:write|add|put|note|fix|change) both\b)"
    r"|(?:[它他她]们?|人家|这(?:个|样|么|些|种|边)?|那(?:个|样|么|些|种|边)?|此|其|同样"
    r"|是(?=\s?\d)|(?:咋|怎么)又|照旧|老规矩|还是那|前者|\d[\d.,:]*\s?(?:不?是|打错|写错|错)"
    r"|[写记加补填添](?:进去|上去|上|进来)[,\uff0c。]"
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
    # "That one", "the other draft", with no word for what it is one of.
    r"|另外?一[个张份版稿套家条种样本件款][\u4e00-\u9fff]{0,3}(?=[,\uff0c。]|$)"
    r"|^[^,\uff0c。:\uff1a]{0,12}[按照用跟拿选走改换](?:[上下左右前后里外][边面]?|最?中间|旁边|另外?)?"
    r"(?:[那这][一几]?|(?<=[前后上下])一|(?<=另)一|(?<=另外)一)[张个版稿份家套条种样本件款只块台句段首篇幅组]"
    r"(?=[,\uff0c。]|$|的?[来调弄做办写走改排回发算贴画拍]|的(?:那[个张]|[\u4e00-\u9fff])?(?=[,\uff0c。]|$))"
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
    r"^[A-Z][a-z]+(?: (?:[A-Z][a-z]+|and|is|wants?|only|gets?|likes?|from|has|can't"
    r"|cannot|doesn't)\b|,|'s\b| [a-z]+s\b)|[\u4e00-\u9fff][A-Z][a-z]+"
    r"|的(?:那个)?是(?![我你他她这那])[\u4e00-\u9fff]{2,5}(?=[,\uff0c])|有(?:个|位|一[个位])[\u4e00-\u9fff]{2}"
    r"|(?<!^)(?<![.!?] )\b[A-Z][a-z]+|\b(?:my|our|the|a|an|any|every|each|no) [a-z]+\b"
    r"|[老小阿][\u4e00-\u9fff]|[\u4e00-\u9fff](?:姐|哥|总|工|编|导|老师|经理|医生|大夫|师傅"
    r"|主任|教授|教练|院长|校长|组长)"
    r"|\b(?:people|team|client|customer|reviewer)s?\b|客户|甲方|同事|家长|学生"
    r"|孩子|老板|医生|(?:给|找|跟|问)[\u4e00-\u9fff]{2,3},"
)
_PRONOUN = re.compile(r"\b(?:he|she|him|her|his)\b|[他她](?!们|人)", re.IGNORECASE)
_BARE_VALUE = re.compile(r"[\w-]+(?:[./@:_-][\w-]+)+(?=[,;\uff0c;\uff1b。.]|$)")
_CLAUSE = re.compile(r"[,;\uff0c;:\uff1b:]\s*|\s[–—-]\s")


# "It's 5, not 7": what is denied says nothing without what is right.
_DENIED = re.compile(r"(?:and )?not\b|(?:可)?不是|而不是", re.IGNORECASE)
_SO_NOW = re.compile(
    r"(?:it's|they're|we're|we) |now\b|[^,\uff0c]{0,6}现在", re.IGNORECASE
)
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
# So few words after a clause that leans say little without it.
_FEW = 3
_FEW_HANZI = 4


def leans(text: str) -> bool:
    """Say whether *text* begins with a word that stands for something said before."""
    return _START.match(text.strip()) is not None or points_back(text)


def points_outside(text: str) -> str:
    """Return the words of *text* that point to what is not in it, or ""."""
    found = _START.match(text.strip()) or _POINTS.search(text) or _stranger(text)
    if found is None:
        return text.split(maxsplit=3)[0] if points_back(text) else ""
    return found[0].strip()


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
        first = shorter[: mark.start()]
        if _needs(rest, first) or not (
            _holds(rest, kind, tag) or _repeats(rest, first)
        ):
            break
        shorter = rest
    shorter = _without_stranger(shorter)
    if leans(shorter) or (shorter != text and _says_little(shorter)):
        return text
    return capitalised(shorter)


def _says_little(text: str) -> bool:
    few = _FEW_HANZI if language_of(text) == "zh" else _FEW
    return content_words(text.lower()) < few


def _needs(rest: str, first: str) -> bool:
    """Say whether *first* has the right figure, or what the bare value in *rest* is of."""
    if _DENIED.match(rest) or _BARE_VALUE.match(rest):
        return True
    if _repeats(rest, first):
        return False
    return bool(_cues(first) & {Cue.NUMBER, Cue.IDENTIFIER})


def _repeats(rest: str, first: str) -> bool:
    """Say whether the right figure of *first* comes again in *rest*, with what it is of."""
    if Cue.CORRECTION in _cues(first) and CLEFT.match(rest):
        return True
    if Cue.CORRECTION in _cues(first) and _SO_NOW.match(rest):
        return Cue.NUMBER in _cues(rest)
    figures = _FIGURE.findall(first)
    return bool(figures) and all(figure in _FIGURE.findall(rest) for figure in figures)


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
    if _says_little(rest) or is_bound(rest, cues):
        return False
    return kind_of(cues, tag, rest) is not None or (
        kind == "fact" and Cue.IDENTIFIER in cues
    )


def _cues(text: str) -> frozenset[Cue]:
    return frozenset[Cue]().union(*(find_cues(s) for s in split_sentences(text)))
