"""Memory files are cut into chunks along their own structure, and these into windows."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from strata.hits import Chunk
from strata.notes.bank_marks import is_page, yours_from
from strata.notes.headings import is_session_title, session_of
from strata.notes.markdown import heading, in_code, unbulleted
from strata.notes.marks import spoken
from strata.search.indexing.scanning import day_of, split_lines, tier_of
from strata.search.language.words import ASSISTANTS
from strata.tokens import token_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# Part of the index's fingerprint: raise it when the same file gives other chunks, or the
# same chunk other windows or other sentences.
VERSION, WINDOWS_VERSION = 2, 4
MAX_TOKENS = 400
OVERLAP_TOKENS = 80
MAX_LINES = 40
# One vector for a whole chunk blurs it: with windows of 60 to 120 tokens, recall@5 rose
# from 0.42 to 0.57 on preferences and from 0.65 to 0.83 on values that changed, for the
# same time spent embedding (bench/recall.py).
_WINDOW_TOKENS = 60
# A wish in a long turn is found by its own sentence: recall@5 on preferences rose from 0.53
# to 0.60. Of Chinese, whose notes would have twice as many windows, glosses say too little.
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+(?=\S)")

# Room is counted in quarters of a token, so that sums of lines do not drift.
_ROOM = MAX_TOKENS * 4
_OVERLAP = OVERLAP_TOKENS * 4


@dataclass(frozen=True, slots=True)
class _Section:
    """Lines *start* to *end* (from 0, end excluded) below the same headings."""

    start: int
    end: int
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Lines that stay together: a line, or a fenced block that fits; blank has size 0."""

    start: int
    end: int
    size: int


def chunk_file(path: str, text: str) -> list[Chunk]:
    """
    Cut *text*, the content of the memory file *path*, into chunks.

    Every line that is not blank lies in at least one chunk; *start_line* and *end_line*
    count from 1 and include both ends. A line too long for one chunk gives several with
    the same line number.
    """
    lines = split_lines(text)
    if is_page(text):
        # What it says the notes say too; of its own it has what a hand wrote below.
        theirs = yours_from(text)
        lines[:theirs] = [""] * theirs
    code = in_code(lines, [at for at, line in enumerate(lines) if session_of(line)])
    return [
        chunk
        for section in _sections(lines, code)
        for chunk in _section_chunks(path, lines, section, code)
    ]


def windows(text: str) -> list[str]:
    """
    Group the lines of *text*, a chunk, into windows; blank ones go.

    A chunk is compared with a question by its best few lines, not by their average. A line
    of several sentences that is longer than a window has windows of its own.
    """
    lines = filter(None, map(unbulleted, text.split("\n")))
    grouped: list[str] = []
    for is_long, some in groupby(lines, key=_is_long):
        if is_long:
            for line in some:
                grouped += _grouped(_SENTENCE_ENDS.split(line), " ")
        else:
            grouped += _grouped(some, "\n")
    return grouped


def sentences(text: str) -> Iterator[str]:
    """
    Yield what *text*, a chunk or a window of one, states, sentence by sentence.

    A question states nothing, nor does a heading, or what an assistant says.
    """
    for line in text.split("\n"):
        said = spoken(line)
        if not heading(line) and said.partition(":")[0].lower() not in ASSISTANTS:
            for sentence in _SENTENCE_ENDS.split(said):
                if sentence and not sentence.endswith("?"):
                    yield sentence


def _is_long(line: str) -> bool:
    return token_count(line) > _WINDOW_TOKENS and bool(_SENTENCE_ENDS.search(line))


def _grouped(parts: Iterable[str], between: str) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for part in parts:
        tokens = token_count(part)
        if held and size + tokens > _WINDOW_TOKENS:
            yield between.join(held)
            held, size = [], 0
        held.append(part)
        size += tokens
    if held:
        yield between.join(held)


def _sections(lines: Sequence[str], code: Mapping[int, int]) -> Iterator[_Section]:
    """Cut at every heading whose section before it already has a body."""
    stack: list[tuple[int, str]] = []
    start, has_body = 0, False
    frontmatter = _frontmatter_end(lines)
    for number, line in enumerate(lines):
        found = None if number < frontmatter or number in code else heading(line)
        if found is None:
            has_body = has_body or bool(line.strip())
            continue
        if has_body:
            yield _Section(start, number, _titles(stack))
            start, has_body = number, False
        level, title = found
        stack = [*(entry for entry in stack if entry[0] < level), (level, title)]
    yield _Section(start, len(lines), _titles(stack))


def _titles(stack: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    # A session's heading holds an id and counters, which every block has in common.
    return tuple(title for _, title in stack if title and not is_session_title(title))


def _frontmatter_end(lines: Sequence[str]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    ends = (at for at, line in enumerate(lines) if line.rstrip() in ("---", "..."))
    return next((at + 1 for at in ends if at), 0)


def _section_chunks(
    path: str, lines: Sequence[str], section: _Section, code: Mapping[int, int]
) -> Iterator[Chunk]:
    tier, day = tier_of(path), day_of(path)
    named = day.isoformat() if day is not None else path
    context = " > ".join(dict.fromkeys((named, *section.headings)))
    for start, end in _stretches(_units(lines, section, code)):
        first, last = _trimmed(lines, start, end)
        if first < last:
            text = "\n".join(lines[first:last])
            for piece in _pieces(text) if last == first + 1 else [text]:
                yield Chunk(path, first + 1, last, piece, tier, day, context)


def _trimmed(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    while start < end and not lines[start].strip():
        start += 1
    while start < end and not lines[end - 1].strip():
        end -= 1
    return start, end


def _units(
    lines: Sequence[str], section: _Section, code: Mapping[int, int]
) -> Iterator[_Unit]:
    number = section.start
    while number < section.end:
        last = code.get(number, number)
        opens = code.get(number - 1) != last
        # A block that is longer than a chunk is lines like any other.
        fits = opens and last < min(section.end, number + MAX_LINES)
        end = last + 1 if fits else number + 1
        size = sum(_size(line) for line in lines[number:end])
        if size > _ROOM:
            yield from (_Unit(n, n + 1, _size(lines[n])) for n in range(number, end))
        else:
            yield _Unit(number, end, size)
        number = end


def _size(line: str) -> int:
    return token_count(line) * 4 + 1 if line.strip() else 0


def _stretches(units: Iterator[_Unit]) -> Iterator[tuple[int, int]]:
    """Pack units into stretches of lines that fit, each opening with the last one's end."""
    held: list[_Unit] = []
    size, fresh = 0, False
    for unit in units:
        if held and not _fits(held[0], unit, size + unit.size):
            if fresh:
                yield held[0].start, held[-1].end
            held, fresh = _overlap(held, unit), False
            size = sum(each.size for each in held)
        held.append(unit)
        size += unit.size
        fresh = fresh or unit.size > 0
    if fresh:
        yield held[0].start, held[-1].end


def _fits(first: _Unit, last: _Unit, size: int) -> bool:
    """Say whether a chunk may have all from *first* to *last*, of *size* together."""
    return size <= _ROOM and last.end - first.start <= MAX_LINES


def _overlap(held: Sequence[_Unit], unit: _Unit) -> list[_Unit]:
    first, size = len(held), 0
    for earlier in reversed(held):
        size += earlier.size
        if size > _OVERLAP or not _fits(earlier, unit, size + unit.size):
            break
        first -= 1
    return [*held[first:]]


def _pieces(text: str) -> list[str]:
    """Cut one long line by characters, as many tokens a piece as a chunk may have."""
    if _size(text) <= _ROOM:
        return [text]
    pieces: list[str] = []
    start = 0
    while start < len(text):
        end = _reach(text, start, _ROOM)
        pieces.append(text[start:end])
        if end >= len(text):
            break
        start = max(start + 1, end - _reach_back(text, end))
    return [piece for piece in pieces if piece.strip()]


def _reach(text: str, start: int, room: int) -> int:
    """Find the end of the longest stretch from *start* that takes at most *room*."""
    ends = range(start + 1, min(len(text), start + room) + 1)
    return start + max(
        bisect_right(ends, room, key=lambda end: _size(text[start:end])), 1
    )


def _reach_back(text: str, end: int) -> int:
    tail = text[max(0, end - _OVERLAP) : end]
    return len(tail) * _OVERLAP // max(_size(tail), _OVERLAP)
