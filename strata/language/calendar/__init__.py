"""
The names of days, months, parts of the day, numbers and units, in one place.

Each language has its file here. Patterns are handed out as sources, to be put together
and compiled, without regard to case, by who reads a text.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from strata.parsed import toml_table

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLDER = Path(__file__).parent


class Calendar(NamedTuple):
    """
    What one language calls the times.

    *weekdays* (Monday first) and *months* have of each the name, then its short forms.
    *capital* are those that are other words in small letters. *parts* are of a day, *later*
    those of its second half; *numbers* count from zero; *weeks* are what stands before the
    number of a day; *units* have their one spelling.
    """

    weekdays: tuple[tuple[str, ...], ...]
    months: tuple[tuple[str, ...], ...]
    capital: frozenset[str]
    parts: tuple[str, ...]
    later: frozenset[str]
    numbers: tuple[str, ...]
    weeks: tuple[str, ...]
    units: dict[str, str]


@cache
def calendar(language: str) -> Calendar:
    """Return the calendar of *language*."""
    table = _table(language)
    weekdays = tuple(tuple(each.split()) for each in table["weekdays"])
    if weeks := tuple(table.get("week", "").split()):
        weekdays = tuple(
            tuple(week + number for week in weeks for number in each)
            for each in weekdays
        )
    return Calendar(
        weekdays=weekdays,
        months=tuple(tuple(each.split()) for each in table.get("months", ())),
        capital=frozenset(table.get("capital", "").split()),
        parts=tuple(table["parts"].split()),
        later=frozenset(table.get("later", "").split()),
        numbers=tuple(table["numbers"].split()),
        weeks=weeks,
        units={
            word: unit
            for unit, words in table["units"].items()
            for word in words.split()
        },
    )


@cache
def _table(language: str) -> dict[str, Any]:  # what TOML may hold
    source = (_FOLDER / f"{language}.toml").read_text(encoding="utf-8")
    return toml_table(source)


def one_of(words: Iterable[str]) -> str:
    """Return the pattern of any of *words*, the longest first."""
    longest_first = sorted(dict.fromkeys(words), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


def not_after(word: str) -> str:
    """Return the pattern that *word*, such as 上, is none of what it may be the end of."""
    ends = _table("zh")["ends"].get(word, "").split()
    return "".join(f"(?<!{one_of(same)})" for same in _by_length(ends))


def _by_length(words: Iterable[str]) -> list[list[str]]:
    """Return *words* in groups: what is looked for behind has one length."""
    groups: dict[int, list[str]] = {}
    for word in words:
        groups.setdefault(len(word), []).append(word)
    return list(groups.values())


def _cased(names: tuple[tuple[str, ...], ...], *, capitals: bool) -> str:
    """Return the pattern of *names*; with *capitals* those that need one must have it."""
    needing = calendar("en").capital if capitals else frozenset()
    forms = [form for each in names for form in each]
    free = one_of(form for form in forms if form not in needing)
    named = one_of(form.capitalize() for form in forms if form in needing)
    return f"(?:{free}|(?-i:{named}))" if capitals else free


_ENGLISH, _CHINESE = calendar("en"), calendar("zh")
_NUMBERS = _CHINESE.numbers

#: Monday, whatever the day, and with what it is cut to.
WEEKDAY_ENGLISH = one_of(names[0] for names in _ENGLISH.weekdays)
WEEKDAY_OR_SHORT = _cased(_ENGLISH.weekdays, capitals=True)
#: 周, 星期 or 礼拜, the number behind it, and both.
WEEK_CHINESE = one_of(_CHINESE.weeks)
DAY_CHINESE = f"[{''.join(_table('zh')['weekdays']).replace(' ', '')}]"
WEEKDAY_CHINESE = WEEK_CHINESE + DAY_CHINESE
#: 上周五 and the like, not 线上|周五.
SIDE_CHINESE = (
    rf"(?:{not_after('下')}下下?|{not_after('上')}上上?|这|{not_after('本')}本)"
)
#: A weekday in either language.
WEEKDAY = rf"(?:\b{WEEKDAY_ENGLISH}\b|{WEEKDAY_CHINESE})"
#: January, whatever the month; with what it is cut to; that with a capital where needed.
MONTH = one_of(names[0] for names in _ENGLISH.months)
MONTH_OR_SHORT = _cased(_ENGLISH.months, capitals=False)
MONTH_CAPITAL = _cased(_ENGLISH.months, capitals=True)
#: Parts of the day, and how a number up to 99 is written in hanzi.
PART_ENGLISH, PART_CHINESE = one_of(_ENGLISH.parts), one_of(_CHINESE.parts)
DIGITS_CHINESE = "".join(_NUMBERS[:10]) + "两"
NUMBER_CHINESE = f"[{DIGITS_CHINESE}{_NUMBERS[10]}]+"
#: Two, three and so on to twelve.
COUNTS = {word: number for number, word in enumerate(_ENGLISH.numbers[:13]) if number}
UNITS = _ENGLISH.units | _CHINESE.units


def weekday_number(name: str) -> int:
    """Return 0 for the name of a Monday or what it is cut to, in Chinese its last sign."""
    if name[-1] in DAY_CHINESE:
        return _index(_CHINESE.weekdays, name[-1], last=True)
    return _index(_ENGLISH.weekdays, name.lower())


def month_number(name: str) -> int:
    """Return 1 for January or what it is cut to."""
    return _index(_ENGLISH.months, name.lower()) + 1


def _index(names: tuple[tuple[str, ...], ...], word: str, *, last: bool = False) -> int:
    return next(
        place
        for place, forms in enumerate(names)
        if any((form[-1:] if last else form) == word for form in forms)
    )


def hanzi_number(word: str) -> int:
    """Return the number up to 99 that *word* writes in digits or in hanzi."""
    if word.isdigit():
        return int(word)
    tens, ten, ones = word.replace("两", "二").rpartition(_NUMBERS[10])
    head = _NUMBERS.index(tens[-1]) if tens else 1
    return (head * 10 if ten else 0) + (_NUMBERS.index(ones[-1]) if ones else 0)
