"""Cron expressions are looked at before a scheduler gets them."""

from __future__ import annotations

import pytest

from strata.errors import SettingsError
from strata.jobs.connection.cron_times import mistake_in
from strata.jobs.connection.schedules import schedules
from strata.settings import Settings


@pytest.mark.parametrize(
    "expression",
    [
        "0 10,14,18,22 * * *",
        "0 3 * * *",
        "*/15 8-18 * * mon-fri",
        "30 0 3 1 JAN,jul ?",
        "0 0 L * 5#2",
        "0 0 15W * 7",
        "@daily",
    ],
)
def test_expression_is_taken(expression: str) -> None:
    """
    Ranges, steps, lists, names, seconds and the specials of days are all fine.
    """
    assert mistake_in(expression) == ""


@pytest.mark.parametrize(
    ("expression", "word"),
    [
        ("", "0 fields"),
        ("0 3 * *", "4 fields"),
        ("0 25 * * *", "'25' is no hour (0 to 23)"),
        ("60 3 * * *", "'60' is no minute"),
        ("0 3 0 * *", "'0' is no day"),
        ("0 3 * 13 *", "'13' is no month"),
        ("0 3 * * 8", "'8' is no weekday"),
        ("0 3 * * funday", "'funday' is no weekday"),
        ("0 3- * * *", "'3-' is no hour"),
        ("*/0 3 * * *", "'*/0' is no minute"),
        ("at 3 in the morning", "'at' is no minute"),
        ("0 三 * * *", "'三' is no hour"),
        ("@noon", "1 fields"),
    ],
)
def test_mistake_is_named(expression: str, word: str) -> None:
    """
    What no scheduler would take is named, with what is wrong about it.
    """
    assert word in mistake_in(expression)


def test_setting_that_is_no_time_is_not_installed() -> None:
    """
    The mistake names the setting, before anything reaches OpenClaw.
    """
    with pytest.raises(SettingsError, match=r"schedule\.tidy = .3am. is no cron"):
        schedules(Settings(schedule_tidy="3am"), dreaming=False, chat=None)
