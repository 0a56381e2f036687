"""
MEMORY.md as lines: which are Strata's, which section each is in, and how they change.

Whatever Strata did not write stays as it is, byte for byte: other sections, other
line ends, a byte order mark, a last line without an end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

MOST_LINES = 80
MOST_BYTES = 5120


class Section(StrEnum):
    """The four parts of the page, in the order in which they stand."""

    PREFERENCES = "User Preferences"
    PROJECTS = "Active Projects"
    DECISIONS = "Key Decisions"
    CONTACTS = "Important Contacts"


HEADER = """# Long-Term Memory

> Only write info here that you'd make mistakes without.
> Event logs stay in daily files.
> Hard limit: 80 lines / 5KB. Must compress before adding when over limit.
"""
_NAMES = {
    "user preferences": Section.PREFERENCES,
    "preferences": Section.PREFERENCES,
    "用户偏好": Section.PREFERENCES,
    "偏好": Section.PREFERENCES,
    "active projects": Section.PROJECTS,
    "projects": Section.PROJECTS,
    "进行中的项目": Section.PROJECTS,
    "当前项目": Section.PROJECTS,
    "项目": Section.PROJECTS,
    "key decisions": Section.DECISIONS,
    "decisions": Section.DECISIONS,
    "关键决策": Section.DECISIONS,
    "重要决策": Section.DECISIONS,
    "决策": Section.DECISIONS,
    "important contacts": Section.CONTACTS,
    "contacts": Section.CONTACTS,
    "重要联系人": Section.CONTACTS,
    "联系人": Section.CONTACTS,
}
_HEADING = re.compile(r"\ufeff?#{1,6}[ \t]+(?P<title>.*?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Part:
    """
    A stretch of MEMORY.md below one heading (none, above the first).

    *lines* are raw, each with its own end; the heading is the first of them.
    """

    section: Section | None
    lines: tuple[str, ...]


def parse_long_term(text: str) -> tuple[Part, ...]:
    """Take MEMORY.md apart at its headings; `render_long_term` gives the same bytes."""
    parts: list[Part] = []
    section: Section | None = None
    lines: list[str] = []
    fenced = False
    for line in _lines(text):
        fenced ^= _FENCE.match(line) is not None
        heading = None if fenced else _HEADING.match(line.rstrip("\r\n"))
        if heading and lines:
            parts.append(Part(section, tuple(lines)))
            lines = []
        if heading:
            section = _NAMES.get(heading["title"].strip().casefold())
        lines.append(line)
    if lines:
        parts.append(Part(section, tuple(lines)))
    return tuple(parts)


def render_long_term(parts: Iterable[Part]) -> str:
    """Put MEMORY.md together from its parts."""
    return "".join(line for part in parts for line in part.lines)


def bare_lines(text: str) -> list[str]:
    """Return the lines of MEMORY.md without their ends."""
    return [line.rstrip("\r\n") for line in _lines(text)]


def fits(text: str) -> bool:
    """Say whether *text* keeps both limits of MEMORY.md."""
    return len(_lines(text)) <= MOST_LINES and size_of(text) <= MOST_BYTES


def size_of(text: str) -> int:
    """Return how many bytes *text* has on disk."""
    return len(text.encode("utf-8", "surrogateescape"))


def placed_lines(text: str) -> Iterator[tuple[Section | None, str]]:
    """Yield each line of MEMORY.md with the section below which it stands, if any."""
    for part in parse_long_term(text):
        for line in _bare(part):
            yield part.section, line


def compose(
    text: str,
    ours: Collection[str],
    wanted: Mapping[Section, Sequence[str]],
    put_elsewhere: Collection[str] = (),
) -> str:
    """
    Return MEMORY.md *text* with exactly the lines *wanted* as Strata's.

    Of what is there only the lines *ours* may leave or change their section; not even
    that what somebody has *put_elsewhere*. A line that is in its section already stays
    where it is; a new one goes after the one before it in *wanted*.
    """
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    keep = {line for lines in wanted.values() for line in lines}
    parts = list(_kept(text, set(ours), wanted, keep.intersection(put_elsewhere)))
    if keep and not render_long_term(parts).strip("\ufeff \t\r\n"):
        parts = list(parse_long_term(_empty_page()))
    there = {bare for part in parts for bare in _bare(part)}
    missing = {
        section: [line for line in lines if line not in there]
        for section, lines in wanted.items()
    }
    for section in Section:
        if missing.get(section):
            place = _place(parts, section, newline)
            parts[place] = _with(parts[place], wanted[section], there, newline)
    return render_long_term(parts)


def _lines(text: str) -> list[str]:
    """Split at line feeds alone: other separators are part of what somebody wrote."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


def _bare(part: Part) -> list[str]:
    return [line.rstrip("\r\n") for line in part.lines]


def _kept(
    text: str,
    ours: set[str],
    wanted: Mapping[Section, Sequence[str]],
    put_elsewhere: set[str],
) -> Iterator[Part]:
    """Yield what stays of *text*, each line where it is."""
    everywhere = {line for lines in wanted.values() for line in lines}
    for part in parse_long_term(text):
        here = wanted.get(part.section, ()) if part.section else everywhere
        left = _without(part, ours - put_elsewhere.union(here))
        if left.lines:
            yield left


def _without(part: Part, gone: set[str]) -> Part:
    kept = tuple(line for line in part.lines if line.rstrip("\r\n") not in gone)
    return Part(part.section, kept)


def _empty_page() -> str:
    return HEADER + "".join(f"\n## {section.value}\n" for section in Section)


def _place(parts: list[Part], section: Section, newline: str) -> int:
    """Return which part holds *section*, after adding it where it is missing."""
    sections = [part.section for part in parts]
    if section in sections:
        return sections.index(section)
    before = list(Section)[: list(Section).index(section)]
    earlier = [place for place, other in enumerate(sections) if other in before]
    place = (earlier[-1] if earlier else len(parts) - 1) + 1
    if place:
        parts[place - 1] = _ended(parts[place - 1], newline)
    lines = [f"## {section.value}{newline}"]
    if place and parts[place - 1].lines[-1].strip():
        lines.insert(0, newline)
    if place < len(parts):
        lines.append(newline)
    parts.insert(place, Part(section, tuple(lines)))
    return place


def _with(part: Part, wanted: Sequence[str], there: set[str], newline: str) -> Part:
    lines = list(_ended(part, newline).lines)
    last = None
    for line in wanted:
        if line not in there:
            lines.insert(_after(lines, last, wanted, line), line + newline)
        if line in {each.rstrip("\r\n") for each in lines}:
            last = line
    return Part(part.section, tuple(lines))


def _after(lines: list[str], last: str | None, wanted: Sequence[str], line: str) -> int:
    """Return where *line* goes: after *last*, before what follows it, or at the end."""
    bare = [each.rstrip("\r\n") for each in lines]
    if last is not None:
        return bare.index(last) + 1
    for later in wanted[wanted.index(line) + 1 :]:
        if later in bare:
            return bare.index(later)
    end = len(lines)
    while end > 1 and not bare[end - 1].strip():
        end -= 1
    return end


def _ended(part: Part, newline: str) -> Part:
    """Return *part* with an end to its last line, so that another can follow."""
    if part.lines[-1].endswith("\n"):
        return part
    return Part(part.section, (*part.lines[:-1], part.lines[-1] + newline))
