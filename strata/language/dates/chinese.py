"""Dates as they are written in Chinese."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import (
    DAY_CHINESE,
    DIGITS_CHINESE,
    PART_CHINESE,
    SIDE_CHINESE,
    WEEK_CHINESE,
    calendar,
    hanzi_number,
    weekday_number,
)
from strata.language.dates.spans import (
    bare_weekday,
    day_of_week,
    days_away,
    days_of_month,
    distance,
    named_month,
    numbered_days,
    numbered_weekday,
    period,
    rule,
    single,
    weekend,
)

if TYPE_CHECKING:
    import re
    from datetime import date

    from strata.language.dates.spans import Preference, Span

SIDES = {
    "下下": 2, "下": 1, "上上": -2, "上": -1, "这": 0, "本": 0, "": 0,
    "今": 0, "明": 1, "后": 2, "去": -1, "前": -2,
}  # fmt: skip
UNITS = {
    "天": "day", "日": "day", "月": "month", "年": "year",
    **dict.fromkeys(calendar("zh").weeks, "week"),
}  # fmt: skip


def _day(match: re.Match[str], today: date, prefer: Preference) -> Span:
    year, month, day, last = match.group("year", "month", "day", "last")
    days = (hanzi_number(day), hanzi_number(last) if last else None)
    return numbered_days(year_of(year, today), hanzi_number(month), days, today, prefer)


def year_of(word: str | None, today: date) -> str | None:
    """Return the year that 今年 or 去年 means, or the one that is written."""
    return str(today.year + SIDES[word]) if word and word in SIDES else word


def _month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    year, word, end = match.group("year", "month", "end")
    span = named_month(year_of(year, today), hanzi_number(word), today, prefer)
    return single(span[1]) if end else span


def _weekday(match: re.Match[str], today: date, prefer: Preference) -> Span | None:
    side, word = match.group("side", "day")
    if word == "末":
        return weekend(today + timedelta(days=7 * SIDES[side or ""]))
    index = weekday_number(word)
    if side is None:
        return bare_weekday(index, today, prefer)
    return day_of_week(index, today, SIDES[side])


def _numbered_weekday(
    match: re.Match[str], today: date, prefer: Preference
) -> Span | None:
    index = weekday_number(match["weekday"])
    return numbered_weekday(hanzi_number(match["day"]), index, today, prefer)


def _day_of_month(match: re.Match[str], today: date, prefer: Preference) -> Span:
    first, last = _period(match, today, prefer)[0], match["last"]
    begin = first.replace(day=hanzi_number(match["day"]))
    return begin, max(begin, begin.replace(day=hanzi_number(last or "1"))), "day"


def _days_of_month(
    match: re.Match[str], today: date, prefer: Preference
) -> Span | None:
    first, last = hanzi_number(match["day"]), hanzi_number(match["last"])
    return days_of_month(first, last, today, prefer)


def _period(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    return period(UNITS[match["unit"]], SIDES[match["side"]], today)


def _period_end(match: re.Match[str], today: date, prefer: Preference) -> Span:
    return single(_period(match, today, prefer)[1])


def _distance(match: re.Match[str], today: date, prefer: Preference) -> Span:
    del prefer
    count = hanzi_number(match["count"])
    back = match["ago"] == "前"
    return distance(UNITS[match["unit"]], -count if back else count, today)


_PART = rf"(?:{PART_CHINESE}|一早|晚|早)?"
_DIGIT = f"[{DIGITS_CHINESE[1:]}]"
NUMBER = rf"(?:\d{{1,3}}|{_DIGIT}?十{_DIGIT}?|{_DIGIT})"
_UNIT = rf"个?(?P<unit>天|{WEEK_CHINESE}|月|年)"
_WEEK = f"个?{WEEK_CHINESE}"
_SIDE = f"(?P<side>{SIDE_CHINESE})"
_TO = "[-–—~到至]"
# What has a number, 5 号到 9 号线, and is no day.
_NUMBERED = (
    "[楼门桌位房室库院车馆口仓柜床厅井窗队组球桩机教岗]|线(?![上下])|店(?![休庆])|会议室"
    "|服务|节点|工位|电[脑梯机]|病[房床]|选手|学[生员]|员工"
)

RULES = (
    rule(
        r"(?:(?P<year>20\d\d|今|明|后|去|前)\s*年\s*)?"
        rf"(?<![\d第])(?P<month>{NUMBER})\s*月\s*(?P<day>{NUMBER})\s*[日号]"
        rf"(?:\s*[-–到至~]\s*(?P<last>{NUMBER})\s*[日号])?{_PART}",
        _day,
        written=True,
    ),
    rule(
        r"(?:(?P<year>20\d\d|今|明|后|去|前)\s*年\s*)?"
        rf"(?<![\d第])(?P<month>{NUMBER})\s*月(?:份|(?P<end>底|末)|初"
        rf"|中旬)?(?![\d日号])",
        _month,
        written=True,
    ),
    rule(
        rf"{_SIDE}个?(?P<unit>月)的?\s*(?P<day>{NUMBER})\s*[日号]"
        rf"(?:\s*{_TO}\s*(?P<last>{NUMBER})\s*[日号])?{_PART}",
        _day_of_month,
    ),
    rule(
        rf"(?<![\d第每月楼位桌床柜库])(?<!月 )(?<!房间)(?P<day>{NUMBER})\s*[日号]\s*{_TO}"
        rf"\s*(?P<last>{NUMBER})\s*[日号](?!{_NUMBERED}){_PART}",
        _days_of_month,
        written=True,
    ),
    rule(
        rf"(?P<day>{NUMBER})\s*[日号]\s*[,，(（]?"
        rf"{WEEK_CHINESE}(?P<weekday>{DAY_CHINESE}){_PART}",
        _numbered_weekday,
        written=True,
    ),
    rule(r"大后天" + _PART, days_away(3)),
    rule(r"大前天" + _PART, days_away(-3)),
    rule(r"(?:今天|今日|今儿|今晚|今早)" + _PART, days_away(0)),
    rule(r"(?:明天|明日|明儿|明晚|明早)" + _PART, days_away(1)),
    rule(r"后天" + _PART, days_away(2)),
    rule(r"(?:昨天|昨日|昨儿|昨晚|昨夜)" + _PART, days_away(-1)),
    rule(r"前天" + _PART, days_away(-2)),
    # What comes back every week is no date.
    rule(
        r"(?:每|逢|隔|任何|第[一二三四]|最后|头|一)一?个?"
        rf"{WEEK_CHINESE}(?:{DAY_CHINESE}|末)?",
        lambda *_: None,
    ),
    rule(rf"{_WEEK}[一二三四五六][到至~-]{_WEEK}?{DAY_CHINESE}", lambda *_: None),
    rule(
        rf"{_SIDE}?{_WEEK}(?P<day>{DAY_CHINESE}|末)(?![个次期年]){_PART}",
        _weekday,
    ),
    rule(rf"(?P<count>{NUMBER})\s*{_UNIT}(?:之|以)?(?P<ago>前|后)", _distance),
    rule(rf"{_SIDE}个?(?P<unit>月)(?:底|末)", _period_end),
    rule(
        r"(?<![半一二两三四五六七八九十\d个])(?P<side>)(?P<unit>月)(?:底|末)",
        _period_end,
    ),
    rule(
        r"(?<![\d零〇一二三四五六七八九十])(?<!\d )(?P<side>今|明|后|去|前|)(?P<unit>年)"
        r"年?(?:底|末)",
        _period_end,
    ),
    rule(rf"{_SIDE}个?(?P<unit>{WEEK_CHINESE}|月)", _period),
    rule(r"(?P<side>今|明|后|去|前)(?P<unit>年)", _period),
)
