"""Which dates a text names, if one knows on which side of today they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.language.calendar import MONTH_OR_SHORT, WEEK_CHINESE, WEEKDAY_OR_SHORT
from strata.language.dates.rules import rules
from strata.language.dates.spans import NEVER, DateSpan
from strata.patterns import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime

    from strata.language.dates.rules import Rule
    from strata.language.dates.spans import Preference

_HINT = pattern(
    rf"\d|day|week|month|quarter|year|night|morrow|ago|\bin\s|\b{WEEKDAY_OR_SHORT}"
    rf"|\b(?i:{MONTH_OR_SHORT})|[天日号月年晚早]|季度|{WEEK_CHINESE}|[今明昨]儿"
)
_RANGE = pattern(r"\s*(?:to|till|until|through|and|[-–~到至和])\s*")


def find_dates(text: str, *, anchor: datetime, prefer: Preference) -> list[DateSpan]:
    """
    Return the dates that *text* names, in order, without overlaps.

    *anchor* is the local time at which the words were said; *prefer* decides where a bare
    weekday or a day without a year could lie on either side of it. Weeks start on Monday.
    What cannot be resolved surely ("the 29th one", a weekday said on that weekday) is left
    out.
    """
    if not _HINT.search(text):
        return []
    return find_spans(text, rules("rules"), today=anchor.date(), prefer=prefer)


def find_spans(
    text: str, known: Sequence[Rule], *, today: date, prefer: Preference
) -> list[DateSpan]:
    """Return what *known* rules read in *text*; what one has read no later one reads."""
    spans: list[DateSpan] = []
    taken = bytearray(len(text))
    for span in _candidates(text, known, today, prefer):
        if not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            spans.append(span)
    spans.sort(key=lambda span: span.start)
    return [span for span in _in_order(text, spans) if span.first != NEVER[0]]


def _candidates(
    text: str, known: Sequence[Rule], today: date, prefer: Preference
) -> Iterator[DateSpan]:
    """Give what every rule reads; words that it cannot resolve keep looser rules off."""
    scripts: dict[re.Pattern[str], bool] = {}
    for rule in known:
        if rule.script not in scripts:
            scripts[rule.script] = rule.script.search(text) is not None
        if not scripts[rule.script]:
            continue
        for match in rule.pattern.finditer(text):
            try:
                first, last, grain = rule.resolve(match, today, prefer) or NEVER
            except (ValueError, OverflowError):
                first, last, grain = NEVER
            yield DateSpan(*match.span(), first, last, grain, rule.written)


def _in_order(text: str, spans: list[DateSpan]) -> Iterator[DateSpan]:
    """Give *spans*; "Tuesday to Friday" ends after it begins."""
    last: DateSpan | None = None
    for found in spans:
        span = found
        known = last is not None and last.first != NEVER[0]
        if last and known and _RANGE.fullmatch(text, last.end, span.start):
            span = span.after(last)
        yield span
        last = span
