"""Notes that somebody keeps as Markdown: the day of each, and what it says line by line."""

from __future__ import annotations

import codecs
import re
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from strata.errors import SourceUnreadable
from strata.imports.moments import moment
from strata.imports.talks import Derived, Skipped, id_of
from strata.notes.foreign import statements_in
from strata.notes.lines import said_by
from strata.notes.markdown import lines_of
from strata.notes.marks import source_days, unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.imports.bundles import Bundle
    from strata.imports.talks import Read

# Any: what YAML may hold.
Fields = dict[str, Any]

# White space that nobody typed, over which patterns would go again and again.
_WIDE = re.compile(r"[ \t]{200,}")
# More at the head of a note is no list of fields, and takes minutes to be read as one.
_MOST_FIELDS = 64 * 1024
# A note of this length is a book, or no note.
_MOST_BYTES = 16 * 1024 * 1024
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NOON = time(12, tzinfo=UTC)
_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?P<mark>[-_./]?)(\d\d)(?P=mark)(\d\d)(?!\d)"
    r"|((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日"
)
# Who gives a folder to each year and month names the file by the day alone.
_FOLDERS = re.compile(r"(?:^|/)((?:19|20)\d\d)/(?:\1-)?(\d\d)/(\d\d)(?=\.|$)")
# What begins with a name and a colon; else it is a text between two lines.
_FIELDS = re.compile(
    r"\A---[ \t]*\r?\n(?=\s*\w[\w -]*:)(.*?)^(?:---|\.\.\.)[ \t]*\r?$\n?",
    re.DOTALL | re.MULTILINE,
)
_DATES = (
    "date",
    "created",
    "created_at",
    "created at",
    "date created",
    "creation date",
)
# A form that waits to be filled in: `**Name:**`.
_UNFILLED = re.compile(r"[\W_]*[\w ./()'-]{1,60}[*_]*[:：][*_\s]*")


class Note(NamedTuple):
    """A file of Markdown: its *name*, the *fields* at its head, and the *text* below."""

    name: str
    fields: Fields
    text: str


def note_in(source: Bundle, name: str) -> Note | Skipped:
    """Return the note in the file *name*, or why that is not read."""
    if source.size(name) > _MOST_BYTES:
        return Skipped(name, "note-too-long")
    try:
        with source.open(name) as stream:
            held = stream.read()
    except SourceUnreadable as error:
        return Skipped.of(name, error)
    wide = held.startswith(_WIDE_MARKS)
    try:
        text = held.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return Skipped(name, "not-utf8")
    return Note(name, *fields_of(text))


def lines_of_note(note: Note, kind: str) -> Iterator[Read]:
    """
    Yield what *note* says, each thing once, as lines of a *kind*.

    They are from the day in its name, else from when it was made as its fields say it; a
    line that names the days on which it was said is from the last of them.
    """
    day = day_in(note.name)
    at = noon(day) if day else told_in(note.fields)
    lines = lines_of(_WIDE.sub(" ", _uncommented(note.text)))
    days = {said_by(line): days for line in lines if (days := source_days(line))}
    seen: set[str] = set()
    for told in statements_in("\n".join(map(unmarked, lines))):
        said = told.text
        if said in seen or _UNFILLED.fullmatch(said):
            continue
        seen.add(said)
        own = id_of(said)
        last = max(days.get(said, ()), default=None)
        yield Derived(f"{note.name}#{own}", said, noon(last) if last else at, kind)
    if not seen:
        yield Skipped(note.name, "empty")


def noon(day: date) -> datetime:
    """Return noon of *day* by UTC, which is on that day nearly everywhere."""
    return datetime.combine(day, _NOON)


def day_in(name: str) -> date | None:
    """Return the day that the *name* of a file tells, None where it tells none."""
    found = _FOLDERS.search(name) or _DAY.search(name.rpartition("/")[2])
    if found is None:
        return None
    year, month, day = (each for each in found.groups() if each and each.isdecimal())
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def fields_of(text: str) -> tuple[Fields, str]:
    """Return the fields at the head of *text*, none that are broken, and what follows."""
    found = _FIELDS.match(text)
    if found is None or len(found[1]) > _MOST_FIELDS:
        return {}, text
    try:
        fields = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        fields = None
    return fields if isinstance(fields, dict) else {}, text[found.end() :]


def told_in(fields: Fields) -> datetime | None:
    """Return when the note with these *fields* is from, None where none of them says."""
    lower = {str(key).casefold(): value for key, value in fields.items()}
    return next(filter(None, (_moment(lower.get(each)) for each in _DATES)), None)


def _uncommented(text: str) -> str:
    """Return *text* without comments, and without the marks that open none."""
    first, *rest = text.split("<!--")
    parts = (each.partition("-->") for each in rest)
    return first + "".join(after if closed else said for said, closed, after in parts)


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return moment(value.isoformat())
    if isinstance(value, date):
        return moment(noon(value).isoformat())
    if isinstance(value, str):
        day = day_in(value) if len(value) < 12 else None  # noqa: PLR2004 - a day alone
        return moment(noon(day).isoformat()) if day else moment(value.strip())
    return None
