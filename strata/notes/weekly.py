"""
The weekly summary: what a week's days decided, found, preferred and did.

A day's section exists once; what stands there is never rewritten, and what was said late
follows it. Only what a hand took out of the day leaves it.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from strata.notes.entries import split_tag, tag_name
from strata.notes.foreign import statements_in
from strata.notes.headings import DAY, as_day, monday_of, week_title
from strata.notes.marks import folded, with_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from strata.models import Language
    from strata.notes.foreign import Told


def weekly_path(day: date) -> str:
    """Return the relative path of the summary of the week that *day* is in."""
    return f"memory/weekly/{monday_of(day).isoformat()}.md"


def days_in(text: str) -> set[date]:
    """Return the days that have a section in the weekly summary *text*."""
    return {day for found in DAY.findall(text) if (day := as_day(found))}


def add_day(
    text: str, day: date, lines: Sequence[str], language: Language = "en"
) -> str:
    """
    Return the weekly summary *text* with *lines* in the section of *day*.

    Where the day has a section, what stands there stays and the lines follow it: they came
    late. A day that comes late goes to its place in the week. Of a new week *language* is
    that of its title.
    """
    if not lines:
        return text
    sections = list(DAY.finditer(text))
    for place, found in enumerate(sections):
        if found[1] == day.isoformat():
            end = (
                sections[place + 1].start() if place + 1 < len(sections) else len(text)
            )
            return _with_more(text, found.end(), end, lines)
        if found[1] > day.isoformat():
            return f"{text[: found.start()]}{_section(day, lines)}\n{text[found.start() :]}"
    if not text.strip():
        return f"{week_title(monday_of(day), language)}\n\n{_section(day, lines)}"
    ended = text if text.endswith("\n") else f"{text}\n"
    return f"{ended}\n{_section(day, lines)}"


def lines_of(text: str, day: date) -> list[str]:
    """Return the lines of the section of *day* in the weekly summary *text*."""
    sections = list(DAY.finditer(text))
    for place, found in enumerate(sections):
        if found[1] == day.isoformat():
            end = (
                sections[place + 1].start() if place + 1 < len(sections) else len(text)
            )
            told = text[found.end() : end].split("\n")
            return [line.rstrip("\r") for line in told if line.strip()]
    return []


def summarise_day(
    note: str,
    day: date,
    *,
    reworded: Mapping[str, str] = MappingProxyType({}),
    days_of: Callable[[date, str], Sequence[date]] = lambda day, _line: [day],
) -> list[str]:
    """
    Return the weekly lines of a daily *note*, each with its source.

    What carries a tag is kept, once; so is all that people or other programs wrote, in
    whatever form. Requests and events of ours stay in the archived note, unless the day
    has nothing else. *reworded* has the lines that stand for entries of ours, "" for none;
    *days_of* tells the days on which such a line rests.
    """
    told = [(_line(each), each.ours) for each in statements_in(note)]
    lines = [
        (reworded.get(line, line) if ours else line, not ours or line in reworded)
        for line, ours in told
    ]
    kept = [line for line, chosen in lines if line and (chosen or split_tag(line)[0])]
    kept = _distinct(kept or [line for line, _ in lines if line])
    return [with_source(line, days_of(day, line)) for line in kept]


def entries_of(note: str) -> list[str]:
    """Return the entries of ours in a daily *note*, as `summarise_day` reads them."""
    return [_line(each) for each in statements_in(note) if each.ours]


def _line(told: Told) -> str:
    if told.kind is None or split_tag(told.text)[0]:
        return told.text
    hanzi = re.search(r"[\u3400-\u9fff]", told.text)
    return f"[{tag_name(told.kind, 'zh' if hanzi else 'en')}] {told.text}"


def _section(day: date, lines: Sequence[str]) -> str:
    return "\n".join([f"### {day.isoformat()}", *lines]) + "\n"


def _with_more(text: str, start: int, end: int, lines: Sequence[str]) -> str:
    body = text[start:end].rstrip()
    gap = text[start + len(body) : end] or "\n"
    more = "".join(f"\n{line}" for line in lines)
    return f"{text[:start]}{body}{more}{gap}{text[end:]}"


def _distinct(lines: Iterable[str]) -> list[str]:
    return list({folded(line): line for line in reversed(list(lines))}.values())[::-1]
