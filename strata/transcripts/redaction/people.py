"""Numbers of people: payment cards, Chinese identity cards and mobiles, IBAN, SSN."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.redaction.checksums import (
    adds_up,
    is_card,
    may_be_citizen,
)
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, phrases, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

CONTEXT = Patterns("personal", "context")
PEOPLE = Patterns("personal", "people")
_LOOK_BACK = 32

_JOINED_BEFORE = frozenset(string.ascii_letters + string.digits + "_#@/\\-")
_JOINTS = frozenset(".,:")
_COUNTRY_CODES = ("+86", "86", "+(86", "(86", "+86)", "(+86")


_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_BETWEEN = " \t:=#：\"'`*"
_COUNTING_WORDS = frozenset({"number", "no", "num", "nr"})

_PHONE_WORDS = phrases("personal", "phone")
_CARD_WORDS = phrases("personal", "card")
_CITIZEN_WORDS = phrases("personal", "citizen")


def _is_joined(text: str, start: int, end: int) -> bool:
    """Say whether *start* to *end* is only a part of a longer name or number."""
    if CONTEXT.joined_after.match(text, end):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    if before.rstrip(" -").endswith(_COUNTRY_CODES):
        return False
    if before[-1:] in _JOINTS:
        return before[-2:-1].isalnum() and before[-2:-1].isascii() and before[-1] != ":"
    return before[-1:] in _JOINED_BEFORE


def _is_ordinary(text: str, start: int, end: int) -> bool:
    """Say whether the words around call *start* to *end* an id, a count or a time."""
    if CONTEXT.unit_after.match(text, end):
        return True
    if _is_called(_PHONE_WORDS + _CARD_WORDS, text, start):
        return False
    before = _before(text, start).removesuffix(" is").rstrip(_BETWEEN)
    before = before.removesuffix("是").rstrip(_BETWEEN)
    name = _last_name(before)
    if name.lower() in _COUNTING_WORDS:
        name = _last_name(before.removesuffix(name).rstrip(" "))
    names = {name.lower()} if "_" in name or not name else {name, name.lower()}
    return any(map(CONTEXT.ordinary_name.fullmatch, names)) or (
        CONTEXT.ordinary_chinese.search(before) is not None
    )


def _is_called(words: tuple[str, ...], text: str, start: int) -> bool:
    """Say whether one of *words* stands before *start*."""
    lowered = _before(text, start).lower()
    return any(word in lowered for word in words)


def _before(text: str, start: int) -> str:
    """Return what stands before *start* on the same line, the nearest 32 characters."""
    return text[max(0, start - _LOOK_BACK) : start].rpartition("\n")[2].rstrip(_BETWEEN)


def _last_name(before: str) -> str:
    return before[len(before.rstrip(_NAME_CHARACTERS)) :]


_Group = tuple[int, int]

_SEPARATORS = b" .-\t"
_FEWEST_DIGITS = 11

# What may be such a number at a glance: eleven signs, digits or what separates them.
_ROW_OF_DIGITS = re.compile(rb"0[0 \t.-]{10}[0 \t.-]*")

_WAYS_BY_FIRST_GROUP: dict[int, list[tuple[int, ...]]] = {}
for _way in rows("personal", "grouping")["ways"]:
    _WAYS_BY_FIRST_GROUP.setdefault(_way[0], []).append(tuple(_way))
_CARD_GROUP = 4
_SAFE_CARD_DIGITS = 15


def personal_numbers(view: View) -> Iterator[Secret]:
    """Yield the numbers in *view* that belong to a person."""
    if b"0" * _FEWEST_DIGITS in view.signs.translate(None, _SEPARATORS):
        for row in _ROW_OF_DIGITS.finditer(view.signs):
            # The check digit of a Chinese identity card may be an X.
            for number in PEOPLE.number.finditer(view.text, row.start(), row.end() + 1):
                yield from _numbers_of_people(view.text, number)


def _numbers_of_people(text: str, match: re.Match[str]) -> Iterator[Secret]:
    groups = [found.span() for found in PEOPLE.group.finditer(text, *match.span())]
    lengths = tuple(end - start for start, end in groups)
    index = 0
    while index < len(groups):
        used, kind = _number_at(text, groups, lengths, index)
        if kind:
            start, end = groups[index][0], groups[index + used - 1][1]
            yield Secret(start, end, f"personal:{kind}")
        index += used


def _number_at(
    text: str, groups: list[_Group], lengths: tuple[int, ...], first: int
) -> tuple[int, str]:
    """Say how many groups from *first* on are a number of a person, and of what kind."""
    # Every digit on its own: the number is the whole row.
    alone = (lengths,) if set(lengths) == {1} else ()
    for way in alone or _WAYS_BY_FIRST_GROUP.get(lengths[first], ()):
        if lengths[first : first + len(way)] == way:
            kind = _kind(text, groups, first, first + len(way))
            if kind:
                return len(way), kind
    return 1, ""


def _kind(text: str, groups: list[_Group], first: int, after: int) -> str:
    """Name the number that the groups from *first* up to *after* are, or nothing."""
    start, end = groups[first][0], groups[after - 1][1]
    digits = "".join(text[begin:stop] for begin, stop in groups[first:after])
    if may_be_citizen(digits):
        certain = adds_up("citizen", digits) or _is_called(_CITIZEN_WORDS, text, start)
        if certain and not _is_joined(text, start, end):
            return "cn-id"
    mobile = PEOPLE.mobile.fullmatch(digits) is not None
    if not digits.isdigit() or not (mobile or is_card(digits)):
        return ""
    if _is_joined(text, start, end) or _is_ordinary(text, start, end):
        return ""
    if mobile:
        return "cn-mobile"
    return "card-number" if _stands_as_card(text, groups, first, after) else ""


def _stands_as_card(text: str, groups: list[_Group], first: int, after: int) -> bool:
    """
    Say whether the groups can be a card where they stand.

    Times in milliseconds are as long as the shortest cards, and four groups of four may
    be a stretch of a table; in both cases the text must call it a card.
    """
    if _is_called(_CARD_WORDS, text, groups[first][0]):
        return True
    if sum(end - start for start, end in groups[first:after]) < _SAFE_CARD_DIGITS:
        return False
    neighbours = groups[max(0, first - 1) : first] + groups[after : after + 1]
    return after - first == 1 or all(
        end - start != _CARD_GROUP for start, end in neighbours
    )
