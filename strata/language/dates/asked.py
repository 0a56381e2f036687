"""Which days a question is about, as far as its words say so beyond doubt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import WEEK_CHINESE, calendar
from strata.language.cues import HALF_WIDTH, cue
from strata.language.dates.finding import find_spans
from strata.language.dates.rules import rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from strata.language.dates.spans import DateSpan

_DAY = timedelta(days=1)
_FROM = cue("asked.from")
# "The week before August 3" is a week of its own.
_NEXT_TO = cue("asked.next_to")
_LEADS = cue("asked.leads")
_NEXT_DAY = re.compile(rf"^\s*的?(?P<side>前|后)一?个?(?P<unit>天|{WEEK_CHINESE}|月)")
_LENGTHS = {
    "day": 1, "night": 1, "天": 1, "week": 7, "weekend": 7, "month": 31, "月": 31,
    **dict.fromkeys(calendar("zh").weeks, 7),
}  # fmt: skip
_SINCE = cue("asked.since")
_FROM_ITSELF = cue("asked.from_itself")
_ONWARDS = cue("asked.onwards", 0)
_BEFORE = cue("asked.before")
_UP_TO = cue("asked.up_to")
_BEFORE_ITSELF = cue("asked.before_itself")
_BACKWARDS = cue("asked.backwards", 0)
_JOINED = cue("asked.joined")
_BOTH = cue("asked.both")
_BETWEEN = cue("asked.between")
_BETWEEN_AFTER = cue("asked.between_after", 0)
# A weekend or a time of day without a side is a habit as often as a date.
_VAGUE = cue("asked.vague")
_YEAR_TOLD = cue("asked.year_told")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days from *first* to *last*, both included; an end that is None is open."""

    first: date | None
    last: date | None

    def meets(self, first: date, last: date) -> bool:
        """Tell whether any of the days *first* to *last* lies within."""
        return (self.first is None or last >= self.first) and (
            self.last is None or first <= self.last
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """
    The days that a question names.

    *words* are the places of what names them, and *relative* says that it does so from
    today on.
    """

    stretches: tuple[Stretch, ...]
    words: tuple[tuple[int, int], ...]
    relative: bool


def asked_days(text: str, today: date) -> Asked:
    """
    Return the days that the question *text*, asked on *today*, is about.

    What does not say on which side of today it lies is looked for in the past. A day and
    a month without a year that are still to come mean last year's as well.
    """
    folded = text.translate(HALF_WIDTH)
    spans = [
        span
        for span in find_spans(
            folded, (*rules("asked"), *rules("rules")), today=today, prefer="past"
        )
        if not _VAGUE.fullmatch(folded, span.start, span.end)
    ]
    return Asked(
        stretches=tuple(dict.fromkeys(_stretches(folded, spans, today))),
        words=tuple((span.start, span.end) for span in spans),
        relative=any(not span.written for span in spans),
    )


def _stretches(text: str, spans: Sequence[DateSpan], today: date) -> Iterator[Stretch]:
    """Give each stretch; "from Monday to Friday" is one."""
    waiting = list(spans)
    while waiting:
        span = waiting.pop(0)
        if waiting and _LEADS.fullmatch(text, span.end, waiting[0].start):
            continue
        if waiting and _belong(text, span, waiting[0]):
            other = waiting.pop(0)
            yield Stretch(span.first, max(span.last, other.last))
        else:
            yield from _bounded(text, span, today)


def _belong(text: str, one: DateSpan, two: DateSpan) -> bool:
    if two.first < one.first:
        return False
    if _JOINED.fullmatch(text, one.end, two.start):
        return True
    between = _BETWEEN.search(text[: one.start]) and (
        text[: one.start].rstrip().lower().endswith("between")
        or _BETWEEN_AFTER.search(text[two.end :])
    )
    return bool(between and _BOTH.fullmatch(text, one.end, two.start))


def _bounded(text: str, span: DateSpan, today: date) -> Iterator[Stretch]:
    """Open one end of *span* where the words around it say since, after or before."""
    before, own, after = (
        text[: span.start],
        text[span.start : span.end],
        text[span.end :],
    )
    beside = _NEXT_TO.search(before) or _NEXT_DAY.search(after)
    whole = span.grain == "stretch" and not _SINCE.search(before)
    if beside:
        yield _beside(beside, span)
    elif (
        (_FROM.search(before) and not whole)
        or _FROM_ITSELF.search(own)
        or _ONWARDS.search(after)
    ):
        yield Stretch(_past(span, own, today)[0], None)
    elif (
        _BEFORE.search(before) or _BEFORE_ITSELF.search(own) or _BACKWARDS.search(after)
    ):
        itself = _UP_TO.search(before + own) is not None
        yield Stretch(None, span.last if itself else span.first - _DAY)
    else:
        yield Stretch(span.first, span.last)
        if _past(span, own, today)[0] != span.first:
            yield Stretch(*_past(span, own, today))


def _beside(match: re.Match[str], span: DateSpan) -> Stretch:
    length = timedelta(days=_LENGTHS[match["unit"].lower()])
    if match["side"].lower() in ("after", "后"):
        return Stretch(span.last + _DAY, span.last + length)
    return Stretch(span.first - length, span.first - _DAY)


def _past(span: DateSpan, own: str, today: date) -> tuple[date, date]:
    """Return *span* a year earlier where it names no year and is still to come."""
    if span.first <= today or not span.written or _YEAR_TOLD.search(own):
        return span.first, span.last
    try:
        return (
            span.first.replace(year=span.first.year - 1),
            span.last.replace(year=span.last.year - 1),
        )
    except ValueError:
        return span.first, span.last
