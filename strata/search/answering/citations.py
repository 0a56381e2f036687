"""A citation is followed back to the lines that it names, and to nothing else."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from strata.errors import NotFound, PathNotAllowed, UsageError
from strata.messages import Notice
from strata.search.indexing.scanning import LONG_TERM, decode, inside, scan, split_lines
from strata.workspace import stored

if TYPE_CHECKING:
    from pathlib import Path

_LINES = re.compile(
    r"(?P<path>.+?)(?:#L(?P<a>\d{1,9})(?:-L?(?P<b>\d{1,9}))?"
    r"|:(?P<c>\d{1,9})(?:-(?P<d>\d{1,9}))?)"
)
_SUGGESTIONS = 3


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines *start_line* to *end_line* of a memory file, without the final line feed."""

    path: str
    start_line: int
    end_line: int
    text: str


def get(workspace: Path, citation: str, lines: int | None = None) -> Passage:
    """
    Read what *citation* names: ``PATH``, ``PATH:LINE``, ``PATH:FIRST-LAST`` or
    ``PATH#L12-L18``.

    *lines* is how many to read from there on; without it the file's rest is meant, or
    the last line named. Raise `PathNotAllowed` for what is no memory file of *workspace*,
    `NotFound` for a file or line that is not there, `UsageError` for fewer than one line.
    """
    path, first, last = parsed(citation)
    if lines is not None and lines < 1:
        raise UsageError(Notice("get.at-least-one", lines=lines))
    found = split_lines(decode(_content(workspace, path)))
    if first > max(len(found), 1):
        raise NotFound(Notice("get.no-line", path=path, count=len(found), first=first))
    count = lines if lines is not None else (last or len(found)) - first + 1
    passage = found[first - 1 : first - 1 + max(count, 1)]
    end = first + max(len(passage), 1) - 1
    return Passage(path, first, end, "\n".join(passage))


def names_a_line(text: str) -> bool:
    """Say whether *text* has the form of a citation that names a line of a note."""
    named = _LINES.fullmatch(text.strip())
    # "The standup at 9:00" cites nothing.
    return named is not None and named["path"].endswith(".md")


def parsed(citation: str) -> tuple[str, int, int | None]:
    """Return the path that *citation* names, its first line, and its last where told."""
    citation = citation.strip().removeprefix("./")
    match = _LINES.fullmatch(citation)
    if match is None:
        return citation, 1, None
    first = int(match["a"] or match["c"])
    last = match["b"] or match["d"]
    if first < 1:
        raise UsageError(Notice("get.from-one"))
    if last and int(last) < first:
        raise UsageError(Notice("get.order", last=last, first=first))
    return match["path"], first, int(last) if last else None


def _content(workspace: Path, path: str) -> bytes:
    _refuse_outside(workspace, path)
    try:
        return stored.read(workspace / path)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        near = _nearest(workspace, path)
        raise NotFound(
            Notice("get.did-you-mean", path=path, near=near)
            if near
            else Notice("get.no-file", path=path)
        ) from None
    except OSError as error:
        raise NotFound(
            Notice("get.unreadable", path=path, strerror=error.strerror)
        ) from None


def _refuse_outside(workspace: Path, path: str) -> None:
    parts = path.split("/")
    memory = path in LONG_TERM or parts[0] == "memory"
    hidden = any(part.startswith(".") for part in parts)
    strange = "\\" in path or ":" in parts[0] or not path.strip()
    strange = strange or not _can_be_a_name(path)
    if not memory or hidden or strange or path.startswith("/"):
        raise PathNotAllowed(Notice("get.no-memory", path=path))
    if not inside(os.path.realpath(workspace), os.path.realpath(workspace / path)):
        raise PathNotAllowed(Notice("get.outside", path=path))


def _can_be_a_name(path: str) -> bool:
    """Say whether the file system could know *path* at all: half an emoji it could not."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _nearest(workspace: Path, path: str) -> list[str]:
    known, name = list(scan(workspace)), path.rpartition("/")[2]
    # A day that went into the archive keeps its name.
    moved = sorted(each for each in known if each.rpartition("/")[2] == name)
    return moved or get_close_matches(path, known, n=_SUGGESTIONS, cutoff=0.6)
