"""Until when a statement holds, where it says so."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.dates import find_dates, sure_dates
from strata.language.dates.tense import clause_around, sentence_around, side_of
from strata.statements.stretches import stretch_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.language.dates import DateSpan

_OPEN = cue("expiry.open")
_UNTIL = cue("expiry.until")
# "From this week (2026-11-02 to 2026-11-08)": the brackets tell no end.
_BEGINNING = cue("expiry.beginning")
_UNTIL_AFTER = cue("expiry.until_after", 0)
_FROM = cue("expiry.from")
_FROM_AFTER = cue("expiry.from_after", 0)
_RECURS = cue("expiry.recurs")
_REASON = cue("expiry.reason")
_LABEL = cue("expiry.label")
_YEAR = re.compile(
    r"\b(?:until|till|through|by|before)(?: the)?(?: end of)? (?P<year>20\d\d)(?![\d-])",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"\s?[(]")
_RANGE_BEFORE = cue("expiry.range_before")
# Said of today these words plan; anything else of today has happened.
_PLANNED = cue("expiry.planned")
_HAPPENED = cue("expiry.happened")
_NOON = time(12, tzinfo=UTC)


def valid_until(text: str, said: date, *, bounded: bool = False) -> date | None:
    """
    Return the last day on which *text*, said on that day, holds; None if it tells none.

    A statement ends with the bound that it names ("until Friday", 到11月30日为止), with
    the stretch it is about ("this week only"), or with the event that it announces. What
    comes back, what begins on a day, and what has happened tell no end. Of what is known
    to last, only the end for which it is *bounded* counts.
    """
    plain = unicodedata.normalize("NFKC", text).replace("’", "'")
    plain = _BEGINNING.sub(r"\1", plain)
    if _OPEN.search(plain):
        return None
    anchor = datetime.combine(said, _NOON)
    years = (date(int(match["year"]), 12, 31) for match in _YEAR.finditer(plain))
    bounds = [*_bounds(plain, anchor), *years]
    if not bounded:
        bounds += stretch_ends(plain, said)
    ends = bounds or ([] if bounded else list(_events(plain, anchor)))
    return max((day for day in ends if day >= said), default=None)


def _bounds(text: str, anchor: datetime) -> Iterator[date]:
    spans = find_dates(text, anchor=anchor, prefer="future")
    for place, span in enumerate(spans):
        before, after = text[: span.start], text[span.end :]
        if not _UNTIL.search(before) and not _UNTIL_AFTER.match(after):
            continue
        weekdays = not span.written and _RANGE_BEFORE.search(before)
        if weekdays or _is_habit(text, span):
            continue
        yield _written_out(text, spans, place).last


def _is_habit(text: str, span: DateSpan) -> bool:
    """Say whether a bound comes back: "by 31 July every year", no "until" 2027."""
    has_year = re.search(r"20\d\d", text[span.start : span.end + 14]) is not None
    return (
        not has_year
        and _RECURS.search(sentence_around(text, span.start, span.end)) is not None
    )


def _written_out(text: str, spans: list[DateSpan], place: int) -> DateSpan:
    """Return the date in full that stands in brackets after the one at *place*."""
    span, following = spans[place], spans[place + 1 : place + 2]
    if following and _BRACKET.fullmatch(text, span.end, following[0].start):
        return following[0]
    return span


def _events(text: str, anchor: datetime) -> Iterator[date]:
    spans = sure_dates(text, anchor=anchor)
    # "On 12 June (2027-06-12), next year": the day says it better.
    exact = [span for span in spans if span.grain not in {"month", "year"}]
    for span in exact or spans:
        before, after = clause_around(text, span.start, span.end)
        several = span.grain == "day" and span.first < span.last
        begins = _FROM.search(before) or _LABEL.search(before)
        if (begins and not several) or _FROM_AFTER.match(after):
            continue
        if _REASON.search(text[: span.start]):
            continue
        if _RECURS.search(sentence_around(text, span.start, span.end)):
            continue
        if span.first <= anchor.date() <= span.last and _is_past(text, span):
            continue
        yield span.last


def _is_past(text: str, span: DateSpan) -> bool:
    """Say whether what is told of today or this week has happened already."""
    clause = " ".join(clause_around(text, span.start, span.end))
    if _HAPPENED.search(clause) or side_of(text, span.start, span.end) == "past":
        return True
    words = text[span.start : span.end]
    today = span.grain == "day" and span.first == span.last
    return today and not _PLANNED.search(words + " " + clause)
