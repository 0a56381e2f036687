"""When something was done, as Google writes it in the languages of its accounts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.imports.activity_dates import moment

SOME_DAY = datetime(2026, 9, 2, 12, 12, 52, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Sep 2, 2026, 12:12:52\u202fPM UTC",
        "Sept 2, 2026, 5:12:52 AM PDT",
        "2 Sept 2026, 13:12:52 BST",
        "02.09.2026, 14:12:52 MESZ",
        "2 sept. 2026, 14:12:52 CEST",
        "2 sept 2026, 14:12:52 CEST",
        "2 de set. de 2026, 09:12:52 BRT",
        "2 set 2026, 14:12:52 CEST",
        "2 сент. 2026 г., 15:12:52 MSK",
        "2 wrz 2026, 14:12:52 CEST",
        "2 Eyl 2026 15:12:52 GMT+03:00",
        "2 Σεπ 2026, 3:12:52 μ.μ. EEST",
        "2026/09/02 21:12:52 JST",
        "2026. 9. 2. 오후 9:12:52 KST",
        "2026年9月2日 下午8:12:52 CST",
        "2026年9月2日 GMT+8 20:12:52",
        "2 sep 2026, 2:12:52 p. m. CEST",
        "Sep 2, 2026, 8:42:52 AM GMT-3:30",
        "\u200f02\u200f/09\u200f/2026\u060c 12:12:52 UTC",
        "Sep 2, 2026, 12:12:52 PM",
        "2026-09-02 12:12:52",
    ],
)
def test_date_is_read_in_any_language(text: str) -> None:
    """
    Whatever the order, the names of months and halves of a day, and the zone.
    """
    assert SOME_DAY == moment(text)


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("Sep 2, 2026, 12:00:00 AM UTC", 0),
        ("Sep 2, 2026, 12:00:00 PM UTC", 12),
        ("Sep 2, 2026, 1:00:00 PM UTC", 13),
        ("2026年9月2日 上午12:00:00 UTC", 0),
        ("2 sept. 2026, 00:00:00 UTC", 0),
    ],
)
def test_half_of_the_day_is_told(text: str, hour: int) -> None:
    """
    Twelve is the first hour of each half.
    """
    found = moment(text)

    assert found is not None
    assert hour == found.hour


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sep 2, 2026",
        "12:12:52",
        "Remind me on Sep 2, 2026 at 12:12:52 PM that I have to call home",
        "The train leaves at 12:12:52 from platform 3 on 2 Sept 2026, does it?",
        "Feb 30, 2026, 12:12:52 PM UTC",
        "Sep 2, 1026, 12:12:52 PM UTC",
        "99:99:99 99.99.2026",
        "2026 2026 12:12:52",
        "ratio 3 to 4 is 12:12:52",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    """
    A line of a prompt that names a time is not taken for the date below it.
    """
    assert moment(text) is None


@given(st.text(max_size=70))
def test_any_text_is_looked_at(text: str) -> None:
    """
    No text is too odd to be asked for a date, and what is found is one that can be.
    """
    found = moment(text + " 12:12:52")

    assert found is None or found.tzinfo is UTC
