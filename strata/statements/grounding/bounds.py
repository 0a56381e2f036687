"""Until Friday is not from Friday: on which side of a day a statement holds."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from strata.language.calendar import WEEKDAY
from strata.language.cues import cue
from strata.language.dates import find_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime, tzinfo

    from strata.language.dates import Preference
    from strata.models import Evidence

_ENDS = cue("bounds.ends")
_STARTS = cue("bounds.starts")
_ENDS_AFTER = cue("bounds.ends_after", 0)
_STARTS_AFTER = cue("bounds.starts_after", 0)
_NOT_BEFORE = cue("bounds.not_before")
# No dates yet, with a side all the same: the 23rd, a Friday of which nobody says which.
_UNRESOLVED = re.compile(
    r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)\b|(?<![\d月])(?P<tag>\d{1,2})[号日]"
    rf"|{WEEKDAY}",
    re.IGNORECASE,
)
_PREFERENCES: tuple[Preference, ...] = ("past", "future")
_END, _START = "end", "start"
_LOOK = 40


def other_side(text: str, evidence: Sequence[Evidence], timezone: tzinfo) -> str | None:
    """Return the date in *text* until which holds what *evidence* says from it on."""
    known: dict[date | int | str, set[str]] = {}
    for cited in evidence:
        anchor = cited.said_at.astimezone(timezone)
        for prefer in _PREFERENCES:
            for day, side, _ in _sided(cited.quote, anchor, prefer):
                known.setdefault(day, set()).add(side)
    anchor = evidence[0].said_at.astimezone(timezone)
    for day, side, words in _sided(text, anchor, "future"):
        sides = known.get(day) or (
            known.get(day.day, set()) if isinstance(day, date) else set()
        )
        if side and sides - {""} and side not in sides:
            return words
    return None


def _sided(
    text: str, anchor: datetime, prefer: Preference
) -> Iterator[tuple[date | int | str, str, str]]:
    """Give each day of *text*, on which side of it something holds, and the words."""
    for span in find_dates(text, anchor=anchor, prefer=prefer):
        side = _side(text, span.start, span.end)
        yield span.first, side, text[span.start : span.end]
    for found in _UNRESOLVED.finditer(text):
        ordinal = found["day"] or found["tag"]
        side = _side(text, *found.span())
        yield int(ordinal) if ordinal else found[0].lower(), side, found[0]


def _side(text: str, start: int, end: int) -> str:
    before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
    if _NOT_BEFORE.search(before):
        return _START
    if _ENDS.search(before) or _ENDS_AFTER.match(after):
        return _END
    return _START if _STARTS.search(before) or _STARTS_AFTER.match(after) else ""
