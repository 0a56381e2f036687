"""The lines of a memory file as the pages show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from strata.dashboard.places import change_of, quoted, story_of
from strata.dashboard.visits import seal
from strata.jobs.trails import said
from strata.notes.bank_marks import is_page, yours_from
from strata.notes.markdown import heading, is_item
from strata.notes.marks import spoken, unmarked
from strata.notes.sayings import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A page stays below 150 KB: so many bytes of lines, and of each line as many letters as
# `lines.html.j2` shows.
_MOST_BYTES = 135_000
_MOST_LETTERS = 2_000


def stretch(lines: Sequence[str], meant: int, frame_bytes: int) -> tuple[int, int]:
    """
    Return the first line and the last of the page on which line *meant* stands.

    *frame_bytes* is what stands around each.
    """
    first = 1
    for last in _page_ends(lines, frame_bytes):
        if last >= meant:
            return first, last
        first = last + 1
    return first, len(lines)


def frame_bytes(path: str) -> int:
    """Return what stands around a line of *path*: links to its story and its change."""
    return 280 + 3 * len(quoted(path))


def line_row(path: str, number: int, raw: str) -> dict[str, object]:
    """Return line *number* of *path* as the pages show it, and what tells its version."""
    raw = raw.removeprefix("\ufeff")
    words = unmarked(raw) if raw.startswith(unmarked(raw)) else raw
    place = f"{path}:{number}"
    return {
        "number": number,
        "words": words,
        "marks": raw[len(words) :],
        "is_title": bool(heading(raw)),
        "says": says_something(path, raw),
        "own": spoken(raw),
        "place": place,
        "story": story_of(place),
        "change": change_of(path, number),
        "seal": seal(path, str(number), raw),
    }


def says_something(path: str, raw: str) -> bool:
    """Say whether *raw*, a line of *path*, is a statement that can be traced."""
    if heading(raw) or raw.startswith(">") or not path.endswith(".md"):
        return False
    return is_item(raw) or (bool(words_of(said(raw))) and not raw.startswith("---"))


def changeable_from(text: str) -> int:
    """Return the first line of *text* that stays as somebody changes it."""
    # All that Strata writes on a page of the bank is made again from the notes.
    return yours_from(text) + 1 if is_page(text) else 1


def _page_ends(lines: Sequence[str], frame_bytes: int) -> Iterator[int]:
    """Yield the last line of each page."""
    size = 0
    for number, raw in enumerate(lines, 1):
        shown = escape(raw[:_MOST_LETTERS])
        cost = frame_bytes + len(shown.encode("utf-8", "replace"))
        if size and size + cost > _MOST_BYTES:
            yield number - 1
            size = 0
        size += cost
