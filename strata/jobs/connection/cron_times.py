"""Cron expressions: five fields, or six with seconds, as OpenClaw's scheduler has them."""

from __future__ import annotations

import re

from strata.language.calendar import calendar

# A scheduler knows January as jan, and begins its week with Sunday.
_MONTHS = tuple(name[:3] for name, *_ in calendar("en").months)
*_REST, _SUNDAY = (name[:3] for name, *_ in calendar("en").weekdays)
_DAYS = (_SUNDAY, *_REST)
# Name, least and most, and the words that stand for numbers, the first for the least.
_FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("second", 0, 59, ()),
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("weekday", 0, 7, _DAYS),
)
_NICKNAME = re.compile(
    r"@(yearly|annually|monthly|weekly|daily|midnight|hourly)", re.IGNORECASE
)
# Last day, nearest weekday, and the nth weekday of a month.
_SPECIAL = {
    "day": re.compile(r"L|LW|\d{1,2}W", re.IGNORECASE),
    "weekday": re.compile(r"\w+[#L]\d?"),
}


def mistake_in(expression: str) -> str:
    """Say what is wrong with the cron *expression*, or ""."""
    parts = expression.split()
    if _NICKNAME.fullmatch(expression.strip()):
        return ""
    if len(parts) not in {5, 6}:
        return (
            f"it has {len(parts)} fields instead of 5 (minute hour day month weekday)"
        )
    for part, field in zip(parts, _FIELDS[-len(parts) :], strict=True):
        for each in part.split(","):
            if not _is_fine(each, *field):
                name, least, most, _ = field
                return f"{each!r} is no {name} ({least} to {most})"
    return ""


def _is_fine(
    part: str, name: str, least: int, most: int, words: tuple[str, ...]
) -> bool:
    span, slash, step = part.partition("/")
    if slash and not (step.isdecimal() and 0 < int(step) <= most):
        return False
    if span in {"*", "?"} or (name in _SPECIAL and _SPECIAL[name].fullmatch(span)):
        return True
    first, dash, last = span.partition("-")
    numbers = [
        _number(each, words, least) for each in ([first, last] if dash else [first])
    ]
    return all(number is not None and least <= number <= most for number in numbers)


def _number(text: str, words: tuple[str, ...], least: int) -> int | None:
    if text.isascii() and text.isdecimal():
        return int(text)
    return words.index(text.lower()) + least if text.lower() in words else None
