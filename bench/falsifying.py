"""True statements made false: in one word, where it would do harm."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
HANZI_NUMBER = re.compile(
    r"(?<![\u4e00-\u9fff周期])[一二两三四五六七八九十百千]+(?=[个点次天年月份号条块元度张家锅只台站升斤公班])"
    r"|(?<=[\u4e00-\u9fff])[二三四五六七八九十百千]+(?=[个点天年份度块元升班平里台]|公里)"
)
_WORDS = """
    one two three four five six seven eight nine ten eleven twelve fifteen twenty
    """
WORD_NUMBERS = _WORDS.split()
UNITS = {
    "minutes": "hours", "minute": "hour", "hours": "days", "days": "weeks",
    "weeks": "months", "months": "years", "percent": "kilos", "MB": "GB", "GB": "TB",
    "KB": "MB", "px": "em", "cm": "km", "euros": "dollars", "Hz": "kHz", "mAh": "Ah",
    "像素": "厘米", "分钟": "小时", "小时": "天", "天": "周", "周后": "月后", "年": "个月",
    "公里": "英里", "块": "欧元", "千元": "万元",
}  # fmt: skip
_CALENDAR = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March
    April May June July August September October November December
    """
COUNTED = re.compile(
    r"\d ?$|\b(?:two|three|ten|fifteen) $|[一二两三四五六七八九十百千] ?$"
)
DAYS, MONTHS = _CALENDAR.split()[:7], _CALENDAR.split()[7:]
SPANS = {
    "next week": "this week", "last month": "last week", "next month": "next week",
    "下周": "这周", "这周": "下周", "月底": "月初", "上个月": "这个月", "后年": "明年",
    "前天": "昨天", "明天": "后天", "年底": "年中",
}  # fmt: skip
NAMES = ("Ottilie", "Zebedee", "Quillan")
HANZI_NAMES = ("许文博", "小钱", "贾师傅")
LATIN_NAME = re.compile(r"(?<!^)(?<![.:;!?] )(?<!\w)[A-Z][a-zA-Zé]{2,}\b")
IDENTIFIER = re.compile(r"(?<!\w)(?:~?/[\w./-]+|[a-z]\w*[-_.][\w.-]+\w|[A-Za-z]+\d\w*)")
KNOWN = re.compile(
    r"[小老阿][\u4e00-\u9fffA-Z][a-z]*|[\u4e00-\u9fff](?:姐|总|老师|编)|卢敏之|蒋勤学|外婆家"
)
NOT_NAMES = re.compile(r"[老小][师板人家化样规时号要学区心组]|老是|小时|小学")
OPPOSITES = (
    ("never", "always"), ("always", "never"), ("not", ""), ("don't", "do"),
    ("doesn't", "does"), ("no", "some"), ("without", "with"),
    ("before", "after"), ("after", "before"), ("under", "over"), ("below", "above"),
    ("until", "from"),
)  # fmt: skip
NEGATED = re.compile(r"\b(is|are|was|were|has|have|must|can|will|goes|stays?|uses?)\b")
IMPERATIVE = re.compile(
    r"(?:Use|Keep|Send|Ask|Cap|Move|Sign|Translate|Report|Text|Write|Log|Turn|Cite|Address)\b"
)
# 别的 are others, and nothing is denied.
HANZI_DENIALS = ("不要", "不能", "不许", "不再", "没有", "别(?![的人处])", "不", "没")
HANZI_VERBS = (
    "一律",
    "必须",
    "统一",
    "只",
    "都",
    "用",
    "放",
    "找",
    "发",
    "是",
    "要",
    "保留",
)


def falsify(text: str, told: str) -> Iterator[tuple[str, str]]:
    """
    Give *text* falsified, with the kind of what was changed.

    Nothing that *told*, the whole conversation, says is put in the place of a name or a
    number: that would be another mistake, which `swapped` makes.
    """
    seen = {text}
    for kind, changed in _all(text, told):
        if changed not in seen:
            seen.add(changed)
            yield kind, changed


def _all(text: str, told: str) -> Iterator[tuple[str, str]]:
    yield from (("number", each) for each in _numbers(text, told))
    yield from (("unit", each) for each in _units(text))
    yield from (("date", each) for each in _dates(text))
    yield from (("name", each) for each in _names(text, told))
    yield from (("negation", each) for each in _negations(text))
    yield from (("swap", each) for each in _swaps(text, told))
    yield from (("speaker", each) for each in _speakers(text, told))


def _numbers(text: str, told: str) -> Iterator[str]:
    for found in NUMBER.finditer(text):
        last = found[0][-1]
        for digit in ("7", "3", "1"):
            other = found[0][:-1] + digit
            if digit != last and other not in told:
                yield _put(text, found, other)
                break
    for found in HANZI_NUMBER.finditer(text):
        for other in ("七", "九", "六"):
            if other not in told and other not in found[0]:
                yield _put(text, found, other)
                break
    for word in WORD_NUMBERS:
        for found in re.finditer(rf"\b{word}\b", text, re.IGNORECASE):
            place = WORD_NUMBERS.index(word)
            other = WORD_NUMBERS[(place + 2) % len(WORD_NUMBERS)]
            if other not in told.lower():
                yield _put(text, found, other)


def _units(text: str) -> Iterator[str]:
    for unit, other in UNITS.items():
        end = "" if unit[0] >= "\u3400" else r"\b"
        found = re.search(rf"(?<=\w){unit}{end}|(?<=\w ){unit}{end}", text)
        if found and COUNTED.search(text[: found.start()][-9:]):
            yield _put(text, found, other)


def _dates(text: str) -> Iterator[str]:
    for names in (DAYS, MONTHS):
        for place, name in enumerate(names):
            found = re.search(rf"\b{name}s?\b", text)
            if found:
                yield _put(text, found, names[(place + 3) % len(names)])
    for span, other in SPANS.items():
        found = re.search(span, text)
        if found:
            yield _put(text, found, other)
    for found in re.finditer(
        r"(?<=周)[一二三四五六日]|(?<=星期)[一二三四五六日]", text
    ):
        days = "一二三四五六日"
        yield _put(text, found, days[(days.index(found[0]) + 2) % 7])
    for found in re.finditer(r"\b(\d{1,2})(st|nd|rd|th)\b", text):
        yield _put(text, found, f"{(int(found[1]) + 4) % 28 + 1}th")


def _names(text: str, told: str) -> Iterator[str]:
    other = next(name for name in NAMES if name not in told)
    for found in LATIN_NAME.finditer(text):
        if (
            found[0] not in {*DAYS, *MONTHS, "User"}
            and found[0].rstrip("s") not in DAYS
        ):
            yield _put(text, found, other)
    for found in IDENTIFIER.finditer(text):
        yield _put(text, found, f"{found[0][:2]}zq{found[0][3:]}x")
    for found in KNOWN.finditer(text):
        if not NOT_NAMES.match(found[0]) and found[0] in told:
            yield _put(text, found, next(n for n in HANZI_NAMES if n not in told))


def _negations(text: str) -> Iterator[str]:
    for word, other in OPPOSITES:
        found = re.search(rf"\b{word}\b ?", text, re.IGNORECASE)
        if found:
            yield _put(text, found, f"{other} " if other else "")
    if not re.search(r"\b(?:no|not|never|n't|without)\b|n't", text):
        found = NEGATED.search(text)
        if found:
            yield _put(text, found, f"{found[0]} not")
        if IMPERATIVE.match(text):
            yield f"Never {text[0].lower()}{text[1:]}"
    for denial in HANZI_DENIALS:
        if re.search(denial, text):
            yield re.sub(denial, "", text, count=1)
            return
    for verb in HANZI_VERBS:
        if verb in text:
            yield text.replace(verb, f"不{verb}", 1)
            return


def _swaps(text: str, told: str) -> Iterator[str]:
    """Give *text* with two names, two numbers, or what is and what is not, exchanged."""
    for pattern in (
        re.compile(r"\b[A-Z][a-z]{2,}\b"), NUMBER,
        re.compile(r"(?<![\u4e00-\u9fff])[小老阿][\u4e00-\u9fff]"), IDENTIFIER,
    ):  # fmt: skip
        found = [
            each
            for each in pattern.finditer(text)
            if each[0] not in {"User", *DAYS, *MONTHS}
            and (not each[0].istitle() or re.search(rf"[a-z,] {each[0]}", told))
            and not re.match(r" ?[月日号点时:]", text[each.end() :])
            and not re.search(
                r"(?:月|[A-Z][a-z]+) ?$",
                text[: each.start()] if each[0].isdigit() else "",
            )
        ]
        for one, two in pairwise(found):
            if one[0] != two[0] and "/" not in text[one.start() : two.end()]:
                middle = text[one.end() : two.start()]
                if re.fullmatch(r"(?:,| and| or|, and|、| ?[和跟与及])? ?", middle):
                    continue
                yield f"{text[: one.start()]}{two[0]}{middle}{one[0]}{text[two.end() :]}"
    contrast = re.search(r"(\w[\w ]{1,24}), (?:not|never) (\w[\w ]{1,24})", text)
    if contrast:
        yield _put(
            text,
            contrast,
            contrast[0]
            .replace(contrast[1], "\0")
            .replace(contrast[2], contrast[1])
            .replace("\0", contrast[2]),
        )


def _speakers(text: str, told: str) -> Iterator[str]:
    if text.startswith("User "):
        yield f"Ottilie {text[5:]}"
        yield f"Agent {text[5:]}"
    elif text.startswith("用户"):
        yield f"许文博{text[2:]}"
        yield f"助手{text[2:]}"
    elif re.match(r"[A-Z][a-z]+ [a-z]+s\b", text) and re.search(
        rf"[a-z,] {text.split(' ', 1)[0]}\b", told
    ):
        yield f"User {text.split(' ', 1)[1]}"


def _put(text: str, found: re.Match[str], other: str) -> str:
    return f"{text[: found.start()]}{other}{text[found.end() :]}"
