"""Which dates a text names beyond doubt: a false date is worse than none."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.calendar import (
    DAY_CHINESE,
    DIGITS_CHINESE,
    WEEK_CHINESE,
    WEEKDAY_ENGLISH,
    WEEKDAY_OR_SHORT,
)
from strata.language.dates.finding import find_dates
from strata.language.dates.tense import clause_around, sentence_around, side_of

if TYPE_CHECKING:
    from datetime import datetime

    from strata.language.dates.spans import DateSpan

# One width for what Chinese keyboards write.
_WIDTHS = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | {"’": "'", "‘": "'"}
)
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”]*”|「[^」]*」|『[^』]*』")
_DAYS = f"{WEEKDAY_ENGLISH}s"
# What comes back again and again: even "tomorrow" is then no certain day.
_RECURS = (
    r"\b(?:every|each|daily|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?"
    r"|whenever|regular(?:ly)?|once a|twice a|per (?:week|month|year)|recurring"
    r"|weekdays"
    rf"|on weekends|{_DAYS})\b|每|逢|固定|当天|定期|隔周|雷打不动|例会"
)
_RECURRENT = re.compile(_RECURS, re.IGNORECASE)
_HABIT = re.compile(
    rf"{_RECURS}|\b(?:always|never|usually|normally|generally|typically|as a rule"
    r"|any ?time|from (?:now|here|then) on|going forward|by default|no matter|rarely"
    r"|seldom|often|sometimes|polic(?:y|ies)|rules?|habit|once, and|standing"
    r"|no other (?:time|day)|office hours|opening hours|thing (?:with|for) me)\b"
    r"|一律|永远|从来|从不|总是|老是|一般|平时|通常|向来|习惯|往后|今后|凡是?|不许|不准"
    rf"|(?<!{DAY_CHINESE})(?<![末号月年底点])以后|等于|起{WEEK_CHINESE}|店休|公休|轮休"
    r"|营业|门诊|坐诊|都(?=[在不是要得有])|只[在能许]|要[^,。;]{1,8}就"
    r"|双周|[周月]报|[周晨早]会"
    # Where one keeps it in the week: 家访我放在周二, 从下周开始.
    r"|我们?(?:都|一般)?(?:放|排|定|留|约|安排)在"
    rf"|从[这下本](?:个?月|个?{WEEK_CHINESE}|学期)(?:起|开始)",
    re.IGNORECASE,
)
# A weekday or a month by its name, not by its distance from today.
_NAMED = re.compile(
    rf"{WEEKDAY_OR_SHORT}(?!th)|{WEEK_CHINESE}(?:{DAY_CHINESE}|末)",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(r"\bborn\b|birthday|anniversary|生日|出生|纪念日", re.IGNORECASE)
# Where a rule begins or ends is a day of its own.
_BOUND_BEFORE = re.compile(
    r"\b(?:from|as of|starting|beginning|since|until|till)\s+(?:on\s+)?$"
    r"|[从自到至]\s*$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r"^\s*(?:on(?:wards?)?\b(?! )|on,|only\b|起|开始|为止|之?前)")
_VAGUE_BEFORE = re.compile(
    r"\b(?:about|around|regarding|concerning|re:?|the|my|our|your|his|her|their|if it's"
    r"|when it's|because it's|it's)\s+$|(?:关于|有关)\s*$",
    re.IGNORECASE,
)
_BAN = re.compile(
    r"\b(?:don't|do not|no \w+|nothing|nobody|not)\s+(?:\w+\s+){0,4}on\s+$",
    re.IGNORECASE,
)
_SPOKEN_FOR = re.compile(
    r"\b(?:i'm|we're|is|are|am|be|he's|she's)\s+not\b", re.IGNORECASE
)
_MONTH_AHEAD = re.compile(
    r"\b(?:will|going to|due|until|till|by|deadline|plans?|planned|release[sd]?|moves?"
    r"|opens?|closes?|starts?|ends?|goes? (?:out|live))\b|'ll\b"
    r"|前|将|计划|截止|上线|交付|到期",
    re.IGNORECASE,
)
_YEAR_TOLD = re.compile(r"20\d\d|年|\b(?:next|last|this)\b", re.IGNORECASE)
_BESIDE = re.compile(r"[\s,(、]*(?:the\s|on\s)?\s*")
_RELATED = re.compile(r"[\u3400-\u9fff]$")
_OWN_WORD = re.compile(r"[我你他她就再在约等大们是]$")
_DISTANCE = re.compile(
    rf"^(?:\d|[{DIGITS_CHINESE}十])+\s*个?(?:天|日|{WEEK_CHINESE}|月|年)"
)
_SIDE_OF_WEEK = re.compile(
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
    folded = text.translate(_WIDTHS)
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
    named = _NAMED.search(text[span.start : span.end]) or span.grain == "month"
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
