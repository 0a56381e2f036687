"""The names of days and months, numbers and units, in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from strata.language import calendar
from strata.language.calendar import hanzi_number, month_number, weekday_number

PACKAGE = Path(calendar.__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "number"),
    [("Monday", 0), ("Thur", 3), ("周一", 0), ("礼拜天", 6), ("日", 6)],
)
def test_weekdays_are_numbered_from_monday(name: str, number: int) -> None:
    """A name, what it is cut to, and the number behind 周 are one day."""
    assert weekday_number(name) == number


@pytest.mark.parametrize(("name", "number"), [("January", 1), ("Sept", 9), ("may", 5)])
def test_months_are_numbered(name: str, number: int) -> None:
    """A name and what it is cut to are one month."""
    assert month_number(name) == number


@pytest.mark.parametrize(
    ("word", "number"), [("十", 10), ("两", 2), ("二十三", 23), ("31", 31)]
)
def test_hanzi_are_counted(word: str, number: int) -> None:
    """Numbers up to 99, in hanzi or not."""
    assert hanzi_number(word) == number


@pytest.mark.parametrize(
    ("pattern", "words", "others"),
    [
        (calendar.WEEKDAY, ["Monday", "周五", "星期天"], ["Mon", "周末", "五"]),
        (calendar.WEEKDAY_OR_SHORT, ["friday", "Sat"], ["sat", "sun"]),
        (calendar.MONTH_CAPITAL, ["january", "May", "Sept"], ["may", "march"]),
        (calendar.MONTH_OR_SHORT, ["may", "dec"], ["week"]),
    ],
)
def test_patterns_match_names(
    pattern: str, words: list[str], others: list[str]
) -> None:
    """What is another word in small letters needs its capital, where that is asked."""
    known = re.compile(pattern, re.IGNORECASE)

    assert [word for word in words if not known.fullmatch(word)] == []
    assert [word for word in others if known.fullmatch(word)] == []


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("见面上周五", "上"),
        ("线上周五", None),
        ("版本周五", None),
        ("线上上周五", "上"),
    ],
)
def test_side_of_a_week_is_no_end_of_a_word(text: str, side: str | None) -> None:
    """上 of 线上 belongs to what stands before it."""
    found = re.search(calendar.SIDE_CHINESE + calendar.WEEKDAY_CHINESE, text)

    assert (found[0][0] if found else None) == side


def test_names_stand_in_the_calendar_alone() -> None:
    """
    A day that was forgotten in one of many lists would be found by no test of it.

    Redaction has words of its own, of which secrets are made up.
    """
    elsewhere = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "transcripts" not in path.parts
        and re.search(
            r"\b(?:wednes|thursday|february|november)", path.read_text("utf-8")
        )
    ]

    assert elsewhere == []
