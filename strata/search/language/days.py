"""Dates written in a text, in whatever form, as terms that can be looked for."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
# "may" and "march" alone are months only after a word that goes with months.
_OF = r"(?:in|of|since|until|by|last|this|next|early|mid|late|during|through)[ -]"
# No dots: 2026.4.10 is a version.
_NUMERIC = (
    rf"(?<![\d./-]){_YEAR}(?P<mark>[-/])(?P<month>[01]?\d)"
    r"(?:(?P=mark)(?P<day>[0-3]?\d))?(?![\d.])"
)
_CHINESE = (
    rf"(?:{_YEAR}年)?(?<!\d)(?P<month>1[0-2]|0?[1-9])月(?:(?P<day>[0-3]?\d)[日号])?"
)


@cache
def _english() -> tuple[str, ...]:
    # Only a text that names a month is worth the 5 ms in which names are read.
    from strata.language.calendar import calendar, one_of  # noqa: PLC0415

    known = calendar("en")
    clear = one_of(name for name, *_ in known.months if name not in known.capital)
    capital = one_of(name for name, *_ in known.months if name in known.capital)
    short = one_of(form for _, *forms in known.months for form in forms)
    month = rf"(?P<month>(?:{clear}|{capital}|{short}\b\.?))"
    return (
        rf"(?i)\b{month} {_DAY}(?:,? {_YEAR}\b)?",
        rf"(?i)\b{_DAY} (?:of )?{month}(?:,? {_YEAR}\b)?",
        rf"(?i)\b{month},? {_YEAR}\b",
        rf"(?i)\b(?P<month>{clear})\b",
        rf"(?i)\b{_OF}(?P<month>{capital})\b",
    )


_HEADS = "[Jj]an|[Ff]eb|[Mm]a[ry]|[Aa]pr|[Jj]u[nl]|[Aa]ug|[Ss]ep|[Oo]ct|[Nn]ov|[Dd]ec"
# A pattern is compiled when a text looks like its kind of date, for that takes a while.
_HINTS = (
    (re.compile(r"\d{4}[-/]\d"), lambda: (_NUMERIC,)),
    (re.compile(r"\d月"), lambda: (_CHINESE,)),
    (re.compile(rf"\b(?:{_HEADS})"), _english),
)


def document_days(text: str) -> Iterator[str]:
    """Give each date of *text* as the terms of its day, its month and its year's month."""
    for year, month, day in _dates(text):
        yield f"@{month:02}"
        if year:
            yield f"@{year}-{month:02}"
        if day:
            yield f"@{month:02}-{day:02}"


def query_days(text: str) -> Iterator[str]:
    """Give each date of the question *text* as the finest terms that it allows."""
    for year, month, day in _dates(text):
        if day:
            yield f"@{month:02}-{day:02}"
        if year:
            yield f"@{year}-{month:02}"
        if not (day or year):
            yield f"@{month:02}"


def is_day(term: str) -> bool:
    """Tell whether *term* is a day of a month, and not only a month."""
    return len(term) == len("@03-31") and term.startswith("@")


def month_marks(term: str) -> tuple[str, str]:
    """Return what stands, in lower case, in a text with the day or month *term*."""
    month = int(term[1:3] if is_day(term) else term[-2:])
    from strata.language.calendar import calendar  # noqa: PLC0415 - as above

    return str(month), calendar("en").months[month - 1][0][:3]


def _dates(text: str) -> Iterator[tuple[int, int, int]]:
    """Give year, month and day of each date; a year or day that is not said is 0."""
    said: set[int] = set()
    patterns = (p for hint, patterns in _HINTS if hint.search(text) for p in patterns())
    for pattern in patterns:
        for match in re.finditer(pattern, text):
            # The fuller patterns come first; what they took is not read again.
            if said.isdisjoint(range(*match.span())):
                said.update(range(*match.span()))
                yield from _date(match.groupdict())


def _date(found: dict[str, str | None]) -> Iterator[tuple[int, int, int]]:
    month = _month(found["month"] or "")
    day = int(found.get("day") or 0)
    if 1 <= month <= 12 and day <= 31:  # noqa: PLR2004 - a calendar
        yield int(found.get("year") or 0), month, day


def _month(text: str) -> int:
    if text.isdecimal():
        return int(text)
    from strata.language.calendar import month_number  # noqa: PLC0415 - as above

    return month_number(text.rstrip("."))
