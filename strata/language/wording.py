"""The one line that an entry is: the words that were said, without what surrounds them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from strata.language.calendar import WEEKDAY_ENGLISH
from strata.language.cues import cue
from strata.language.dates import is_named_only, sure_dates
from strata.language.sentences import language_of
from strata.notes.entries import worded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from strata.language.dates import DateSpan
    from strata.models import Fact

LONGEST = 300
# Less of what an entry is about tells nothing.
_SHORTEST_TOPIC = 40

_OPENING = cue("wording.opening")
_CLOSING = cue("wording.closing")
_YEAR = re.compile(r"20\d\d")
_TOLD = re.compile(r"\s?[(\uff08]20\d\d")
_POSSESSIVE = re.compile(r"['’]s\b")
# "Tomorrow's Wednesday" is no possessive; the weekday after it gets the date.
_IS_WEEKDAY = re.compile(rf"['’]s {WEEKDAY_ENGLISH}", re.IGNORECASE)
# A word that people read: no path, no option, no "npm", no "foo-kit".
_FIRST_WORD = re.compile(r"(?=\w*[aeiouy])[a-z]+(?:['’][a-z]+)*(?=[\s,:;!?]|\.?$|\. )")


def trim(text: str) -> str:
    """Return *text* without greetings, thanks and other openings and closings."""
    shorter = _CLOSING.sub("", text).strip()
    while (match := _OPENING.match(shorter)) and shorter[match.end() :].strip():
        shorter = shorter[match.end() :].strip()
    return (shorter or text).strip(" ,\uff0c;")


def with_dates(
    text: str,
    said_at: datetime,
    *,
    standing: bool = False,
    quotes: Sequence[str] = (),
) -> str:
    """
    Return *text* with each date that is not written in full followed by the full one.

    In what is *standing* a weekday by itself is that day of every week, and a number that
    of every month, unless it begins or ends there. Where *text* is
    another wording of *quotes*, the same words mean what they mean there.
    """
    told: dict[str, tuple[int, str]] = {}
    for found in sure_dates(text, anchor=said_at):
        if _IS_WEEKDAY.match(text, found.end):
            continue
        if standing and is_named_only(text, found):
            continue
        span = _as_said(found, text, quotes, said_at)
        if span is None:
            continue
        own = _POSSESSIVE.match(text, span.end)
        words, end = text[span.start : span.end], own.end() if own else span.end
        if not _YEAR.search(words) and not _TOLD.match(text, end):
            told.setdefault(_period(span), (end, words))
    for period, (end, words) in reversed(told.items()):
        text = f"{text[:end]}{_bracketed(words, period)}{text[end:]}"
    return text


def _as_said(
    span: DateSpan, text: str, quotes: Sequence[str], said_at: datetime
) -> DateSpan | None:
    """Return *span* of *text* with the days that its words mean in *quotes*, if sure."""
    words = text[span.start : span.end].casefold()
    there = [quote for quote in quotes if words in quote.casefold()]
    for quote in there:
        for said in sure_dates(quote, anchor=said_at):
            if quote[said.start : said.end].casefold() == words:
                return replace(span, first=said.first, last=said.last)
    return None if there else span


def capitalised(text: str) -> str:
    """Return *text* with a capital first letter, unless a file or command comes first."""
    word = _FIRST_WORD.match(text)
    return text[0].upper() + text[1:] if word else text


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return *text* in at most *longest* characters, cut where a reader expects it."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    ends = [cut.rfind(mark) + len(mark.rstrip()) for mark in (". ", "。", "! ", "; ")]
    if max(ends) > longest // 2:
        return cut[: max(ends)]
    space = cut.rfind(" ", longest // 2)
    return (cut[:space] if space > 0 else cut) + "…"


def within(fact: Fact) -> Fact:
    """Return *fact* with a line of at most `LONGEST` characters, however it is framed."""
    length = len(worded(fact.entry))
    if length <= LONGEST:
        return fact
    if (room := len(fact.topic) - (length - LONGEST)) >= _SHORTEST_TOPIC:
        return replace(fact, topic=shortened(fact.topic, room))
    bare = replace(fact, topic="")
    around = len(worded(bare.entry)) - len(fact.text)
    return replace(bare, text=shortened(fact.text, LONGEST - around))


def _bracketed(words: str, period: str) -> str:
    return f"({period})" if language_of(words) == "zh" else f" ({period})"


def _period(span: DateSpan) -> str:
    if span.first == span.last:
        return span.first.isoformat()
    if span.grain == "month":
        return f"{span.first:%Y-%m}"
    if span.grain == "year":
        return str(span.first.year)
    joint = " to " if span.last - span.first >= timedelta(days=1) else ""
    return f"{span.first.isoformat()}{joint}{span.last.isoformat()}"
