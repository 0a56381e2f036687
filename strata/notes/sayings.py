"""What the lines of a memory file say, in a form that layout and spelling do not change."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.notes.headings import (
    as_day,
    day_of,
    is_of_a_week,
    is_title,
    session_of,
    time_of,
)
from strata.notes.markdown import heading, in_code, is_item, lines_of
from strata.notes.marks import source_days, spoken
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

_WEEKLY = pattern(r"memory/weekly/[^/]+\.md")
_DAILY = pattern(r"memory/(?:archive/(?:\d{4}/)?|daily/)?(\d{4}-\d\d-\d\d)[^/]*")
# Ideographs and kana are words of one letter each: nothing tells where a word ends.
_WORD = pattern(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
    r"|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
# The format characters of Unicode, which may stand within a word and are none of it.
_UNSEEN = pattern(
    r"[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
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
        session = session_of(self.raw)
        return session.label if session else ""

    @property
    def text(self) -> str:
        """What it says."""
        return spoken(self.raw)


def sayings(path: str, text: str) -> Iterator[Said]:
    """Yield every line of *text*, the memory file *path*, that is not blank."""
    named = _DAILY.fullmatch(path)
    weekly = bool(_WEEKLY.fullmatch(path)) or is_of_a_week(text)
    day, time = (as_day(named[1]) if named else None), ""
    lines = lines_of(text)
    code = in_code(lines, [at for at, line in enumerate(lines) if session_of(line)])
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        titled = number - 1 not in code and heading(raw)
        if weekly and titled:
            day = day_of(raw)
        elif titled:
            named_time = time_of(raw)
            time = f"T{named_time}" if named_time else ""
        moment = f"{day.isoformat()}{time}" if day else _latest_source(raw)
        yield Said(number, raw, day, moment, _is_frame(raw, weekly=weekly))


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of *text* in lower case, without any mark between them."""
    if not text.isascii():
        plain = unicodedata.normalize("NFKC", text)
        text = "".join(each for each in plain if unicodedata.category(each) != "Cf")
    return tuple(_WORD.findall(text.casefold()))


def may_say(text: str, words: tuple[str, ...]) -> bool:
    """Say at a glance whether a line of *text* can consist of *words*; most can not."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        # What can be printed has none, and that is known in no time.
        if not text.replace("\n", "").isprintable() and _UNSEEN.search(text):
            return True
    folded = text.casefold()
    return all(word in folded for word in words)


def contains(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Say whether *part* stands in *words*, in a row."""
    return any(each == part for each in windows(words, len(part))) if part else False


def windows(words: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
    """Yield every *size* of *words* in a row."""
    return (words[at : at + size] for at in range(len(words) - size + 1))


def continues(raw: str) -> bool:
    """Say whether *raw* can go on with a sentence of the line above it."""
    return not (is_item(raw) or heading(raw) or raw.startswith((">", "|")))


def _latest_source(raw: str) -> str:
    days = source_days(raw)
    return max(days).isoformat() if days else ""


def _is_frame(raw: str, *, weekly: bool) -> bool:
    if session_of(raw) or is_title(raw):
        return True
    return weekly and day_of(raw) is not None
