"""Numbers, versions, times and dates in one spelling, so that they can be compared."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from strata.language.calendar import (
    COUNTS,
    DIGITS_CHINESE,
    MONTH_OR_SHORT,
    NUMBER_CHINESE,
    PART_CHINESE,
    UNITS,
    calendar,
    hanzi_number,
    month_number,
)
from strata.patterns import pattern

_COUNTED = tuple(COUNTS)[1:]
_UNIT = "|".join(
    re.escape(form) + (r"(?![a-z])" if form[0].isalpha() and form.isascii() else "")
    for form in sorted(UNITS, key=len, reverse=True)
)
_MULTIPLES = {"k": 1000, "千": 1000, "万": 10_000, "m": 1_000_000, "亿": 100_000_000}
_DAY_PART = rf"(?P<{{}}>{PART_CHINESE})?"

VALUE = pattern(
    r"(?P<iso>(?<![\d-])20\d\d-\d\d-\d\d(?![\d-]))"
    r"|(?P<zhdate>(?:(?P<zy>20\d\d)年)?(?<!\d)(?P<zm>1[0-2]|0?[1-9])月"
    r"(?P<zd>[12]\d|3[01]|0?[1-9])[日号]?)"
    rf"|(?P<dayfirst>(?<![A-Za-z0-9_])(?P<d1>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?:\s+of)?\s+"
    rf"(?P<m1>{MONTH_OR_SHORT})\b\.?(?:,?\s+(?P<y1>20\d\d))?)"
    rf"|(?P<monthfirst>(?<![A-Za-z0-9_])(?P<m2>{MONTH_OR_SHORT})\.?\s+(?:the\s+)?(?P<d2>[12]\d|3[01]|0?[1-9])"
    r"(?:st|nd|rd|th)?\b(?![:%])(?:,?\s+(?P<y2>20\d\d))?)"
    rf"|(?P<clock>{_DAY_PART.format('p1')}(?<![\d:.])(?P<h1>[01]?\d|2[0-4])[:.]"
    r"(?P<min1>[0-5]\d)(?!:?\d|\.\d)(?:\s?(?P<ampm1>[ap])\.?m\b\.?)?(?<!\d\.\d\d)"
    r"|(?<![A-Za-z0-9_])(?P<h4>1?\d)\.(?P<min4>[0-5]\d)\s?(?P<ampm4>[ap])\.?m\b)"
    r"|(?P<hour>(?<![A-Za-z0-9_])(?P<h2>1[0-2]|0?[1-9])\s?(?P<ampm2>[ap])\.?m\b)"
    rf"|(?P<zhtime>{_DAY_PART.format('p3')}(?<![\d.])"
    rf"(?P<h3>[01]?\d|2[0-4]|{NUMBER_CHINESE})点(?!\d*个)"
    rf"(?:(?P<half>半)|(?P<min3>[0-5]?\d|{NUMBER_CHINESE})分?|整|钟)?)"
    r"|(?P<number>(?<![A-Za-z0-9_])(?:(?<![A-Za-z0-9)])-)?[$€£¥]?v?(?:\d{3,}(?:-\d{2,})+|\d+(?:[.,]\d+)*)(?:(?P<multiple>[kKmM千万亿])"
    rf"(?![A-Za-z]))?(?:st|nd|rd|th)?(?:[\s-]?(?P<unit>{_UNIT}))?)"
    rf"|(?P<hanzinumber>(?<![周期拜第统唯{DIGITS_CHINESE}十]){NUMBER_CHINESE}(?P<hanziunit>{_UNIT}))"
    rf"|(?P<wordnumber>(?<![A-Za-z0-9_])(?P<counted>{'|'.join(_COUNTED)})[\s-](?P<wordunit>{_UNIT}))",
    re.IGNORECASE,
)


def unit_of(word: str) -> str | None:
    """Return the one spelling of the unit *word*, as minute for 分钟; None for others."""
    return UNITS.get(word)


def count_of(word: str) -> str | None:
    """Return the value that a number written as a word is, or None."""
    return f"count:{COUNTS[word]}" if word in _COUNTED else None


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
    number = int(month) if month.isdigit() else month_number(month)
    return f"date:{year or '----'}-{number:02}-{int(day):02}"


def _time(hour: str, minutes: str, part: str | None) -> str:
    number = hanzi_number(hour)
    afternoon = part and part.lower() in {"p", *calendar("zh").later}
    if afternoon and number < 12:  # noqa: PLR2004 - hours of half a day
        number += 12
    return f"time:{number:02}:{hanzi_number(minutes):02}"


def _quantity(match: re.Match[str]) -> str | None:
    if match["hanzinumber"]:
        words, unit = match["hanzinumber"].removesuffix(match["hanziunit"]), "hanziunit"
        return f"number:{hanzi_number(words)}:{UNITS[match[unit].lower()]}"
    if match["wordnumber"]:
        number = COUNTS[match["counted"].lower()]
        return f"number:{number}:{UNITS[match['wordunit'].lower()]}"
    written = match["number"]
    unit = UNITS[match["unit"].lower()] if match["unit"] else ""
    sign = written.lstrip("-")[0]
    if sign in "$€£¥":
        unit = UNITS[sign]
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
