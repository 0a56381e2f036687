"""Which dates a text names beyond doubt: a false date is worse than none."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.calendar import (
    DAY_CHINESE,
    DIGITS_CHINESE,
    WEEK_CHINESE,
    WEEKDAY,
    WEEKDAY_ENGLISH,
    WEEKDAY_OR_SHORT,
)
from strata.language.cues import HALF_WIDTH, cue
from strata.language.dates.finding import find_dates
from strata.language.dates.tense import clause_around, sentence_around, side_of
from strata.patterns import pattern

if TYPE_CHECKING:
    from datetime import datetime

    from strata.language.dates.spans import DateSpan

_QUOTED = pattern(r"\"[^\"\n]*\"|“[^”]*”|「[^」]*」|『[^』]*』")
_DAYS = f"{WEEKDAY_ENGLISH}s"
# A day by its number alone; bills and wages are due on it in every month.
_NUMBERED = pattern(
    rf"the\s+\d\d?(?:st|nd|rd|th)$|[\d{DIGITS_CHINESE}十]+号", re.IGNORECASE
)
_ON_TO = pattern(r"\s*(?:to\b|through\b|until\b|till\b|[-–~到至])", re.IGNORECASE)
_MONTHLY = cue("certainty.monthly")
# What comes back again and again: even "tomorrow" is then no certain day.
_RECURRENT = cue("certainty.recurrent")
_HABIT = cue("certainty.habit")
# A weekday or a month by its name, not by its distance from today.
_NAMED = pattern(
    rf"{WEEKDAY_OR_SHORT}(?!th)|{WEEK_CHINESE}(?:{DAY_CHINESE}|末)",
    re.IGNORECASE,
)
_BARE_WEEKDAY = pattern(rf"(?:on\s+)?{WEEKDAY}s?", re.IGNORECASE)
_BIRTHDAY = cue("certainty.birthday")
# Where a rule begins or ends is a day of its own.
_BOUND_BEFORE = cue("certainty.bound_before")
_BOUND_AFTER = cue("certainty.bound_after", 0)
_VAGUE_BEFORE = cue("certainty.vague_before")
_BAN = cue("certainty.ban")
_SPOKEN_FOR = cue("certainty.spoken_for")
_MONTH_AHEAD = cue("certainty.month_ahead")
_YEAR_TOLD = cue("certainty.year_told")
_BESIDE = pattern(r"[\s,(、]*(?:the\s|on\s)?\s*")
_RELATED = pattern(r"[\u3400-\u9fff]$")
_OWN_WORD = cue("certainty.own_word", 0)
_DISTANCE = pattern(
    rf"^(?:\d|[{DIGITS_CHINESE}十])+\s*个?(?:天|日|{WEEK_CHINESE}|月|年)"
)
_SIDE_OF_WEEK = pattern(
    rf"^(next|last|past|previous|this)\s+(?={WEEKDAY_OR_SHORT}(?!th))",
    re.IGNORECASE,
)
_NEAR = 2
# Who is still awake means by "tomorrow" what the calendar calls today.
_SMALL_HOURS = 5


def sure_dates(text: str, *, anchor: datetime) -> list[DateSpan]:
    """
    Return the dates that *text*, said at the local time *anchor*, means beyond doubt.

    Requests, plans and appointments look ahead, the past tense looks back. A day that comes
    back ("every Friday", 每周五), a quoted one and one that could lie on either side of
    today is left out; so is a month without a year in a habit.
    """
    folded = text.translate(HALF_WIDTH)
    ahead = find_dates(folded, anchor=anchor, prefer="future")
    past = find_dates(folded, anchor=anchor, prefer="past")
    behind = {(span.start, span.end): span for span in past}
    quoted = [match.span() for match in _QUOTED.finditer(folded)]
    sure: list[DateSpan] = []
    for span in _one_per_day(folded, ahead):
        if any(start < span.start < end for start, end in quoted):
            continue
        other = behind.get((span.start, span.end), span)
        chosen = _chosen(folded, span, other, anchor)
        if chosen is not None:
            sure.append(chosen)
    return sure


def is_named_only(text: str, span: DateSpan) -> bool:
    """
    Say whether *span* of *text* is a weekday or a number, which may come back.

    "From Monday on" is a certain one, unlike "from Monday to Friday".
    """
    words = text[span.start : span.end]
    before, after = clause_around(text, span.start, span.end)
    bound = _BOUND_BEFORE.search(before) or _BOUND_AFTER.search(after)
    if bound and not _ON_TO.match(after):
        return False
    return bool(_BARE_WEEKDAY.fullmatch(words) or _NUMBERED.match(words))


def _one_per_day(text: str, spans: list[DateSpan]) -> list[DateSpan]:
    """Leave out a weekday beside a date; if it is another day's, the date as well."""
    dropped: set[int] = set()
    for one, two in pairwise(spans):
        beside = _BESIDE.fullmatch(text, one.end, two.start)
        if (
            not beside
            or one.written == two.written
            or "month" in (one.grain, two.grain)
        ):
            continue
        day, date = (two, one) if one.written else (one, two)
        if day.grain != "day":
            continue
        dropped.add(day.start)
        if day.first.weekday() != date.first.weekday():
            dropped.add(date.start)
    return [span for span in spans if span.start not in dropped]


def _chosen(
    text: str, span: DateSpan, other: DateSpan, anchor: datetime
) -> DateSpan | None:
    """Return *span*, or the *other* one that lies in the past, or None if unsure."""
    words = text[span.start : span.end]
    if span.written and _YEAR_TOLD.search(words) and span.grain == "day":
        return span
    if _is_habit(text, span):
        return None
    if span.written and span.grain == "month" and not _YEAR_TOLD.search(words):
        return _month(text, span, other)
    if span.first != other.first:
        return _by_tense(text, span, other)
    return None if _is_doubtful(text, span, anchor) else span


def _is_habit(text: str, span: DateSpan) -> bool:
    before, after = clause_around(text, span.start, span.end)
    if _BOUND_BEFORE.search(before) or _BOUND_AFTER.search(after):
        return False
    clause = f"{before} {after}"
    if span.written and span.grain == "day":
        return bool(_HABIT.search(clause) or _BIRTHDAY.search(clause))
    sentence = sentence_around(text, span.start, span.end)
    words = text[span.start : span.end]
    numbered = _NUMBERED.match(words)
    if numbered and _MONTHLY.search(sentence):
        return True
    named = _NAMED.search(words) or numbered or span.grain == "month"
    return (_HABIT if named else _RECURRENT).search(sentence) is not None


def _month(text: str, span: DateSpan, other: DateSpan) -> DateSpan | None:
    """Return a month without a year only where the tense is outspoken."""
    words = text[span.start : span.end]
    if words.lower().startswith("since"):
        return other
    side = side_of(text, span.start, span.end)
    before, after = clause_around(text, span.start, span.end)
    if side == "future":
        return span if _MONTH_AHEAD.search(before + words + after) else None
    return other if side == "past" else None


def _by_tense(text: str, span: DateSpan, other: DateSpan) -> DateSpan | None:
    before, _ = clause_around(text, span.start, span.end)
    if not span.written and (
        text.startswith("'s", span.end)
        or _VAGUE_BEFORE.search(before)
        or (_BAN.search(before) and not _SPOKEN_FOR.search(before))
    ):
        return None
    side = side_of(text, span.start, span.end)
    return {"future": span, "past": other, None: None}[side]


def _is_doubtful(text: str, span: DateSpan, anchor: datetime) -> bool:
    """Doubt "next Friday" on a Monday, "tomorrow" after midnight, 交付三天后."""
    if span.written:
        return False
    words, today = text[span.start : span.end], anchor.date()
    days = (span.first - today).days
    if anchor.hour < _SMALL_HOURS and span.grain == "day" and abs(days) <= _NEAR:
        return True
    if _DISTANCE.match(words):
        before = text[: span.start]
        return bool(_RELATED.search(before)) and not _OWN_WORD.search(before)
    if words.startswith("周末"):
        return True
    side = _SIDE_OF_WEEK.match(words)
    return side is not None and _is_near(side[1].lower(), days)


def _is_near(side: str, days: int) -> bool:
    """Say whether "next Friday" may be the coming one, "last Friday" the one before."""
    if side == "next":
        return days - 7 > _NEAR
    return days < 0 if side == "this" else -days <= _NEAR
