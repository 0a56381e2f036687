"""What a statement declares finished, dropped or replaced, and what rests on it."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from strata.language.calendar import MONTH
from strata.language.lexicon import kind_of, lexicon, phrase_root
from strata.language.meanings import read_meaning
from strata.models import Frame
from strata.notes.entries import parse_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

# Where people live and what day it is are no things that somebody shuts down.
_NO_THINGS_WRITTEN = """
    indentation quotation theme length tone side means hour weekday frequency colour city
    transport currency seat degrees script spelling diet merging case
"""
_NO_THINGS = frozenset(_NO_THINGS_WRITTEN.split()) | {
    "time of day",
    "unit system",
    "human language",
    "hot drink",
}
_LATIN = r"[A-Za-z0-9][A-Za-z0-9_+#-]*(?:\.[A-Za-z0-9]+)*"
_NAME_EN = (
    rf"[\"“']?(?P<name>{_LATIN}(?: (?-i:[A-Z0-9])[A-Za-z0-9_+#-]*){{0,2}})[\"”']?"
)
_THING = (
    r"(?: (?:project|app|site|website|service|server|shop|store|blog|newsletter|podcast"
    r"|product|platform|tool|account|subscription|integration|plugin|database|cluster"
    r"|contract|team|programme|program|pilot|beta|experiment|channel))?"
)
_ENDED = (
    r"(?:shut(?:ting)? down|closed(?: down)?|killed(?: off)?|cancell?ed|dropped|abandoned"
    r"|discontinued|retired|decommissioned|sunset(?:ted)?|deprecated|scrapped|archived"
    r"|wound down|phased out|removed|ditched|uninstalled|terminated|wrapped up|finished"
    r"|completed|axed|shelved|binned|buried|switched off|turned off|taken offline)"
)
_STATE = (
    rf"(?:{_ENDED}|done|over|dead|gone|history|complete|no more|end[- ]of[- ]life"
    r"|obsolete|out of (?:use|business|service)|defunct)"
)
_ADVERB = (
    r"(?:(?:now|finally|officially|completely|fully|already|since|today|just|all"
    r"|permanently|both)\s+)*"
)
_LEFT = (
    rf"(?:{_ENDED}|stopped (?:using|with|paying for|working (?:on|with|for|at))"
    r"|quit(?: using)?|gave up(?: on)?|given up(?: on)?|got rid of|pulled the plug on"
    r"|no longer (?:use|have|run|need|work (?:on|with|for|at)|support|pay for)"
    r"|(?:don't|do not) (?:use|run|have|support|work (?:on|with|for|at))(?=.*\bany ?more\b)"
    r"|(?:moved|migrated|switched) (?:away from|off(?: of)?)|decided (?:to|we) (?:drop"
    r"|abandon|retire|kill|cancel|shut down|stop using|discontinue)|said goodbye to"
    r"|(?:dropped|ended|cancelled) (?:the )?(?:support for|contract with|subscription to))"
)
_TAIL_EN = (
    r"(?=\s*(?:[.,;:!)–—]|$|\s(?:completely|entirely|altogether|for good|now|today"
    r"|yesterday|last|this|and|because|since|as|after|in favou?r|in 20\d\d|on 20\d\d"
    rf"|in {MONTH}|on \d|so|but|any ?more|yet|at the end|with|by|to|for (?:good|ever))\b))"
)
_OBJECTS = (
    re.compile(
        rf"\b{_LEFT}\s+(?:the |our |my |project )*{_NAME_EN}{_THING}{_TAIL_EN}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:we|i|they)(?:['’]ve| have)?\s+{_ADVERB}(?:moved|migrated|switched|changed)"
        rf"(?: over| everything| completely)?\s+from\s+{_NAME_EN}\s+to\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\breplaced\s+(?:the )?{_NAME_EN}{_THING}\s+(?:with|by)\b", re.IGNORECASE
    ),
    re.compile(rf"^(?:drop|retire|abandon|kill)\s+{_NAME_EN}{_TAIL_EN}", re.IGNORECASE),
)
_SUBJECTS = (
    re.compile(
        rf"{_NAME_EN}{_THING}\s+(?:is|was|are|were|has been|have been|got|'s)\s+{_ADVERB}"
        rf"(?:{_STATE})(?!\s+(?:for|until|till|on \w+days?|in the|soon|tomorrow|to"
        r"|with))\b",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_NAME_EN}{_THING}\s+(?:has\s+|have\s+|['’]s\s+)?{_ADVERB}(?:ended|shut down"
        r"|ceased|closed down|folded|went (?:bankrupt|offline|out of business)|no longer"
        r" exists?|is no longer (?:used|a client|a customer|needed|supported|maintained"
        r"|running|in use|our \w+)|(?:isn't|is not|aren't) (?:used|needed|supported"
        r"|maintained|in use) any ?more)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_NAME_EN}{_THING}\s+(?:is|was|has been|got)\s+{_ADVERB}(?:replaced|superseded)"
        r"\s+(?:by|with)\b",
        re.IGNORECASE,
    ),
)
_NAME_ZH = (
    rf"[「“《\"]?(?P<name>{_LATIN}(?: [A-Z][A-Za-z0-9_+#-]*)*"
    r"|[\u3400-\u9fff]{1,8}?(?=[」”》\"]|项目|计划|系统|平台|工程|产品|公众号|小程序))[」”》\"]?"
)
_THING_ZH = (
    r"\s*(?:这个|那个)?(?:项目|计划|系统|平台|工程|产品|服务|公众号|小程序|应用|库"
    r"|数据库)?\s*"
)
_DONE_ZH = (
    r"(?:结束|完结|下线|关停|停掉|停服|关闭|终止|取消|废弃|停用|弃用|砍掉|砍|黄|做完|完成|收尾"
    r"|淘汰|关掉|停产|停运|解散|叫停|停更|放弃|报废)"
)
_ADVERB_ZH = (
    r"(?:已经?|正式|刚刚?|今天|昨天|全部|彻底|完全|都|也|就|上周|上个?月|全面|现在"
    r"|我们|被|给)*"
)
_CHINESE = (
    re.compile(
        rf"(?:不再(?:使用|用|维护|支持|做)|停用|弃用|放弃|砍掉|下线|关停|关掉|关闭|终止|淘汰"
        rf"|卸载|废弃|停掉|抛弃|告别|撤掉|换掉|停止(?:使用|维护|开发)|取消|结束)了?\s*"
        rf"(?:这个|那个|了)?(?:项目)?\s*{_NAME_ZH}(?!\w*的)"
    ),
    re.compile(rf"项目\s*{_NAME_ZH}\s*{_ADVERB_ZH}{_DONE_ZH}"),
    re.compile(rf"{_NAME_ZH}{_THING_ZH}{_ADVERB_ZH}{_DONE_ZH}(?!于|时|前|后|在)"),
    re.compile(
        rf"{_NAME_ZH}{_THING_ZH}{_ADVERB_ZH}(?:不做了|不用了|不再(?:使用|用|维护|支持|做|更新)"
        r"|停了|没了|倒闭|(?:取代|替换|代替)[了掉]?[。,;]?$)"
    ),
    re.compile(
        rf"(?:^|[,。;我们已经]){_ADVERB_ZH}从\s*{_NAME_ZH}\s*(?:全部|整体|完全)?(?:换|迁移?|转|切换?|搬)"
    ),
    re.compile(
        rf"(?:^|[,。;我们已经]){_ADVERB_ZH}[把用]\s*{_NAME_ZH}\s*(?:全部|都)?(?:换成|替换成|替换为|改成)"
    ),
    re.compile(rf"{_NAME_ZH}\s*(?:已经|都|全部)?被\s*[\w.+#-]+\s*(?:取代|替换|代替)"),
)
_UNREAL = re.compile(
    r"\b(?:if|unless|should|could|would|might|may|maybe|perhaps|almost|nearly|not yet"
    r"|never|want(?:s|ed)? to|plan(?:s|ned|ning)? to|going to|will|won't|'ll|consider\w*"
    r"|think(?:ing)? (?:of|about)|until|once|when|before|whether|haven't|hasn't|didn't"
    r"|did not|has not|have not|isn't|is not|wasn't|was not"
    r"|aren't|temporarily|asked|rumou?r\w*)\b"
    r"|\?|？|吗|如果|要是|万一|是否|会不会|可能|也许|打算|准备|计划(?:在|把|要)|想要?|考虑|将|等到?"
    r"|还没|没有|尚未|并未|未(?!来)|不要|别|不能|不会|暂时|临时|之前先|以前|一旦|除非|的时候|听说",
    re.IGNORECASE,
)
_NOT_UNREAL = re.compile(
    r"\b(?:isn't|is not|aren't) (?:used|needed|supported|maintained|in use) any ?more"
    r"|不再|do(?:n't| not) \w+.*any ?more",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。;!\n]")
_ARTICLE = re.compile(r"^(?:the|our|my|their) ", re.IGNORECASE)
_BEFORE_NAME = re.compile(
    r"\b(?:of|with|for|in|on|to|from|by|at|about|than)\s+(?:the\s+)?$", re.IGNORECASE
)


def ended(text: str) -> frozenset[str]:
    """
    Return the names of what *text* declares finished, dropped, abandoned or replaced.

    Names are projects, products, employers and technologies, as they are written. What
    is planned, asked or supposed has not ended, and what is given up in one place alone
    ("dropped Redis in the billing service") goes on in others.
    """
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").strip()
    found: set[str] = set()
    for sentence in _SENTENCE.split(_told(plain)):
        if sentence and not _UNREAL.search(_NOT_UNREAL.sub(" ", sentence)):
            found.update(_names(sentence))
    return frozenset(found)


def _told(text: str) -> str:
    """Return what *text* declares; what was asked for stays as it was asked."""
    entry = parse_entry(text)
    return text if entry.frame is Frame.REQUEST else entry.text


def depends_on(text: str, name: str) -> bool:
    """
    Say whether *text* holds only as long as *name* is in use.

    It does where it affirms something with the name. It does not where it denies or
    leaves the name behind, or names another thing that does the same.
    """
    if name.casefold() in {each.casefold() for each in ended(text)}:
        return False
    wanted = _key(name)
    terms = read_meaning(text).terms
    mine = [term for term in terms if term.key == wanted]
    if not mine:
        return _mentions(text, name) and not any(term.sign < 0 for term in terms)
    sort = kind_of(mine[0].key, mine[0].kind)
    others = [
        term
        for term in terms
        if sort
        and term.sign > 0
        and term.key != wanted
        and kind_of(term.key, term.kind) == sort
    ]
    return all(term.sign > 0 for term in mine) and not others


def _mentions(text: str, name: str) -> bool:
    edge = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
    if not name.isascii():
        edge = "", ""
    return (
        re.search(edge[0] + re.escape(name) + edge[1], text, re.IGNORECASE) is not None
    )


def _key(name: str) -> str:
    known = lexicon()
    return (
        known.words.get(phrase_root(name.lower()))
        or known.hanzi.get(name)
        or name.lower()
    )


def _names(sentence: str) -> Iterator[str]:
    for pattern in (*_OBJECTS, *_SUBJECTS):
        for match in pattern.finditer(sentence):
            name = _ARTICLE.sub("", match["name"])
            before = sentence[: match.start("name")]
            partly = pattern in _SUBJECTS and _BEFORE_NAME.search(before)
            if _is_thing(name) and not partly:
                yield name
    for pattern in _CHINESE:
        for match in pattern.finditer(sentence):
            name = _without_glue(match["name"])
            if name and (_is_thing(name) or not name.isascii()):
                yield name


def _is_thing(name: str) -> bool:
    """Say whether *name* is written like one, or is known as a technology."""
    key = _key(name)
    if key in lexicon().kinds:
        return lexicon().kinds[key] not in _NO_THINGS
    if key in lexicon().concepts:
        return False
    first = name.lower().split(maxsplit=1)[0]
    glue = lexicon().glue
    is_glue = first in glue.empty or first in glue.scope or first in glue.weak
    return not is_glue and any(letter.isupper() or letter in "-_." for letter in name)


def _without_glue(name: str) -> str:
    return re.sub(
        r"^(?:我们|公司|团队|整个|今天|昨天|这个|那个|现在|已经|的|了|把|将)+", "", name
    )
