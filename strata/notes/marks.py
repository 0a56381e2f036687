"""
What stands around a statement on its line: bullet, tag, source and comments.

Light enough for a question to import; what the words in a tag mean is told by `entries`.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from strata.notes.headings import as_day
from strata.notes.markdown import lead_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

_TAG = re.compile(r"\s*\[[^\]]{2,12}\]\s*")
# A page of the bank names the line of the note as well, or a week by its Monday.
_PLACE = r"(?:weekly/)?\d{4}-\d\d-\d\d(?:#L\d+)?"
_DAYS = rf"{_PLACE}(?:, {_PLACE})*"
_SOURCE = re.compile(rf"\(src: ({_DAYS})\)")
_MARK = re.compile(rf"\(src: {_DAYS}\)|<!--.*?-->")
_MARKED = re.compile(rf"\s*(?:{_MARK.pattern})")
_SPACE = re.compile(r"\s+")
_SIGNS = "#> \t"
KEEP = re.compile(r"<!--\s*keep\s*-->")


def spoken(line: str) -> str:
    """Return what *line* says, without its bullet, tag, source and comments."""
    return _untagged(_unled(unmarked(line))).strip()


def unmarked(line: str) -> str:
    """Return *line* without the source that it names, and without comments."""
    return _MARKED.sub("", line).rstrip()


def untagged(text: str) -> str:
    """Return *text* without its tag, and without the bullet before one."""
    lead = lead_of(text)
    found = _TAG.match(text, len(lead))
    return text[found.end() :] if found else text


def folded(text: str) -> str:
    """Return *text* without its tag, its case and its white space."""
    return _SPACE.sub(" ", _untagged(text.strip())).casefold()


def line_key(line: str) -> str:
    """Return what tells the words of *line* from others, wherever and however it stands."""
    said = folded(spoken(line)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(said).hexdigest()[:16]


def reworded(line: str, wording: str) -> str:
    """Return *line* saying *wording*, with the bullet, tag, source and comments it has."""
    rest = _untagged(_unled(line))
    lead, said = line[: len(line) - len(rest)], spoken(line)
    if said in rest:
        return lead + rest.replace(said, wording, 1)
    # A source or a comment stands within what it says.
    return " ".join([lead + wording, *_MARK.findall(rest)])


def source_days(line: str) -> tuple[date, ...]:
    """Return the days that a line names as its sources."""
    found = _SOURCE.search(line)
    places = found[1].replace("weekly/", "").split(", ") if found else ()
    days = (as_day(each.partition("#")[0]) for each in places)
    return tuple(day for day in days if day)


def with_source(line: str, days: Iterable[date]) -> str:
    """Return *line* with the *days* on which it was said."""
    return f"{line} (src: {', '.join(day.isoformat() for day in days)})"


def _unled(line: str) -> str:
    """Return *line* without what a list, a quotation or a heading puts before it."""
    lead = lead_of(line)
    return line[len(lead) :] if lead else line.lstrip(_SIGNS)


def _untagged(text: str) -> str:
    return _TAG.sub("", text, count=1) if _TAG.match(text) else text
