"""Whether a sentence holds for long, and as what: a rule, a decision, a person, a place."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from strata.distillation.cues.kinds import Cue
from strata.distillation.meaning.turns import STRONG_TURN
from strata.distillation.text.vocabulary import content_words
from strata.models import Tag

if TYPE_CHECKING:
    from collections.abc import Callable


class Kind(StrEnum):
    """Why a statement is worth a line, the firmest first."""

    SELF = "self"  # I'm vegetarian; 我乳糖不耐
    RULE = "rule"  # from now on, never, please remember; 以后一律
    CONTACT = "contact"  # ask X for Y, X only reads tickets; 发票找吴姐
    DECISION = "decision"  # DuckDB, because nobody runs a server; 定了用
    FACT = "fact"  # 10 Hz, not 1 Hz; the checkout is at ~/x
    HABIT = "habit"  # we write in Typst; 图纸放二楼


_DAY = re.compile(r"[(\uff08]20\d\d-\d\d-\d\d")
_SINCE = re.compile(
    r"\b(?:since|as of|from|starting|effective)\b|从|起|自", re.IGNORECASE
)
_NOW = re.compile(
    r"\b(?:this (?:once|time|one|run|batch|week|weekend|month|morning|afternoon|evening"
    r"|trip|draft|round|comparison|sprint)|today|tonight|tomorrow|just now|right now"
    r"|next (?:week|month)|for now|for the moment|at the moment|for the time being"
    r"|temporarily"
    r"|on my way|meanwhile|these days)\b"
    r"|这(?:次(?!不变|定)|回(?!不变|定)|趟|批|一?次|阵子?|几天|两天|段时间|周|个月|星期)|今[天晚早](?!的)"
    r"|明[天晚早](?!的)|后天(?!的)"
    r"|本周|本月|下周|先这样|暂时|临时|目前先|眼下|先(?:用|拿"
    r"|凑合)[^,\uff0c。]{0,12}(?:顶|凑合|对付|将就|过渡)",
    re.IGNORECASE,
)
_LATELY = re.compile(r"\bjust now\b|刚刚|刚才", re.IGNORECASE)
# One piece of what is being made, or one day of the year.
_PIECE = re.compile(
    r"\b(?:figure|fig\.|slide|page|line|row|table|chapter|paragraph|step|item) \d+\b"
    r"|\bthe (?:first|second|third|fourth|fifth|next|last|new) (?:paragraph|slide"
    r"|page|chapter"
    r"|picture|photo|line|draft|version|section|sentence)\b"
    r"|第[一二三四五六七八九十\d]+ ?(?:段|页|张|句|行|章|节|集|幅|稿|版)(?!以)",
    re.IGNORECASE,
)
_FEAST = re.compile(
    r"教师节|中秋|国庆|春节|元旦|端午|圣诞|情人节|双十一|双十二|母亲节|父亲节"
    r"|儿童节|过年"
    r"|\b(?:christmas|easter|new year's|halloween|mother's day|father's day"
    r"|black friday)\b",
    re.IGNORECASE,
)
# Said of all cases, and not of the one at hand: "only", "the whole" are not enough.
_EVERY = re.compile(
    # "The map is all grey" speaks of no more than one.
    r"\b(?:(?<!\bis )(?<!\bare )(?<!'s )(?<!'re )"
    r"all(?! \w+ (?:left|remaining))|every\w*|each|any\w*|always|never"
    r"|whatever|whenever|throughout"
    r"|everywhere|exclusively|across|nothing (?:else|but|under|over|above|below|\w+er)"
    r"|(?:whole|entire) (?!day|time|morning|night|thing|point|lot|week|month|year)\w+"
    r")\b(?<!after all)|所有|全部|任何|每|一律|凡"
    r"|统一|都|各种|不管|无论|只",
    re.IGNORECASE,
)
# People who are called by what they are, and roles.
KIN = re.compile(
    r"\b(?:mum|mom|mother|dad|father|wife|husband|sister|brother|gran\w*|aunt|uncle"
    r"|landlady|landlord|neighbou?r|caretaker|nanny|son|daughter|kids?|partner|boss"
    r"|supervisor)\b|外婆|外公|奶奶|爷爷|妈妈?|爸爸?"
    r"|老公|老婆|丈夫|妻子|婆婆|岳[母父]|姐姐|妹妹|哥哥|弟弟|舅舅|姑姑|叔叔|阿姨|房东"
    r"|儿子|女儿|闺女|媳妇|姥[姥爷]|老伴|导师|物业|保姆|组长|主任|经理|班主任|会计|司机",
    re.IGNORECASE,
)
# A name that no list knows, where a name must stand: "Rosa can't …", 供货的是娜塔莎.
_WHO = re.compile(
    r"^[A-Z][a-z]+(?: [A-Z][a-z]+)?(?:'s| is| can't| cannot| has| does| only| doesn't)\b"
    r"|^[\u4e00-\u9fff]{2,4}(?:(?:从来?|一向|平时)?不[吃喝沾]|[吃喝]不[了惯]|对[\u4e00-\u9fff]{1,4}过敏)"
    r"|姓(?![名氏什啥])[\u4e00-\u9fff](?=[,\uff0c。]|$)|的(?:那个)?是(?![我你他她这那])[\u4e00-\u9fff]{2,5}(?=[,\uff0c。]|$)"
)
# How somebody is reached, or what goes to whom.
_REACHED = re.compile(
    r"\b(?:anything|everything|whatever|all \w+)\b[^.;]{2,80}\b(?:goes|go) to [A-Z]"
    r"|\b(?:ext(?:ension)?\.?|extension number|direct line) \d{2,}"
    r"|(?:短号|分机|座机|电话|内线)[^,\uff0c。]{0,4}\d{3,}|(?:打"
    r"|拨)[^,\uff0c。]{0,10}(?:短号|座机|分机)"
    r"|(?:从来?不看|不看|不回|不接|只看|只回|只接|只认)[^,\uff0c。]{0,4}(?:微信"
    r"|邮件|邮箱|电话|短信|语音|消息)"
)
# What is so, and stays so: a pinned version, a class that is mine.
_PROPERTY = re.compile(
    r"\b(?:stays?|pinned|locked|frozen|leave it|keep it) (?:at|on|to) (?:v?\d"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|(?:a|one) hundred) (?:met|lit|feet|inch|mile|kilo"
    r"|centi|milli|gram|pounds|euros|dollars|quid|per ?cent|degrees))"
    r"|\bleave \w+ (?:be|alone|as it is)\b"
    # What it runs on, and that nothing newer will do.
    r"|\b(?:runs?|stays?|is|keep|leave)\b[\w ]{0,24}\d[^.;]{0,50}\b(?:won't|doesn't"
    r"|does not|can't|cannot|chokes?|breaks?|fails?|crash\w*)\b"
    # Where one's own people are, and what one's own things measure.
    r"|^(?:my|our) [\w' -]{2,30} (?:lives|goes to|works|studies) |^(?:my|our)"
    r" [\w' -]{2,30} is [\d.]+ ?\w+ (?:high|tall|wide|long|deep|heavy|thick)\b"
    r"|我家?[\u4e00-\u9fff]{1,3}在[^,\uff0c。]{1,10}(?:念|读|上学|上班|工作|住)"
    r"|(?:机|车|床|炉|泵|锅|笔|灯|表)只(?:加|用|吃|认|喝|装|配)\s?[\w\u4e00-\u9fff]"
    r"|(?:隔|[\d一两二三四五六七八九十半])\s?(?:个?月|个?小时|个?星期|天|周|年)"
    r"[^,\uff0c。了过]{0,5}[\d一两二三四五六]\s?[次回遍趟][^,\uff0c。了过]{0,2}(?=[,\uff0c。]|$)"
    r"|(?:停|固定|锁|卡)(?:在|死在|用)\s?[A-Za-z ]{0,12}\d+(?:\.\d+)+|我(?:带|教|管"
    r"|负责)的(?:就)?是|我(?:带|教|管|负责)[\u4e00-\u9fff、]{1,10}(?:班|组|队|科)(?=[,\uff0c。]|$)",
    re.IGNORECASE,
)
# What somebody must not get, whoever it is.
_HEALTH = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|c(?:o)?eliac|vegetarian|vegan|diabetic|halal|kosher"
    r"|lactose|gluten)\b|\b(?:can't|cannot|mustn't) (?:eat|drink|have)\b|过敏|不耐|清真"
    r"|回民|吃素|素食|忌口|糖尿病|不能(?:吃|喝)|不[吃喝沾](?!饭|药|东西|了)|[吃喝]不[了惯]",
    re.IGNORECASE,
)
# To be done with one thing, now: "put the invoice on the Amex".
_ONE_PIECE = re.compile(
    r"(?:please |just |now |so )?[a-z]+ (?:me |us )?(?:to |for |at |with )?"
    r"(?:the|this|that|these|those|it|them|a|an|one"
    r"|two|both)\b|(?:这|那)[张单笔份个]",
    re.IGNORECASE,
)
# What somebody is asked for whenever it comes up.
_MATTER = re.compile(
    r"\b(?:about|for|with) (?:all|\w+s\b|[a-z]+ing\b)|\bany\w*\b"
    r"|\b(?:if|when|whenever)\b",
    re.IGNORECASE,
)
_FOR_LIFE = re.compile(
    r"\balive\b|\bi'm breathing\b|\bdead body\b"
    r"|\bas long as i live\b|辈子|further notice|say otherwise",
    re.IGNORECASE,
)
# A deadline that comes back: 每月 3 号前.
_EACH_BY = re.compile(r"每个?(?:周|月|年|季度?|星期|学期)[^,\uff0c。]{0,8}前")
# "Six is the old number": two figures, and nothing measured.
_WAS = re.compile(r"\d[^,\uff0c。]{0,3}那(?:还|才|都)?是")
# "What we sing is in three parts", "she is called X": said of how things are.
CLEFT = re.compile(
    r"我们?[^,\uff0c。]{1,6}的是(?!不)|(?:是)?叫[\u4e00-\u9fff]{2,4}(?=[,\uff0c。]|$)"
)
_CLAUSES = re.compile(r"[,;\uff0c;\uff1b。.]")
_LATIN_IN_CHINESE = re.compile(
    r"[\u4e00-\u9fff][^A-Za-z]{0,3}[A-Za-z]{3,}"
    r"|[A-Za-z]{3,}[^A-Za-z]{0,3}[\u4e00-\u9fff]"
)
_FIRM = frozenset({Cue.STANDING, Cue.MEMO})
_GENERAL = _FIRM | {Cue.SCOPE, Cue.RECURRING, Cue.REQUIRES}
_ORDER = frozenset({Cue.IMPERATIVE, Cue.PROHIBITION, Cue.MANNER, Cue.REQUIRES})
_TALK = frozenset({Cue.MOOD, Cue.LAUGHTER, Cue.REVOKED, Cue.RELAYED})
# Earnest words that may come with a sigh.
EARNEST = _FIRM | {Cue.CORRECTION, Cue.SELF, Cue.GRAVE}
# So many words with a meaning a habit takes to mean anything.
_TELLING = 3
_NAMED = frozenset({Cue.NAME, Cue.IDENTIFIER, Cue.NUMBER})


def is_bound(text: str, cues: frozenset[Cue]) -> bool:
    """Say whether a sentence speaks of one day, one run or a stretch of time."""
    if Cue.ONE_OFF in cues:
        return True
    lasts = cues & _FIRM or _FOR_LIFE.search(text) or _EACH_BY.search(text)
    if Cue.UNTIL in cues and not lasts:
        return True
    if cues & (_FIRM | {Cue.RECURRING}):
        return False
    if cues & {Cue.EVENT, Cue.DEADLINE} and Cue.DECIDED not in cues:
        return True
    if Cue.DECIDED in cues:
        # When it was decided is not when it holds.
        text = _LATELY.sub("", text)
    dated = _DAY.search(text) and not _SINCE.search(text)
    return bool(dated or any(of.search(text) for of in (_PIECE, _FEAST, _NOW)))


def kind_of(cues: frozenset[Cue], tag: Tag | None, text: str) -> Kind | None:
    """Return as what the sentence *text* with these *cues* may hold for long, or None."""
    if Cue.SCOPE in cues and not _EVERY.search(text):
        cues -= {Cue.SCOPE}
    talk = cues & _TALK and not cues & EARNEST
    if talk or (Cue.DANGLING in cues and not cues & (_FIRM | {Cue.GRAVE})):
        return None
    return next((kind for kind, holds in _KINDS if holds(cues, tag, text)), None)


def _is_self(cues: frozenset[Cue], tag: Tag | None, text: str) -> bool:
    if Cue.SELF not in cues:
        return False
    return tag is Tag.PREFERENCE or (
        _HEALTH.search(text) is not None and _is_of_somebody(text, cues)
    )


def _is_of_somebody(text: str, cues: frozenset[Cue]) -> bool:
    """Say whether a person is named, by a name or by what they are."""
    return Cue.NAME in cues or any(of.search(text) for of in (KIN, _WHO))


def _is_contact(cues: frozenset[Cue], _: Tag | None, text: str) -> bool:
    person = _is_of_somebody(text, cues)
    if _asks_once(text, cues):
        return False
    if Cue.CONTACT in cues and (person or cues & {Cue.REQUIRES, Cue.IDENTIFIER}):
        return True
    return person and _REACHED.search(text) is not None


def _is_decision(cues: frozenset[Cue], tag: Tag | None, text: str) -> bool:
    """Say whether a decision comes with its reason, or is said to hold for good."""
    if tag is not Tag.DECISION:
        return False
    if cues & (_FIRM | {Cue.SCOPE}):
        return True
    if not cues & {Cue.DECIDED, Cue.DECISION}:
        return False
    if cues & {Cue.REASON, Cue.IDENTIFIER} or STRONG_TURN.search(text):
        return True
    explained = len(_CLAUSES.findall(text)) > 1
    return explained and (
        _LATIN_IN_CHINESE.search(text) is not None or Cue.NAME in cues
    )


def _is_rule(cues: frozenset[Cue], tag: Tag | None, text: str) -> bool:
    grave = Cue.GRAVE in cues and cues & (_ORDER | {Cue.SCOPE, Cue.SELF})
    if cues & _FIRM or grave:
        return True
    if Cue.REQUIRES in cues and (cues & {Cue.NAME, Cue.SCOPE} or KIN.search(text)):
        return True
    if Cue.SCOPE in cues and cues & _ORDER and Cue.FAVOUR not in cues:
        return True
    if Cue.RECURRING in cues and cues & (_ORDER | {Cue.TIME, Cue.SELF}):
        return True
    if tag is Tag.FINDING or Cue.CONDITION not in cues:
        return False
    return bool(cues & (_ORDER | {Cue.REQUEST}))


def _is_fact(cues: frozenset[Cue], _: Tag | None, text: str) -> bool:
    named = cues & _NAMED or KIN.search(text) or CLEFT.search(text)
    found = Cue.FINDING in cues and not _WAS.search(text)
    if Cue.CORRECTION in cues and named and not found:
        return not _is_of_one_piece(text, cues)
    return {Cue.LOCATED, Cue.IDENTIFIER} <= cues or _PROPERTY.search(text) is not None


def _is_of_one_piece(text: str, cues: frozenset[Cue]) -> bool:
    """Say whether something is to be done with one thing at hand, and no figure told."""
    if Cue.REQUEST not in cues or cues & (_GENERAL | {Cue.NUMBER, Cue.IDENTIFIER}):
        return False
    return _ONE_PIECE.match(text) is not None


def _asks_once(text: str, cues: frozenset[Cue]) -> bool:
    """Say whether somebody is to be told one thing: "tell the buyer 10:30"."""
    if Cue.REQUEST not in cues or cues & _GENERAL:
        return False
    return _ONE_PIECE.match(text) is not None and not _MATTER.search(text)


def _is_habit(cues: frozenset[Cue], tag: Tag | None, text: str) -> bool:
    habitual = cues & {Cue.HABIT, Cue.MANNER} and Cue.FAVOUR not in cues
    if _is_of_one_piece(text, cues):
        return False
    telling = content_words(text.lower()) >= _TELLING
    return tag is Tag.PREFERENCE and bool(habitual) and telling


_KINDS: tuple[tuple[Kind, Callable[[frozenset[Cue], Tag | None, str], bool]], ...] = (
    (Kind.SELF, _is_self),
    (Kind.CONTACT, _is_contact),
    (Kind.DECISION, _is_decision),
    (Kind.RULE, _is_rule),
    (Kind.FACT, _is_fact),
    (Kind.HABIT, _is_habit),
)
