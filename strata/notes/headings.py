"""The headings that Strata writes into notes, and how they are known again."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from strata.models import Language
    from strata.notes.markdown import Heading

_CLOCK = r"[01]\d:[0-5]\d|2[0-3]:[0-5]\d"
SESSION = re.compile(
    rf"^## (?P<time>{_CLOCK}) session:(?P<label>[0-9A-Za-z_.-]+)"
    r" \| (?P<messages>[1-9][0-9]{0,8}) messages?[ \t]*\r?$",
    re.MULTILINE,
)
# Those of a daily note, each with its time.
OURS = re.compile(
    rf"^## (?P<at>{_CLOCK}) (?:session:[0-9A-Za-z_.-]+ \| [1-9]|remembered[ \t]*\r?$).*$",
    re.MULTILINE,
)
DAY = re.compile(r"^### (\d{4}-\d\d-\d\d)[ \t]*\r?$", re.MULTILINE)
_REMEMBERED = re.compile(rf"## (?:{_CLOCK}) remembered\s*")
_TIMED = re.compile(rf"#{{2,6}} ({_CLOCK})\b")
_WEEK: dict[Language, str] = {"en": "# Week of ", "zh": "# 周摘要 "}
# Below it agents write what is to be kept, each line with its kind.
RETAIN = "retain"
_TITLE = re.compile(rf"(?:# |{'|'.join(_WEEK.values())})\d{{4}}-\d\d-\d\d\s*$")


class Session(NamedTuple):
    """The heading of a block: the minute of its last message, its label, its messages."""

    time: str
    label: str
    messages: int


def session_of(line: str) -> Session | None:
    """Return what the heading of a block of ours says, None for any other line."""
    found = SESSION.match(line)
    return _session(found) if found else None


def is_session_title(title: str) -> bool:
    """Say whether *title*, a heading without its marks, is that of a block."""
    return session_of(f"## {title}") is not None


def session_heading(session: Session) -> str:
    """Return the heading of a block, without its end."""
    noun = "message" if session.messages == 1 else "messages"
    return f"## {session.time} session:{session.label} | {session.messages} {noun}"


def sessions_in(text: str) -> list[Session]:
    """Return what every heading of a block in *text* says."""
    return [_session(found) for found in SESSION.finditer(text)]


def day_of(line: str) -> date | None:
    """Return the day whose section of a weekly summary *line* opens, if it does."""
    found = DAY.match(line)
    return as_day(found[1]) if found else None


def time_of(line: str) -> str:
    """Return the time that a heading names, whoever wrote it, or ""."""
    found = _TIMED.match(line)
    return found[1] if found else ""


def is_title(line: str) -> bool:
    """Say whether *line* is the title of a daily note or of a week."""
    return _TITLE.match(line) is not None


def monday_of(day: date) -> date:
    """Return the Monday of the ISO week that *day* is in."""
    return day - timedelta(days=day.weekday())


def week_title(monday: date, language: Language) -> str:
    """Return the title of the week that begins on *monday*."""
    return f"{_WEEK[language]}{monday.isoformat()}"


def is_of_a_week(text: str) -> bool:
    """Say whether *text*, wherever it lies, begins as a week does, in any language."""
    return text.startswith(tuple(_WEEK.values()))


def remembered_heading(time: str) -> str:
    """Return the heading of what the owner told at *time* to remember."""
    return f"## {time} remembered"


def is_remembered(line: str) -> bool:
    """Say whether *line* is the heading of what the owner told to remember."""
    return _REMEMBERED.fullmatch(line) is not None


def retaining(found: Heading, level: int) -> int:
    """
    Return the level of the heading "Retain" whose section *found* opens or goes on with.

    *level* is that of the section before it; 0 stands for none.
    """
    if found.title.strip(" :\uff1a").casefold() == RETAIN:
        return found.level
    return level if found.level > level else 0


def as_day(text: str) -> date | None:
    """Return the day that *text* is in ISO 8601, None where there is no such day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _session(found: re.Match[str]) -> Session:
    return Session(found["time"], found["label"], int(found["messages"]))
