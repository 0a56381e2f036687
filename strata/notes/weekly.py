"""
The weekly summary: what a week's days decided, found, preferred and did.

A day's section exists once; what stands there is never rewritten.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from strata.models import Tag
from strata.notes.daily import folded
from strata.notes.entries import CHINESE_TAGS, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SECTION = re.compile(r"^### (\d{4}-\d\d-\d\d)[ \t]*\r?$", re.MULTILINE)
_TAGS = {tag.value for tag in Tag} | set(CHINESE_TAGS.values())
_TAGGED = re.compile(r"\[(" + "|".join(sorted(_TAGS)) + r")\]\s*\S")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(\S.*)")


def monday_of(day: date) -> date:
    """Return the Monday of the ISO week that *day* is in."""
    return day - timedelta(days=day.weekday())


def weekly_path(day: date) -> str:
    """Return the relative path of the summary of the week that *day* is in."""
    return f"memory/weekly/{monday_of(day).isoformat()}.md"


def days_in(text: str) -> set[date]:
    """Return the days that have a section in the weekly summary *text*."""
    return set(_dates(_SECTION.findall(text)))


def add_day(text: str, day: date, lines: Sequence[str]) -> str:
    """Return the weekly summary *text* with a section for *day*, unless it has one."""
    if day in days_in(text):
        return text
    section = "\n".join([f"### {day.isoformat()}", *lines]) + "\n"
    if not text.strip():
        return f"# Week of {monday_of(day).isoformat()}\n\n{section}"
    for found in _SECTION.finditer(text):
        if found[1] > day.isoformat():
            # A day that arrives late goes to its place in the week.
            return f"{text[: found.start()]}{section}\n{text[found.start() :]}"
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{ended}\n{section}"


def summarise_day(note: str, day: date) -> list[str]:
    """
    Return the weekly lines of a daily *note*, each with its source.

    What carries a tag is kept, once; so is every bullet that people or other programs
    wrote outside our blocks. Requests and events of ours stay in the archived note,
    unless the day has nothing else.
    """
    bullets = list(_bullets(note))
    kept = [line for line, ours in bullets if _TAGGED.match(line) or not ours]
    kept = kept or [line for line, _ in bullets]
    return [f"{line} (src: {day.isoformat()})" for line in _distinct(kept)]


def _bullets(note: str) -> Iterator[tuple[str, bool]]:
    """Yield each bullet of *note* and whether it stands in one of our blocks."""
    ours = False
    for line in note.splitlines():
        if line.startswith("#"):
            ours = line.startswith("## ") and " session:" in line
        elif found := _BULLET.match(line):
            yield one_line(found[1]), ours


def _distinct(lines: Iterable[str]) -> list[str]:
    return list({folded(line): line for line in reversed(list(lines))}.values())[::-1]


def _dates(texts: Iterable[str]) -> Iterator[date]:
    for text in texts:
        try:
            yield date.fromisoformat(text)
        except ValueError:
            continue
