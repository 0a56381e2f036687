"""When something was done, as Google's "My Activity" page says it in any language."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.parsed import toml_table

if TYPE_CHECKING:
    from collections.abc import Iterable

_TABLE = Path(__file__).with_name("activity.toml")
_LONGEST = 64
_MOST_WORDS = 5
_EARLIEST_YEAR, _LATEST_YEAR = 2015, 2200
_HALF_A_DAY = 12
_MONTHS = 12
_CLOCK = re.compile(r"(?<!\d)(\d{1,2}):(\d{2}):(\d{2})(?!\d)")
_OFFSET = re.compile(r"(?:GMT|UTC)([+-]\d{1,2})(?::?(\d{2}))?")
_ABBREVIATION = re.compile(r"(?<![^\W\d_])[A-Z]{1,5}(?![^\W\d_])")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
# Signs that turn the direction of writing, and are not seen.
_UNSEEN = dict.fromkeys(map(ord, "\u200e\u200f\u061c"))


def moment(text: str) -> datetime | None:
    """
    Return the moment that *text*, all of it, names; None where it names none.

    A zone that is not known is taken for UTC.
    """
    if len(text) > _LONGEST or ":" not in text:
        return None
    plain = unicodedata.normalize("NFKC", text).translate(_UNSEEN)
    found = _CLOCK.search(plain)
    if found is None:
        return None
    rest = f"{plain[: found.start()]} {plain[found.end() :]}"
    ahead, rest = _zone(rest, chinese="年" in plain)
    day = _day(rest)
    if day is None:
        return None
    hour, minute, second = map(int, found.groups())
    try:
        clock = datetime(
            day.year,
            day.month,
            day.day,
            _hour(hour, rest),
            minute,
            second,
            tzinfo=ahead,
        )
        return clock.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@cache
def table() -> dict[str, Any]:  # Any: lists of words, and numbers
    """Return the words of Google's activities in the languages of its accounts."""
    return toml_table(_TABLE.read_text(encoding="utf-8"))


def _zone(text: str, *, chinese: bool) -> tuple[timezone, str]:
    """Return the zone that *text* names, and *text* without it."""
    if found := _OFFSET.search(text):
        sign = -1 if found[1].startswith("-") else 1
        ahead = timedelta(hours=int(found[1]), minutes=sign * int(found[2] or 0))
        known = timezone(ahead) if abs(ahead) < timedelta(days=1) else UTC
        return known, text.replace(found[0], " ", 1)
    names = [each for each in _ABBREVIATION.findall(text) if each in table()["zones"]]
    if not names:
        return UTC, text
    hours = 8 if chinese and names[-1] == "CST" else table()["zones"][names[-1]]
    return timezone(timedelta(hours=hours)), text.replace(names[-1], " ", 1)


def _day(text: str) -> date | None:
    numbers = [int(each) for each in _NUMBER.findall(text)]
    words = _WORD.findall(_unaccented(text))
    if len(words) > _MOST_WORDS:
        return None
    month = next(filter(None, map(_month, words)), None)
    try:
        return _in_order(numbers, month)
    except ValueError:
        return None


def _in_order(numbers: list[int], month: int | None) -> date | None:
    """Return the day whose *numbers* stand in the order of some language."""
    years = [each for each in numbers if _EARLIEST_YEAR <= each <= _LATEST_YEAR]
    others = [each for each in numbers if each not in years]
    if len(years) != 1:
        return None
    if month is not None and len(others) == 1:
        return date(years[0], month, others[0])
    if month is not None or len(others) != 2:  # noqa: PLR2004 - a month and a day
        return None
    first, second = others
    # A year that comes first is followed by the month, and else the day is first, but
    # where there is no such month.
    if numbers[0] == years[0] or second > _MONTHS:
        return date(years[0], first, second)
    return date(years[0], second, first)


def _month(word: str) -> int | None:
    stems = (
        (len(stem), int(number))
        for number, each in table()["months"].items()
        for stem in each
        if word.startswith(stem)
    )
    return max(stems, default=(0, None))[1]


def _hour(hour: int, text: str) -> int:
    """Return the *hour* of the day, where *text* tells which half of it is meant."""
    said = text.casefold().replace(" ", "")
    halves = table()["halves"]
    if _has(said, halves["afternoon"]):
        return hour % _HALF_A_DAY + _HALF_A_DAY
    if _has(said, halves["morning"]):
        return hour % _HALF_A_DAY
    return hour


def _has(said: str, words: Iterable[str]) -> bool:
    return any(
        re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", said) for word in words
    )


def _unaccented(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))
