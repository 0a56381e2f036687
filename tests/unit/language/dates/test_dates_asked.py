"""Which days a question is about."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from strata.durations import moment_since, moment_until
from strata.errors import UsageError
from strata.language.dates.asked import Stretch, asked_days

# A Friday.
TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 14, 0, tzinfo=UTC)


def days(text: str) -> list[tuple[str | None, str | None]]:
    """
    The stretches of *text*, asked on 2026-11-20, as text.
    """
    return [
        (
            each.first.isoformat() if each.first else None,
            each.last.isoformat() if each.last else None,
        )
        for each in asked_days(text, TODAY).stretches
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did we decide last Wednesday?", "2026-11-18", "2026-11-18"),
        ("what happened three days ago", "2026-11-17", "2026-11-17"),
        ("the trip in October", "2026-10-01", "2026-10-31"),
        ("what happened last week?", "2026-11-09", "2026-11-15"),
        ("notes since 30d", "2026-10-21", None),
        ("notes since March", "2026-03-01", None),
        ("what was said before last Monday?", None, "2026-11-15"),
        ("everything until last Monday", None, "2026-11-16"),
        ("between March 3 and March 10", "2026-03-03", "2026-03-10"),
        ("from Monday to Wednesday", "2026-11-16", "2026-11-18"),
        ("in the last two weeks", "2026-11-06", "2026-11-20"),
        ("over the past month", "2026-10-20", "2026-11-20"),
        ("early October", "2026-10-01", "2026-10-10"),
        ("the end of last year", "2025-11-01", "2025-12-31"),
        ("last quarter", "2026-07-01", "2026-09-30"),
        ("in Q1 2026", "2026-01-01", "2026-03-31"),
        ("the first half of 2026", "2026-01-01", "2026-06-30"),
        ("in 2025", "2025-01-01", "2025-12-31"),
        ("last summer", "2026-06-01", "2026-08-31"),
        ("in winter 2025", "2025-12-01", "2026-02-28"),
        ("the week of November 9", "2026-11-09", "2026-11-15"),
        ("the week before August 3, 2026", "2026-07-27", "2026-08-02"),
        ("a year ago today", "2025-11-20", "2025-11-20"),
        ("between March and May", "2026-03-01", "2026-05-31"),
        ("from March to May 2025", "2025-03-01", "2025-05-31"),
        ("from November 2025 to February", "2025-11-01", "2026-02-28"),
        ("since the start of the month", "2026-11-01", None),
        ("the end of last month", "2026-10-21", "2026-10-31"),
        ("early last month", "2026-10-01", "2026-10-10"),
        ("since the beginning of the week", "2026-11-16", None),
        ("the week before last", "2026-11-02", "2026-11-08"),
        ("two or three days ago", "2026-11-17", "2026-11-18"),
        ("2-3 weeks ago", "2026-10-26", "2026-11-08"),
        ("plans of 2026-03", "2026-03-01", "2026-03-31"),
        ("月初的计划", "2026-11-01", "2026-11-10"),
        ("上个季度", "2026-07-01", "2026-09-30"),
        ("本周初", "2026-11-16", "2026-11-16"),
        ("两三天前", "2026-11-17", "2026-11-18"),
        ("一两个月前", "2026-09-01", "2026-10-31"),
        ("三十天前", "2026-10-21", "2026-10-21"),
        ("二十三天前", "2026-10-28", "2026-10-28"),
        ("上周三我们决定了什么", "2026-11-11", "2026-11-11"),
        ("三天前说的密码", "2026-11-17", "2026-11-17"),
        ("去年年底的计划", "2025-11-01", "2025-12-31"),
        ("3月3日发生了什么", "2026-03-03", "2026-03-03"),
        ("３月３日", "2026-03-03", "2026-03-03"),
        ("上周发生了什么", "2026-11-09", "2026-11-15"),
        ("10月到11月", "2026-10-01", "2026-11-30"),
        ("最近三天", "2026-11-17", "2026-11-20"),
        ("过去一周我做了什么", "2026-11-13", "2026-11-20"),
        ("上个月底", "2026-10-21", "2026-10-31"),
        ("十月上旬", "2026-10-01", "2026-10-10"),
        ("今年上半年", "2026-01-01", "2026-06-30"),
        ("去年夏天去了哪里", "2025-06-01", "2025-08-31"),
        ("2025年我去了哪里", "2025-01-01", "2025-12-31"),
        ("三月以来", "2026-03-01", None),
        ("周三之前", None, "2026-11-17"),
        ("从周一到周三", "2026-11-16", "2026-11-18"),
        ("3月3日和3月10日之间", "2026-03-03", "2026-03-10"),
        ("3月3日前一天", "2026-03-02", "2026-03-02"),
        ("去年的今天", "2025-11-20", "2025-11-20"),
    ],
)
def test_time_in_a_question_becomes_days(
    text: str, first: str | None, last: str | None
) -> None:
    """
    Words in both languages are resolved from the day of asking, into the past.
    """
    assert days(text) == [(first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "How many days does the backup keep?",
        "error 2026.4.10 of better-sqlite3",
        "may I use npm?",
        "what about the 29th",
        "who is on call every Friday?",
        "the last second of the game",
        "a few days ago",
        "what do I usually do on the weekend",
        "上次说的发布日期是哪天",
        "前端的问题",
        "五年计划",
        "version v2026-03 of the tool",
        "more than three days ago",
        "周末我一般做什么",
        "每周五的例会",
    ],
)
def test_unsure_time_is_left_alone(text: str) -> None:
    """
    What names no days for sure names none.
    """
    assert days(text) == []


def test_day_to_come_means_last_years_too() -> None:
    """
    A date without a year that is still to come is looked for in both years.
    """
    assert days("on December 5") == [
        ("2026-12-05", "2026-12-05"),
        ("2025-12-05", "2025-12-05"),
    ]


def test_stretch_meets_what_overlaps() -> None:
    """
    An open end has no limit.
    """
    open_end = Stretch(date(2026, 11, 9), None)

    assert open_end.meets(date(2026, 11, 8), date(2026, 11, 9))
    assert not open_end.meets(date(2026, 11, 1), date(2026, 11, 8))


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("last Wednesday", "2026-11-18", "2026-11-18"),
        ("October", "2026-10-01", "2026-10-31"),
        ("last week", "2026-11-09", "2026-11-15"),
        ("上周", "2026-11-09", "2026-11-15"),
        ("三天前", "2026-11-17", "2026-11-17"),
        ("2026-03-03", "2026-03-03", "2026-03-03"),
        ("2026-03", "2026-03-01", "2026-03-31"),
        ("the start of the month", "2026-11-01", "2026-11-10"),
        ("December", "2025-12-01", "2025-12-31"),
    ],
)
def test_options_take_words(text: str, since: str, until: str) -> None:
    """
    ``--since`` means the first of the days that words name, ``--until`` the last.
    """
    assert moment_since(text, NOW).date().isoformat() == since
    assert moment_until(text, NOW).date().isoformat() == until


@pytest.mark.parametrize(
    "text", ["whenever", "yesterday-ish", "2026-11-18-ish", "2026-11-18ish"]
)
def test_options_refuse_what_is_no_time(text: str) -> None:
    """
    Words that name no days, or only about, are an error that says what can be written.
    """
    with pytest.raises(UsageError, match="last Wednesday"):
        moment_until(text, NOW)


def test_days_from_one_to_another_are_a_time() -> None:
    """
    A hyphen between two leads from one to the other.
    """
    assert moment_until("Monday-Wednesday", NOW).date().isoformat() == "2026-11-18"


def test_time_without_a_beginning_is_none_to_begin_with() -> None:
    """
    "Before March" goes back for ever, and must not mean today.
    """
    with pytest.raises(UsageError, match="no day to begin with"):
        moment_since("before March", NOW)

    assert moment_until("before March", NOW).date().isoformat() == "2026-02-28"
