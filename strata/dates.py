"""Dates that people write, in English and Chinese, made absolute."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Grain = Literal["day", "week", "weekend", "month", "year"]
Preference = Literal["past", "future"]
Span = tuple[date, date, Grain]


@dataclass(frozen=True, slots=True)
class DateSpan:
    """
    The words *start* to *end* of a text mean the days *first* to *last*, both included.

    *written* is true where the words are a calendar date and not relative to the day
    on which they were said.
    """

    start: int
    end: int
    first: date
    last: date
    grain: Grain
    written: bool = False


def find_dates(text: str, *, anchor: datetime, prefer: Preference) -> list[DateSpan]:
    """
    Return the dates that *text* names, in order, without overlaps.

    *anchor* is the local time at which the words were said; *prefer* decides where a bare
    weekday or a day without a year could lie on either side of it. Weeks start on Monday.
    What cannot be resolved surely ("the 29th", a weekday said on that weekday) is left out.
    """
    if not _HINT.search(text):
        return []
    spans: list[DateSpan] = []
    taken = bytearray(len(text))
    for span in _candidates(text, anchor.date(), prefer):
        if not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            spans.append(span)
    return sorted((span for span in spans if span.first != date.min), key=_start)


def _start(span: DateSpan) -> int:
    return span.start


def _candidates(text: str, today: date, prefer: Preference) -> Iterator[DateSpan]:
    for pattern, resolve, written in _RULES:
        for match in pattern.finditer(text):
            try:
                first, last, grain = resolve(match, today, prefer) or _UNSURE
            except (ValueError, OverflowError):
                first, last, grain = _UNSURE
            yield DateSpan(*match.span(), first, last, grain, written)


# Words that look like a date but cannot be resolved still take their place, so that no
# looser rule reads a part of them.
_UNSURE: Span = (date.min, date.min, "day")

_MONTH_NAMES = (
    "jan(?:uary)?|feb(?:ruary)?|(?-i:March|Mar)|apr(?:il)?|(?-i:May)|june?|july?|"
    "aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH_KEYS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DAY_NAMES = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    "(?-i:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun)"
)
_DAY_KEYS = "mon tue wed thu fri sat sun".split()
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_PART = (
    r"(?:\s+(?:early\s+|late\s+)?(?:morning|afternoon|evening|night|noon|lunchtime))?"
)
_ZH_PART = r"(?:凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|一早|晚|早)?"
_ZH_DIGITS = "零一二三四五六七八九"
_ZH_NUMBER = (
    r"(?:\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
)
_AMOUNT = re.compile(
    rf"\b(?:\d+|once|twice|times|{'|'.join(list(_COUNTS)[2:])}|\w{{3,}}ed)\s+(?:\w+\s+){{0,2}}$", re.IGNORECASE
)
_NUMBERED = re.compile(r",?\s+(?:the\s+)?(\d\d?)(?:st|nd|rd|th)\b")
_HINT = re.compile(
    r"\d|day|week|month|year|night|tonight|morrow|ago|\bin\s|\bM[ao]n\b|\b(?:Tue|Wed|Thu|Fri|Sat|Sun)|"
    r"\b(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[天日月年周晚早]|星期|礼拜|[今明昨]儿"
)


def _single(day: date) -> Span:
    return day, day, "day"


def _week(day: date) -> Span:
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6), "week"


def _weekend(day: date) -> Span:
    saturday = day - timedelta(days=day.weekday() - 5)
    return saturday, saturday + timedelta(days=1), "weekend"


def _month(year: int, month: int) -> Span:
    years, index = divmod(year * 12 + month - 1, 12)
    first = date(years, index + 1, 1)
    return first, first.replace(day=monthrange(years, index + 1)[1]), "month"


def _month_end(year: int, month: int) -> Span:
    return _single(_month(year, month)[1])


def _year(year: int) -> Span:
    return date(year, 1, 1), date(year, 12, 31), "year"


def _number(word: str) -> int:
    word = word.strip().lower()
    if word.isdigit():
        return int(word)
    if word in _COUNTS:
        return _COUNTS[word]
    tens, ten, ones = word.replace("两", "二").rpartition("十")
    head = _ZH_DIGITS.index(tens) if tens else 1
    return (head * 10 if ten else 0) + (_ZH_DIGITS.index(ones) if ones else 0)


def _month_number(word: str) -> int:
    return _MONTH_KEYS.index(word[:3].lower()) + 1


def _nearest_year(month: int, day: int, today: date, prefer: Preference) -> int:
    """Return the year in which that day lies from 3 months behind to 9 ahead."""
    behind = 92 if prefer == "future" else 273
    for year in (today.year - 1, today.year, today.year + 1):
        days = min(day, monthrange(year, month)[1])
        if -behind <= (date(year, month, days) - today).days <= 365 - behind:
            return year
    return today.year


def _calendar_day(
    year: str | None,
    month: int,
    days: tuple[str, str | None],
    today: date,
    prefer: Preference,
) -> Span:
    first = _number(days[0])
    which = int(year) if year else _nearest_year(month, first, today, prefer)
    begin = date(which, month, first)
    last = begin.replace(day=_number(days[1])) if days[1] else begin
    return begin, max(begin, last), "day"


def _english_day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    found = match.groupdict()
    month = _month_number(found["month"])
    days = (found["day"], found.get("last"))
    return _calendar_day(found["year"], month, days, today, prefer)


def _chinese_day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    year, month, day, last = match.group("year", "month", "day", "last")
    if year in ("今", "明", "去"):
        year = str(today.year + "去今明".index(year) - 1)
    return _calendar_day(year, _number(month), (day, last), today, prefer)


def _iso_day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del today, prefer
    return _single(date(*(int(part) for part in match.groups())))


def _named_month(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    side, word, year = match.group("side", "month", "year")
    if word[:3].lower() in ("may", "mar") and side.lower() in ("this", "this "):
        return None
    month = _month_number(word)
    which = int(year) if year else _nearest_year(month, 15, today, prefer)
    ends = side.lower().startswith("end")
    return _month_end(which, month) if ends else _month(which, month)


def _chinese_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    year, word, end = match.group("year", "month", "end")
    month = _number(word)
    which = int(year) if year else _nearest_year(month, 15, today, prefer)
    return _month_end(which, month) if end else _month(which, month)


def _days_away(days: int) -> Callable[[re.Match[str], date, Preference], Span]:
    return lambda _match, today, _prefer: _single(today + timedelta(days=days))


_SIDES = {
    "next": 1, "coming": 1, "following": 1, "last": -1, "past": -1, "previous": -1,
    "this": 0, "the": 0, "下下": 2, "下": 1, "上上": -2, "上": -1, "这": 0, "本": 0,
    "今": 0, "明": 1, "后": 2, "去": -1, "前": -2, "": 0,
}  # fmt: skip


def _weekday(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    side, word, later = match.group("side", "day", "later")
    index = _DAY_KEYS.index(word[:3].lower())
    if later:
        return _single(_coming(index, today) + timedelta(days=7))
    if side is None:
        span = _bare_weekday(index, today, prefer)
        numbered = _NUMBERED.match(match.string, match.end())
        return span if not numbered or span and span[0].day == int(numbered[1]) else None
    if side.lower() in ("coming", "following"):
        return _single(_coming(index, today))
    if side.lower() in ("last", "past", "previous"):
        return _single(_coming(index, today) - timedelta(days=7))
    return _day_of_week(index, today, _SIDES[side.lower()])


def _coming(index: int, today: date) -> date:
    """Return the next such weekday, today included."""
    return today + timedelta(days=(index - today.weekday()) % 7)


def _bare_weekday(index: int, today: date, prefer: Preference) -> Span | None:
    if index == today.weekday():
        return None
    coming = _coming(index, today)
    return _single(coming if prefer == "future" else coming - timedelta(days=7))


def _day_of_week(index: int, today: date, weeks: int) -> Span:
    return _single(today + timedelta(days=index - today.weekday() + 7 * weeks))


def _chinese_weekday(
    match: re.Match[str], today: date, prefer: Preference
) -> Span | None:
    side, word = match.group("side", "day")
    if word == "末":
        return _weekend(today + timedelta(days=7 * _SIDES[side or ""]))
    index = 6 if word in "日天" else "一二三四五六".index(word)
    if side is None:
        return _bare_weekday(index, today, prefer)
    return _day_of_week(index, today, _SIDES[side])


def _period(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    del prefer
    side, unit = match.group("side", "unit")
    step, kind = _SIDES[side.lower()], unit.lower()
    if kind in ("week", "周", "星期", "礼拜"):
        return _week(today + timedelta(days=7 * step))
    if kind == "weekend":
        return _weekend(today + timedelta(days=7 * step))
    if kind in ("month", "月"):
        return _month(today.year, today.month + step)
    return _year(today.year + step)


def _period_end(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    first, last, grain = _period(match, today, prefer) or _UNSURE
    return _single(last if grain in ("month", "year") else first + timedelta(days=6))


def _in_days(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    """Leave out "five songs in four days": there the words tell how long it takes."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    return None if _AMOUNT.search(before) else _distance(match, today, prefer)


def _distance(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    del prefer
    found = match.groupdict()
    count, unit = _number(found["count"]), found["unit"].lower()
    steps = -count if found.get("ago") in ("ago", "前") else count
    if unit.startswith(("day", "天", "日")):
        return _single(today + timedelta(days=steps))
    if unit.startswith(("week", "周", "星期", "礼拜")):
        return _week(today + timedelta(days=7 * steps))
    if unit.startswith(("month", "月")):
        return _month(today.year, today.month + steps)
    return _year(today.year + steps)


def _rule(
    pattern: str,
    resolve: Callable[[re.Match[str], date, Preference], Span | None],
    *,
    written: bool = False,
) -> tuple[
    re.Pattern[str], Callable[[re.Match[str], date, Preference], Span | None], bool
]:
    return re.compile(pattern, re.IGNORECASE), resolve, written


_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_ZH_UNIT = r"个?(?P<unit>天|周|星期|礼拜|月|年)"
_ZH_WEEK = r"个?(?:周|星期|礼拜)"
_ORDINAL = r"(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+(?P<year>20\d\d))?"
_DAY_FIRST = rf"(?:(?:{_DAY_NAMES}),?\s+)?"
_SIDE = r"(?P<side>next|last|this|coming|following|past|previous)\s+"

_RULES = (
    _rule(r"(?<![\d-])(20\d\d)-(\d\d)-(\d\d)(?![\d-])", _iso_day, written=True),
    _rule(r"(?<![\d/])(20\d\d)/(\d\d?)/(\d\d?)(?![\d/])", _iso_day, written=True),
    _rule(
        rf"\b{_DAY_FIRST}(?P<month>{_MONTH_NAMES})\.?\s+(?:the\s+)?(?P<day>\d\d?){_ORDINAL}(?![\d:%])"
        rf"(?:\s?[-–]\s?(?P<last>\d\d?){_ORDINAL}\b)?{_YEAR}{_PART}",
        _english_day,
        written=True,
    ),
    _rule(
        rf"(?<![\d.,:])\b{_DAY_FIRST}(?:the\s+)?(?P<day>\d\d?){_ORDINAL}\s+(?:of\s+)?(?P<month>{_MONTH_NAMES})\b{_YEAR}{_PART}",
        _english_day,
        written=True,
    ),
    _rule(
        r"(?:(?P<year>20\d\d|今|明|去)\s*年\s*)?"
        rf"(?<![\d第])(?P<month>{_ZH_NUMBER})\s*月\s*(?P<day>{_ZH_NUMBER})\s*[日号]"
        rf"(?:\s*[-–到至~]\s*(?P<last>{_ZH_NUMBER})\s*[日号])?{_ZH_PART}",
        _chinese_day,
        written=True,
    ),
    _rule(
        r"(?:(?P<year>20\d\d)\s*年\s*)?"
        rf"(?<![\d第])(?P<month>{_ZH_NUMBER})\s*月(?:份|(?P<end>底|末)|初|中旬)?(?![\d日号])",
        _chinese_month,
        written=True,
    ),
    _rule(
        rf"\b(?P<side>(?:the\s+)?end\s+of|in|by|until|till|since|during|from|for|last|next|this|early|late|mid)[\s-]+"
        rf"(?P<month>{_MONTH_NAMES})\b(?!\s+\d){_YEAR}",
        _named_month,
        written=True,
    ),
    _rule(r"\b(?:the\s+)?day\s+after\s+tomorrow\b" + _PART, _days_away(2)),
    _rule(r"\b(?:the\s+)?day\s+before\s+yesterday\b" + _PART, _days_away(-2)),
    _rule(r"\b(?:today|tonight)\b" + _PART, _days_away(0)),
    _rule(r"\bthis\s+(?:morning|afternoon|evening)\b", _days_away(0)),
    _rule(r"\btomorrow\b" + _PART, _days_away(1)),
    _rule(r"\b(?:yesterday\b" + _PART + r"|last\s+night\b)", _days_away(-1)),
    _rule(
        rf"(?:\b{_SIDE})?\b(?P<day>{_DAY_NAMES})\b{_PART}(?P<later>\s+week\b)?",
        _weekday,
    ),
    _rule(
        r"\b(?:the\s+)?end\s+of\s+(?P<side>the|this|next|last)\s+(?P<unit>month|year)\b",
        _period_end,
    ),
    _rule(r"\b(?P<side>next|last|this)\s+(?P<unit>week|weekend|month|year)\b", _period),
    _rule(rf"\b(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})\s+{_UNIT}\s+(?P<ago>ago)\b", _distance),
    _rule(rf"\bin\s+(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})\s+{_UNIT}\b(?!')", _in_days),
    _rule(rf"\b(?P<count>\d{{1,3}}|{'|'.join(_COUNTS)})\s+{_UNIT}\s+from\s+now\b", _distance),
    _rule(r"大后天" + _ZH_PART, _days_away(3)),
    _rule(r"大前天" + _ZH_PART, _days_away(-3)),
    _rule(r"(?:今天|今日|今儿|今晚|今早)" + _ZH_PART, _days_away(0)),
    _rule(r"(?:明天|明日|明儿|明晚|明早)" + _ZH_PART, _days_away(1)),
    _rule(r"后天" + _ZH_PART, _days_away(2)),
    _rule(r"(?:昨天|昨日|昨儿|昨晚|昨夜)" + _ZH_PART, _days_away(-1)),
    _rule(r"前天" + _ZH_PART, _days_away(-2)),
    _rule(r"每个?(?:周|星期|礼拜)[一二三四五六日天末]?", lambda *_: None),
    _rule(rf"{_ZH_WEEK}[一二三四五六][到至~-]{_ZH_WEEK}?[一二三四五六日天]", lambda *_: None),
    _rule(
        rf"(?P<side>下下|下|上上|上|这|本)?{_ZH_WEEK}(?P<day>[一二三四五六日天末])(?![个次期年]){_ZH_PART}",
        _chinese_weekday,
    ),
    _rule(rf"(?P<count>{_ZH_NUMBER})\s*{_ZH_UNIT}(?:之|以)?(?P<ago>前|后)", _distance),
    _rule(r"(?P<side>下下|下|上上|上|这|本)个?(?P<unit>月)(?:底|末)", _period_end),
    _rule(r"(?<![半一二两三四五六七八九十\d个])(?P<side>)(?P<unit>月)(?:底|末)", _period_end),
    _rule(r"(?P<side>今|明|去|)(?P<unit>年)(?:底|末)", _period_end),
    _rule(r"(?P<side>下下|下|上上|上|这|本)个?(?P<unit>周|星期|礼拜|月)", _period),
    _rule(r"(?P<side>今|明|后|去|前)(?P<unit>年)", _period),
)  # fmt: skip
