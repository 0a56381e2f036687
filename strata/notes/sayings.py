"""What the lines of a memory file say, in a form that layout and spelling do not change."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from strata.notes.daily import HEADING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"^#{1,6}\s")
_TAG = re.compile(r"^\s*\[[^\]]{2,12}\]\s*")
_SOURCE = re.compile(r"\(src: (\d{4}-\d\d-\d\d(?:, \d{4}-\d\d-\d\d)*)\)")
_COMMENT = re.compile(r"<!--.*?-->")
_MARK = re.compile(r"\(src: [\d, -]+\)|<!--.*?-->")
_LEAD = re.compile(
    r"(?:\s*(?:[-*+]|\d{1,3}[.)])\s+|[#> \t]*)(?:\s*\[[^\]]{2,12}\]\s*)?"
)
_TIMED = re.compile(r"^#{2,6} ([01]\d:[0-5]\d|2[0-3]:[0-5]\d)\b")
_SECTION = re.compile(r"^### (\d{4}-\d\d-\d\d)\s*$")
_TITLE = re.compile(r"^# (?:Week of )?\d{4}-\d\d-\d\d\s*$")
_WEEKLY = re.compile(r"memory/weekly/[^/]+\.md")
_DAILY = re.compile(r"memory/(?:archive/(?:\d{4}/)?|daily/)?(\d{4}-\d\d-\d\d)[^/]*")
# Ideographs and kana are words of one letter each: nothing tells where a word ends.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    r"|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)


@dataclass(frozen=True, slots=True)
class Said:
    """
    One line of a memory file, *raw* as it stands.

    *day* is the day of the note or the section that it stands in, *moment* the latest at
    which it can have been said, an ISO date with the time where that is known, or "".
    *frame* marks what only carries others: titles, days, the heading of a conversation.
    """

    number: int
    raw: str
    day: date | None
    moment: str
    frame: bool = False

    @property
    def label(self) -> str:
        """The conversation of whose block it is the heading, or ""."""
        found = HEADING.match(self.raw)
        return found["label"] if found else ""

    @property
    def text(self) -> str:
        """What it says."""
        return spoken(self.raw)


def sayings(path: str, text: str) -> Iterator[Said]:
    """Yield every line of *text*, the memory file *path*, that is not blank."""
    named = _DAILY.fullmatch(path)
    weekly = bool(_WEEKLY.fullmatch(path)) or text.startswith("# Week of ")
    day, time = (_date(named[1]) if named else None), ""
    for number, line in enumerate(text.split("\n"), 1):
        raw = line.rstrip("\r")
        if not raw.strip():
            continue
        if weekly and raw.startswith("#"):
            section = _SECTION.match(raw)
            day = _date(section[1]) if section else None
        elif found := _TIMED.match(raw):
            time = f"T{found[1]}"
        elif _HEADING.match(raw):
            time = ""
        moment = f"{day.isoformat()}{time}" if day else _latest_source(raw)
        yield Said(number, raw, day, moment, _is_frame(raw, weekly=weekly))


def spoken(line: str) -> str:
    """Return what *line* says, without its bullet, tag, source and comments."""
    bare = _SOURCE.sub(" ", _COMMENT.sub(" ", line))
    bare = _BULLET.sub("", bare) if _BULLET.match(bare) else bare.lstrip("#> \t")
    return _TAG.sub("", bare).strip()


def reworded(line: str, wording: str) -> str:
    """Return *line* saying *wording*, with the bullet, tag, source and comments it has."""
    lead = _LEAD.match(line)
    start = lead.end() if lead else 0
    said, rest = spoken(line), line[start:]
    if said in rest:
        return line[:start] + rest.replace(said, wording, 1)
    # A source or a comment stands within what it says.
    return " ".join([line[:start] + wording, *_MARK.findall(rest)])


def unbulleted(line: str) -> str:
    """Return *line* without its bullet."""
    return _BULLET.sub("", line).strip()


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of *text* in lower case, without any mark between them."""
    if not text.isascii():
        plain = unicodedata.normalize("NFKC", text)
        text = "".join(each for each in plain if unicodedata.category(each) != "Cf")
    return tuple(_WORD.findall(text.casefold()))


def contains(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Say whether *part* stands in *words*, in a row."""
    return any(each == part for each in windows(words, len(part))) if part else False


def windows(words: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
    """Yield every *size* of *words* in a row."""
    return (words[at : at + size] for at in range(len(words) - size + 1))


def continues(raw: str) -> bool:
    """Say whether *raw* can go on with a sentence of the line above it."""
    return not (_BULLET.match(raw) or _HEADING.match(raw) or raw.startswith((">", "|")))


def source_days(raw: str) -> tuple[date, ...]:
    """Return the days that a line names as its sources."""
    found = _SOURCE.search(raw)
    days = (_date(day) for day in found[1].split(", ")) if found else ()
    return tuple(day for day in days if day)


def _latest_source(raw: str) -> str:
    days = source_days(raw)
    return max(days).isoformat() if days else ""


def _is_frame(raw: str, *, weekly: bool) -> bool:
    if HEADING.match(raw) or _TITLE.match(raw):
        return True
    return weekly and _SECTION.match(raw) is not None


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
