"""Numbers, versions, times and dates in one spelling, so that they can be compared."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_MONTHS = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DIGITS = "零一二两三四五六七八九十"
_HANZI_NUMBER = f"[{_DIGITS}]+"
_COUNTED = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_UNITS = {
    "ms": "ms milliseconds millisecond 毫秒",
    "second": "s sec secs second seconds 秒 秒钟",
    "minute": "min mins minute minutes 分钟",
    "hour": "h hr hrs hour hours 小时 个小时 钟头 个钟头",
    "day": "d day days 天",
    "week": "week weeks 周 个星期 星期",
    "month": "month months 个月",
    "year": "year years 年",
    "percent": "% percent pct",
    "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "kg": "kg kilos 公斤",
    "km": "km kilometres kilometers 公里", "mile": "miles mile 英里",
    "eur": "€ eur euro euros 欧元 欧", "usd": "$ usd dollars 美元 美金",
    "gbp": "£ gbp pounds 英镑", "cny": "¥ cny rmb yuan 元 块 块钱 人民币",
    "line": "line lines 行", "space": "space spaces 个空格",
    "people": "people 人 个人", "character": "chars characters character 个字符 字符",
    "word": "words word 字 个字", "px": "px", "vcpu": "vcpu", "times": "times 次 遍",
    "copies": "copies 份", "point": "points 个要点", "page": "pages 页",
}  # fmt: skip
_UNIT_OF = {form: unit for unit, forms in _UNITS.items() for form in forms.split()}
_UNIT = "|".join(
    re.escape(form) + (r"(?![a-z])" if form[0].isalpha() and form.isascii() else "")
    for form in sorted(_UNIT_OF, key=len, reverse=True)
)
_MULTIPLES = {"k": 1000, "千": 1000, "万": 10_000, "m": 1_000_000, "亿": 100_000_000}
_DAY_PART = r"(?P<{}>上午|早上|早晨|凌晨|中午|下午|晚上|傍晚|夜里)?"

VALUE = re.compile(
    r"(?P<iso>(?<![\d-])20\d\d-\d\d-\d\d(?![\d-]))"
    r"|(?P<zhdate>(?:(?P<zy>20\d\d)年)?(?<!\d)(?P<zm>1[0-2]|0?[1-9])月"
    r"(?P<zd>[12]\d|3[01]|0?[1-9])[日号]?)"
    rf"|(?P<dayfirst>(?<![A-Za-z0-9_])(?P<d1>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?:\s+of)?\s+"
    rf"(?P<m1>{_MONTH})\b\.?(?:,?\s+(?P<y1>20\d\d))?)"
    rf"|(?P<monthfirst>(?<![A-Za-z0-9_])(?P<m2>{_MONTH})\.?\s+(?:the\s+)?(?P<d2>[12]\d|3[01]|0?[1-9])"
    r"(?:st|nd|rd|th)?\b(?![:%])(?:,?\s+(?P<y2>20\d\d))?)"
    rf"|(?P<clock>{_DAY_PART.format('p1')}(?<![\d:.])(?P<h1>[01]?\d|2[0-4])[:.]"
    r"(?P<min1>[0-5]\d)(?!:?\d|\.\d)(?:\s?(?P<ampm1>[ap])\.?m\b\.?)?(?<!\d\.\d\d)"
    r"|(?<![A-Za-z0-9_])(?P<h4>1?\d)\.(?P<min4>[0-5]\d)\s?(?P<ampm4>[ap])\.?m\b)"
    r"|(?P<hour>(?<![A-Za-z0-9_])(?P<h2>1[0-2]|0?[1-9])\s?(?P<ampm2>[ap])\.?m\b)"
    rf"|(?P<zhtime>{_DAY_PART.format('p3')}(?<![\d.])"
    rf"(?P<h3>[01]?\d|2[0-4]|{_HANZI_NUMBER})点(?!\d*个)"
    rf"(?:(?P<half>半)|(?P<min3>[0-5]?\d|{_HANZI_NUMBER})分?|整|钟)?)"
    r"|(?P<number>(?<![A-Za-z0-9_])(?:(?<![A-Za-z0-9)])-)?[$€£¥]?v?(?:\d{3,}(?:-\d{2,})+|\d+(?:[.,]\d+)*)(?:(?P<multiple>[kKmM千万亿])"
    rf"(?![A-Za-z]))?(?:st|nd|rd|th)?(?:[\s-]?(?P<unit>{_UNIT}))?)"
    rf"|(?P<hanzinumber>(?<![周期拜第统唯{_DIGITS}]){_HANZI_NUMBER}(?P<hanziunit>{_UNIT}))"
    rf"|(?P<wordnumber>(?<![A-Za-z0-9_])(?P<counted>{'|'.join(_COUNTED)})[\s-](?P<wordunit>{_UNIT}))",
    re.IGNORECASE,
)


def unit_of(word: str) -> str | None:
    """Return the one spelling of the unit *word*, as minute for 分钟; None for others."""
    return _UNIT_OF.get(word)


def count_of(word: str) -> str | None:
    """Return the value that a number written as a word is, or None."""
    return f"count:{_COUNTED.index(word) + 2}" if word in _COUNTED else None


def value_of(match: re.Match[str]) -> str | None:
    """
    Return the one spelling of what `VALUE` matched, as ``kind:value``, or None.

    A number without a unit is ``number:30:``, one with it ``number:30:second``.
    """
    if match["iso"]:
        return f"date:{match['iso']}"
    for year, month, day in (
        ("zy", "zm", "zd"),
        ("y1", "m1", "d1"),
        ("y2", "m2", "d2"),
    ):
        if match[day]:
            return _date(match[year], match[month], match[day])
    for hour, minute, part in (
        ("h1", "min1", "ampm1"), ("h4", "min4", "ampm4"), ("h2", None, "ampm2"),
        ("h3", "min3", "p3"),
    ):  # fmt: skip
        if match[hour]:
            minutes = (minute and match[minute]) or ("30" if match["half"] else "0")
            return _time(match[hour], minutes, match[part] or match["p1"])
    return _quantity(match)


def _date(year: str | None, month: str, day: str) -> str:
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    return f"date:{year or '----'}-{number:02}-{int(day):02}"


def _time(hour: str, minutes: str, part: str | None) -> str:
    number = hanzi_number(hour)
    afternoon = part and part.lower() in {"p", "下午", "晚上", "傍晚"}
    if afternoon and number < 12:  # noqa: PLR2004 - hours of half a day
        number += 12
    return f"time:{number:02}:{hanzi_number(minutes):02}"


def _quantity(match: re.Match[str]) -> str | None:
    if match["hanzinumber"]:
        words, unit = match["hanzinumber"].removesuffix(match["hanziunit"]), "hanziunit"
        return f"number:{hanzi_number(words)}:{_UNIT_OF[match[unit].lower()]}"
    if match["wordnumber"]:
        number = _COUNTED.index(match["counted"].lower()) + 2
        return f"number:{number}:{_UNIT_OF[match['wordunit'].lower()]}"
    written = match["number"]
    unit = _UNIT_OF[match["unit"].lower()] if match["unit"] else ""
    sign = written.lstrip("-")[0]
    if sign in "$€£¥":
        unit = _UNIT_OF[sign]
    digits = re.search(r"\d+(?:[.,-]\d+)*", written)
    if digits is None:
        return None
    minus = "-" if written.startswith("-") else ""
    return f"number:{minus}{_plain_number(digits[0], match['multiple'])}:{unit}"


def _plain_number(digits: str, multiple: str | None) -> str:
    digits = re.sub(r",(?=\d{3}(?:\D|$))", "", digits)
    if not multiple:
        return digits
    try:
        return f"{(Decimal(digits) * _MULTIPLES[multiple.lower()]).normalize():f}"
    except InvalidOperation:
        return digits + multiple


def hanzi_number(word: str) -> int:
    """Return the number up to 99 that *word* writes in digits or in hanzi."""
    if word.isdigit():
        return int(word)
    tens, ten, ones = word.replace("两", "二").rpartition("十")
    digits = _DIGITS.replace("两", "")
    head = digits.index(tens[-1]) if tens else 1
    return (head * 10 if ten else 0) + (digits.index(ones[-1]) if ones else 0)
