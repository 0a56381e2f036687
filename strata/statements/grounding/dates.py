"""Whether the days that a statement names are those that its words mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.dates import find_dates
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, tzinfo

    from strata.language.dates import DateSpan
    from strata.models import Evidence

# As dates are written that somebody has worked out: a day, or in brackets a month or year.
_WORKED_OUT = re.compile(
    r"20\d\d-\d\d-\d\d|(?<=[(\uff08])20\d\d(?:-\d\d)?(?=[)\uff09])"
)
# What brackets leave behind.
_EMPTY = re.compile(r"\s?[(\uff08](?:\s|to)*[)\uff09]")


def strange_date(
    text: str, evidence: Sequence[Evidence], timezone: tzinfo
) -> tuple[str | None, str]:
    """
    Return the first date in *text* that *evidence* does not mean, and *text* undated.

    Dates in whatever words count, as of the day on which the evidence was said.
    """
    undated, worked_out = as_said(text), _WORKED_OUT.findall(text)
    anchor = evidence[0].said_at.astimezone(timezone)
    spans = find_dates(undated, anchor=anchor, prefer="future")
    if not (spans or worked_out):
        return None, undated
    meant = list(_meant(evidence, timezone))
    periods = {(span.first, span.last) for span in meant}
    periods |= {
        (day, day)
        for span in meant
        if span.grain in {"day", "stretch"}
        for day in (span.first, span.last)
    }
    quoted = " . ".join(read(each.quote).plain for each in evidence)
    days = {day.isoformat() for span in meant for day in _days(span)}
    known = days | {day[:4] for day in days} | {day[:7] for day in days}
    strange: str | None = None
    for day in worked_out:
        if day not in known and day not in quoted:
            strange = day
    for span in reversed(spans):
        words = undated[span.start : span.end]
        past = find_dates(words, anchor=anchor, prefer="past")
        told = {(each.first, each.last) for each in (span, *past)}
        if not told & periods and read(words).plain not in quoted:
            strange = words
        undated = f"{undated[: span.start]} {undated[span.end :]}"
    return strange, undated


def as_said(text: str) -> str:
    """Return *text* without the dates that somebody has worked out."""
    return _EMPTY.sub("", _WORKED_OUT.sub("", text))


def _meant(evidence: Sequence[Evidence], timezone: tzinfo) -> Iterator[DateSpan]:
    """Give every date that the quoted words can mean."""
    for cited in evidence:
        anchor = cited.said_at.astimezone(timezone)
        for prefer in ("past", "future"):
            yield from find_dates(cited.quote, anchor=anchor, prefer=prefer)


def _days(span: DateSpan) -> Iterator[date]:
    """Give the days by which *span* is written: its ends, and what lies between."""
    yield from (span.first, span.last, span.first + (span.last - span.first) / 2)
