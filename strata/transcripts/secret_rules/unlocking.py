"""The digits that open a lock or end an alarm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.mentions import Clues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

CLUES_TO_LOCKS = Clues(
    *("锁", "柜", "车库", "保险箱", "警报", "报警", "解开", "支付宝", "取款"),
    *("取钱", "撤防", "开机", "平板", "指纹", "门"),
    *("phone", "door", "lock", "building", "safe", "gate", "opens", "garage"),
    *("alarm", "keypad", "shed", "get in", "gets you in", "let in", "suitcase"),
    *("login", "briefcase", "log in", "logged in", "logs in", "logged into", "sim"),
    *("tablet", "ipad", "voicemail", "punch", "key in", "keyed in"),
)
_CLUES_TO_TURNS = Clues("left", "right", "左", "右")
_LOCK = re.compile(
    r"\b(?:(?:pad|un|bike|time)?lock(?:s|ed|er|ers|box)?|safe|alarm|doors?|gate|garage"
    r"|shed|keypad|building|(?:gets?|lets?) (?:you |us |me )?in|log(?:s|ged)? ?(?:in|on)"
    r"|logged into|sim|phone|voicemail|tablet|ipad|suitcase|briefcase|opens?"
    r"|punch(?:es)?|key(?:s|ed)? in)\b"
    r"|(?<![连开])锁|(?<![部专热入澳厦出上])门(?![口牌票店户诊派])|车库|保险[箱柜]|柜|警报|报警|解开"
    r"|支付宝|取[款钱]|开机|平板|指纹|撤防"
)
# What opens with digits, and is called nothing else in digits.
_SURE_LOCK = re.compile(
    r"\b(?:(?:pad)?lock|keypad|unlock(?:s|ed|ing)?|locker|lockbox|suitcase|briefcase"
    r"|alarm (?:on|off)|(?:sim|it) (?:card )?(?:asks|wants))\b"
    r"|(?<![连开])锁|门禁|保险[箱柜]|警报|指纹|[撤布]防|[物存衣递]柜|sim卡?"
)
# Digits that are written like this are for a lock, if there is one.
_FRAMED = re.compile(r"[*#]?\d{3,8}[*#]{1,2}|\*\d{3,8}|\d(?:-\d){3,7}")
_KEYED = re.compile(
    r"(?:\b(?:key(?:s|ed|ing)? in|punch(?:es|ed|ing)?(?: in)?|tap(?:s|ped)?(?: in)?"
    r"|typ(?:e|es|ed|ing)(?: in)?|enter(?:s|ed|ing)?|dial(?:s|ed)?|put(?:s|ting)? in|hit"
    r"|press(?:es)?(?: [a-z])?|turn(?:s|ed)?(?: it)?(?: to)?|takes|wants|star|hash|pound"
    r"|(?:gets?|lets?) (?:\w+ )?in (?:with|by|using)|(?:(?:dis)?arms?|on|off)(?: it)? with"
    r"|(?:open|unlock)(?:s|ed)? (?:it )?(?:with|by|using|to|on|at)|digits:?"
    r"|log(?:s|ged)? ?(?:in|on|into)[^.\d]{0,24} (?:with|using))"
    r"(?:,? (?:in|it|then|the|code|digits|number|star|hash))*,?"
    r"|[按输敲填拨转](?:入|到|上|的?是|的那?[几三四五六]位是)?[：:]?)\s{0,2}\Z"
)
_IS = re.compile(
    r"(?:\b(?:is|it's|are|was|with|using|use|try"
    r"|(?:set|changed) (?:(?:it|the|my|our) )?(?:\w+ )?to)(?: now| still| just)?:?"
    r"|(?:设[的成为]?是?|就?是|改成|换成|用的?是?)了?[：:]?|(?:锁|锁屏|开机)[：:]?)\s{0,2}\Z"
)
_THEN = (
    r"\s*(?:\Z|[.,;:!?)\n—–，。；！？、”\"]|(?:and|to|then|or|after|before|if|when|followed"
    r"|same|again|please|as|this|today|now|but|because|until|every|always|from|on|at|in)\b"
    r"|[才就再然后解开进关能可吧啊的了呀])"
)
_OPENS = (
    r"[\"'”]?\s*(?:works\b|(?:un)?locks\b|opens\b|(?:gets?|lets?) (?:you|me|us)\b"
    r"|and (?:then )?(?:the )?(?:star|hash|pound)\b|[，,]?(?:星号|井号|这[三四五六]位)"
    r"|就?能?[开进解][锁门柜去了]?(?=\s|[，。,.；！!]|\Z))"
)
_CODE = re.compile(
    r"[*#0-9](?<![\w.,:/#*€$¥£+-].)"
    r"(?:[0-9]{2,8}[*#]{0,2}|[0-9]?(?:-[0-9]{1,2}){2}|(?:-[0-9]){3,7})"
    r"(?![\w/:%€$£¥-]|[.,][0-9])"
    rf"(?:(?=(?P<opens>{_OPENS}))|(?=(?P<then>{_THEN}))"
    r"|(?<=[*#])|(?<=[0-9]-[0-9]-[0-9]-[0-9]))"
)
# Where a code may begin, with 0 for all digits.
_FORM = re.compile(rb"0(?<!0.)(?:00|0?-0)")
# The last word, or the last Chinese character, of all that may lead to such digits.
_LEADS = frozenset(
    """
    in punch punches punched tap taps tapped type types typed typing enter enters entered
    entering dial dials dialed hit press presses turn turns turned to takes wants star hash
    pound with by using on at digits then the it code number is it's are was use try now
    still just
    """.split()  # noqa: SIM905 - a list of words is read as words
)
_LEADS_IN_CHINESE = frozenset("按输敲填拨转入到上是位设的成为改换用了锁屏机")
_NUMBERED = re.compile(r"[号楼室房路班层]\w?[是为]?\s?\Z")
_TIME = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_CLOCK = re.compile(r"\balarm|闹[钟铃]|开门")
_AT = re.compile(r"\b(?:at|by|from|until)\s\Z")
_TURNS = re.compile(
    r"\d{1,2}(?:[ ,，]{0,2}(?:(?:to|then|and|the|再|往|向|转|到) ?){0,3}"
    r"(?:left|right|左|右)[边转]?[^\d\n]{0,10}\d{1,2}){1,3}(?!\d)"
)
_TURNED = re.compile(r"\b(?:safe|lock|padlock|dial|combination)\b|保险[箱柜]|锁|转盘")
_SENTENCE_END = re.compile(r"(?:[.!?](?=\s)|[。！？\n])\s*")
_BEFORE, _AFTER, _LEAD = 110, 60, 48
_SHORT = 3


def unlocking(view: View) -> Iterator[Secret]:
    """Yield the codes in *view*, and the turns of a dial, that open something."""
    if _FORM.search(view.signs) and CLUES_TO_LOCKS.are_in(view):
        yield from keyed_in(view.lowered, view.signs)
    for line in _CLUES_TO_TURNS.lines(view):
        yield from turned_in(view.lowered, *line)


def turned_in(lowered: str, start: int, end: int) -> Iterator[Secret]:
    """Yield how to turn a dial that opens something, from *start* to *end*."""
    for turns in _TURNS.finditer(lowered, start, end):
        if _TURNED.search(_sentence(lowered, *turns.span())):
            yield Secret(*turns.span(), "secret:passcode")


def keyed_in(lowered: str, signs: bytes) -> Iterator[Secret]:
    """Yield the digits that open something in a text *lowered*, which is in *signs* too."""
    for form in _FORM.finditer(signs):
        start = form.start()
        start -= lowered[start - 1 : start] in {"*", "#"}
        code = _CODE.match(lowered, start)
        if not code:
            continue
        sure = code["opens"] is not None or _FRAMED.fullmatch(code[0]) is not None
        if (sure or _is_led_to(lowered, start)) and _opens(lowered, code):
            yield Secret(*code.span(), "secret:passcode")


def _is_led_to(lowered: str, start: int) -> bool:
    """Take a glance at what stands before *start*: most numbers are told by that alone."""
    last = lowered[max(0, start - _LEAD) : start].rstrip(" ,:：")
    if not last[-1:].isascii():
        return last[-1:] in _LEADS_IN_CHINESE
    word = last.rpartition(" ")[2].rpartition("\n")[2].lstrip("\"'(*>")
    return word in _LEADS or len(word) == 1


def _opens(lowered: str, code: re.Match[str]) -> bool:
    """Say whether the digits of *code* in *lowered* are said to open a lock."""
    digits, before = code[0], lowered[max(0, code.start() - _LEAD) : code.start()]
    sentence = _sentence(lowered, *code.span())
    if not _LOCK.search(sentence) or _NUMBERED.search(before):
        return False
    if _FRAMED.fullmatch(digits):
        return True
    keyed = _KEYED.search(before) is not None
    if _TIME.fullmatch(digits) and _is_time(before, sentence, keyed=keyed):
        return False
    sure = _SURE_LOCK.search(sentence) is not None
    if len(digits) == _SHORT and not sure:
        return False
    said = _IS.search(before) is not None and (sure or "-" in digits)
    return code["opens"] is not None or keyed or said


def _is_time(before: str, sentence: str, *, keyed: bool) -> bool:
    if _AT.search(before):
        return True
    return not keyed and _CLOCK.search(sentence) is not None


def _sentence(lowered: str, start: int, end: int) -> str:
    """Return the sentence around *start* to *end*, and the one in front of it."""
    before = lowered[max(0, start - _BEFORE) : start]
    after = _SENTENCE_END.split(lowered[end : end + _AFTER], maxsplit=1)[0]
    ends = [match.end() for match in _SENTENCE_END.finditer(before)]
    return f"{before[ends[-2] :] if len(ends) > 1 else before} {after}"
