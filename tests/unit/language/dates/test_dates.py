"""Dates are read as people mean them."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from strata.language.dates import DateSpan, find_dates

# A Tuesday.
ANCHOR = datetime(2026, 6, 9, 10, 5, tzinfo=ZoneInfo("Asia/Shanghai"))


def found(text: str, *, past: bool = False) -> list[tuple[str, str]]:
    spans = find_dates(text, anchor=ANCHOR, prefer="past" if past else "future")
    return [(text[span.start : span.end], _range(span)) for span in spans]


def _range(span: DateSpan) -> str:
    if span.first == span.last:
        return span.first.isoformat()
    return f"{span.first}..{span.last}"


@pytest.mark.parametrize(
    ("text", "words", "days"),
    [
        ("until Thursday evening, so wait", "Thursday evening", "2026-06-11"),
        ("see you tomorrow morning", "tomorrow morning", "2026-06-10"),
        ("the day after tomorrow", "the day after tomorrow", "2026-06-11"),
        ("it broke last night", "last night", "2026-06-08"),
        ("next Wednesday at 7", "next Wednesday", "2026-06-17"),
        ("last Friday", "last Friday", "2026-06-05"),
        ("Monday week", "Monday week", "2026-06-22"),
        ("due by Friday next week", "Friday next week", "2026-06-19"),
        ("on Friday of next week", "Friday of next week", "2026-06-19"),
        ("next week on Friday", "next week on Friday", "2026-06-19"),
        ("on Friday last week", "Friday last week", "2026-06-05"),
        ("this week: paper", "this week", "2026-06-08..2026-06-14"),
        ("借到后年年底", "后年年底", "2028-12-31"),
        ("明年年底到期", "明年年底", "2027-12-31"),
        ("后年3月开工", "后年3月", "2028-03-01..2028-03-31"),
        ("next weekend", "next weekend", "2026-06-20..2026-06-21"),
        ("in three days", "in three days", "2026-06-12"),
        ("by the end of March 2027", "the end of March 2027", "2027-03-31"),
        ("in March 2027", "in March 2027", "2027-03-01..2027-03-31"),
        ("two weeks ago", "two weeks ago", "2026-05-25..2026-05-31"),
        ("10 days from now", "10 days from now", "2026-06-19"),
        ("arrives June 26", "June 26", "2026-06-26"),
        ("on 26 June", "26 June", "2026-06-26"),
        ("the 14th of July", "the 14th of July", "2026-07-14"),
        ("Sunday, 14 June 2026", "Sunday, 14 June 2026", "2026-06-14"),
        ("January 3", "January 3", "2027-01-03"),
        ("June 3-5", "June 3-5", "2026-06-03..2026-06-05"),
        ("by the end of the month", "the end of the month", "2026-06-30"),
        ("the book comes out in July", "in July", "2026-07-01..2026-07-31"),
        ("I may go in may", "in may", "2026-05-01..2026-05-31"),
        ("due 2026-06-30", "2026-06-30", "2026-06-30"),
        ("仓库周四之前都在盘点", "周四", "2026-06-11"),
        ("星期日见", "星期日", "2026-06-14"),
        ("礼拜六下午", "礼拜六下午", "2026-06-13"),
        ("下周三 7:05", "下周三", "2026-06-17"),
        ("上周三定的", "上周三", "2026-06-03"),
        ("本周日", "本周日", "2026-06-14"),
        ("这周盘点", "这周", "2026-06-08..2026-06-14"),
        ("下个月再说", "下个月", "2026-07-01..2026-07-31"),
        ("月底交", "月底", "2026-06-30"),
        ("下个月底", "下个月底", "2026-07-31"),
        ("年底", "年底", "2026-12-31"),
        ("大后天晚上", "大后天晚上", "2026-06-12"),
        ("前天", "前天", "2026-06-07"),
        ("三天前", "三天前", "2026-06-06"),
        ("两周后", "两周后", "2026-06-22..2026-06-28"),
        ("8 月 31 号之前", "8 月 31 号", "2026-08-31"),
        ("十二月三号", "十二月三号", "2026-12-03"),
        ("去年 3 月 3 日", "去年 3 月 3 日", "2025-03-03"),
        ("9月3日到5日", "9月3日到5日", "2026-09-03..2026-09-05"),
        ("去年手滑", "去年", "2025-01-01..2025-12-31"),
    ],
)
def test_words_become_days(text: str, words: str, days: str) -> None:
    """
    Relative and written dates become the days that they mean.
    """
    assert [(words, days)] == found(text)


@pytest.mark.parametrize(
    "text",
    [
        "by the 29th one",
        "a week on Monday",
        "a fortnight on Tuesday",
        "Friday in two weeks",
        "two weeks from tomorrow",
        "two days before Friday",
        "2028 年底交房",
        "may I ask",
        "it may 3 times fail",
        "march on",
        "the sun is out and we sat",
        "a second, please",
        "Fridays are for the workshop",
        "six walls in three days",
        "twice in a week",
        "the last week of spring",
        "it is Tuesday",
        "Saturday the 12th",
        "2026-02-30",
        "31 June",
        "每周三例会",
        "周一到周五",
        "一周三次",
        "3个月",
        "30 天内",
        "第三天",
        "version 2026-06-301",
    ],
)
def test_unsure_words_are_left_out(text: str) -> None:
    """
    What does not name one certain day, or comes back every week, is no date.
    """
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "days"),
    [("Friday", "2026-06-05"), ("周五", "2026-06-05"), ("5 November", "2025-11-05")],
)
def test_past_is_preferred_on_demand(text: str, days: str) -> None:
    """
    A bare weekday or a day without a year lies behind if the past is preferred.
    """
    assert [(text, days)] == found(text, past=True)


def test_range_of_weekdays_is_in_order() -> None:
    """
    "Saturday to Wednesday" ends after it begins, even where Wednesday alone is nearer.
    """
    days = found("Saturday to Wednesday")

    assert days == [("Saturday", "2026-06-13"), ("Wednesday", "2026-06-17")]


def test_day_after_one_that_recurs_is_read() -> None:
    """
    A weekday that comes back begins no range that the next date could end.
    """
    days = found("every Friday until 18 December 2026")

    assert days == [("18 December 2026", "2026-12-18")]


def test_written_dates_are_told_apart() -> None:
    """
    A span says whether it is a calendar date or relative to the day it was said on.
    """
    spans = find_dates("June 26 or tomorrow", anchor=ANCHOR, prefer="future")

    written = [span.written for span in spans]
    assert written == [True, False]


def test_dates_at_the_end_of_time_are_left_out() -> None:
    """
    A date that no calendar holds is no date.
    """
    late = datetime(9999, 12, 30, tzinfo=ZoneInfo("UTC"))

    assert find_dates("in 3 days", anchor=late, prefer="future") == []
    [last] = find_dates("tomorrow", anchor=late, prefer="future")
    assert last.first == date(9999, 12, 31)
