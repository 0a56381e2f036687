"""Numbers of people: payment cards, Chinese identity cards and mobiles, IBAN, SSN."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.checksums import (
    has_citizen_check,
    is_bank_account,
    is_card,
    may_be_citizen,
)
from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.mentions import Clues
from strata.transcripts.secret_rules.named_numbers import named_numbers
from strata.transcripts.secret_rules.number_context import (
    is_called_card,
    is_called_citizen,
    is_joined,
    is_ordinary,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

_Group = tuple[int, int]

_SEPARATORS = b" .-\t"
_FEWEST_DIGITS = 11

# What may be such a number at a glance: eleven signs, digits or what separates them.
_ROW_OF_DIGITS = re.compile(rb"0[0 \t.-]{10}[0 \t.-]*")
# Groups of digits with at most two blanks, a hyphen or a dot between them.
_NUMBER = re.compile(r"[0-9](?:[ \t]{0,2}[-.]?[ \t]{0,2}[0-9]){10,200}(?:[ \t]?[xX])?")
_GROUP = re.compile(r"[0-9]+[xX]?|[xX]")

# How people group the digits of each kind of number when they write it down.
_WAYS_TO_GROUP: tuple[tuple[int, ...], ...] = (
    *((length,) for length in range(11, 20)),
    *((3, 4, 4), (3, 8), (7, 4), (3, 3, 5)),
    *(
        (4, 4, 4, 4, 3),
        (4, 4, 4, 4, 2),
        (4, 4, 4, 4, 1),
        (4, 4, 4, 4),
        (4, 6, 5),
        (4, 6, 4),
    ),
    *((6, 13), (6, 12), (6, 10), (8, 8), (8, 11)),
    *(
        (6, 8, 4),
        (6, 4, 4, 4),
        (6, 4, 2, 2, 4),
        (3, 3, 8, 4),
        (17, 1),
        (14, 4),
        (6, 6, 6),
    ),
)
_WAYS_BY_FIRST_GROUP = {
    first: tuple(way for way in _WAYS_TO_GROUP if way[0] == first)
    for first in {way[0] for way in _WAYS_TO_GROUP}
}
_CARD_GROUP = 4
_SAFE_CARD_DIGITS = 15

_MOBILE = re.compile(r"(?:(?:00)?86)?1[3-9][0-9]{9}")
_ACCOUNT_BEGINS = re.compile(rb"AA00")
_ACCOUNT = re.compile(
    r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?"
    r"(?![A-Za-z0-9])"
)
_SOCIAL_SECURITY_WORDS = Clues("ssn", "social security")
_SOCIAL_SECURITY = re.compile(
    r"[^0-9\n]{0,24}"
    r"(?P<number>(?!000|666|9)[0-9]{3}[- ]?(?!00)[0-9]{2}[- ]?(?!0000)[0-9]{4})(?![0-9])"
)


def personal_numbers(view: View) -> Iterator[Secret]:
    """Yield the numbers in *view* that belong to a person."""
    if b"0" * _FEWEST_DIGITS in view.signs.translate(None, _SEPARATORS):
        for row in _ROW_OF_DIGITS.finditer(view.signs):
            # The check digit of a Chinese identity card may be an X.
            for number in _NUMBER.finditer(view.text, row.start(), row.end() + 1):
                yield from _numbers_of_people(view.text, number)
    yield from _bank_accounts(view.text, view.signs)
    yield from _social_security_numbers(view)
    yield from named_numbers(view)


def _bank_accounts(text: str, signs: bytes) -> Iterator[Secret]:
    for begin in _ACCOUNT_BEGINS.finditer(signs):
        match = _ACCOUNT.match(text, begin.start())
        if match and is_bank_account(re.sub(r"[ -]", "", match[0])):
            yield Secret(*match.span(), "personal:bank-account")


def _social_security_numbers(view: View) -> Iterator[Secret]:
    for words in _SOCIAL_SECURITY_WORDS.in_view(view):
        for called in re.finditer(words, view.lowered):
            if match := _SOCIAL_SECURITY.match(view.text, called.end()):
                yield Secret(*match.span("number"), "personal:social-security-number")


def _numbers_of_people(text: str, match: re.Match[str]) -> Iterator[Secret]:
    groups = [found.span() for found in _GROUP.finditer(text, *match.span())]
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
        certain = has_citizen_check(digits) or is_called_citizen(text, start)
        if certain and not is_joined(text, start, end):
            return "cn-id"
    if not digits.isdigit() or not (kind := _phone_or_card(digits)):
        return ""
    if is_joined(text, start, end) or is_ordinary(text, start, end):
        return ""
    if kind == "card-number" and not _stands_as_card(text, groups, first, after):
        return ""
    return kind


def _phone_or_card(digits: str) -> str:
    if _MOBILE.fullmatch(digits):
        return "cn-mobile"
    return "card-number" if is_card(digits) else ""


def _stands_as_card(text: str, groups: list[_Group], first: int, after: int) -> bool:
    """
    Say whether the groups can be a card where they stand.

    Times in milliseconds are as long as the shortest cards, and four groups of four may
    be a stretch of a table; in both cases the text must call it a card.
    """
    if is_called_card(text, groups[first][0]):
        return True
    if sum(end - start for start, end in groups[first:after]) < _SAFE_CARD_DIGITS:
        return False
    neighbours = groups[max(0, first - 1) : first] + groups[after : after + 1]
    return after - first == 1 or all(
        end - start != _CARD_GROUP for start, end in neighbours
    )
