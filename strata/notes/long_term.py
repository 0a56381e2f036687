"""
MEMORY.md as lines: which are Strata's, which section each is in, and how they change.

Whatever Strata did not write stays as it is, byte for byte: other sections, other
line ends, a byte order mark, a last line without an end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from strata.notes.markdown import heading, in_code
from strata.notes.words import LANGUAGES, words_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from strata.models import Language

MOST_LINES = 80
MOST_BYTES = 5120


class Section(StrEnum):
    """
    The four parts of the page, in the order in which they stand.

    The journal has these names; those on the page are in the owner's language.
    """

    PREFERENCES = "User Preferences"
    PROJECTS = "Active Projects"
    DECISIONS = "Key Decisions"
    CONTACTS = "Important Contacts"


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
    every = _lines(text)
    code = in_code(every)
    for place, line in enumerate(every):
        title = None if place in code else heading(line.rstrip("\r\n"))
        if title and lines:
            parts.append(Part(section, tuple(lines)))
            lines = []
        if title:
            section, _ = _names().get(title.title.casefold(), (None, ""))
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
    language: Language = "en",
) -> str:
    """
    Return MEMORY.md *text* with exactly the lines *wanted* as Strata's.

    A new page speaks *language*; one that has a section goes on in the language of that.

    Of what is there only the lines *ours* may leave or change their section; not even
    that what somebody has *put_elsewhere*. A line that is in its section already stays
    where it is; a new one goes after the one before it in *wanted*.
    """
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    keep = {line for lines in wanted.values() for line in lines}
    language = _language_of(text) or language
    parts = list(_kept(text, set(ours), wanted, keep.intersection(put_elsewhere)))
    if keep and not render_long_term(parts).strip("\ufeff \t\r\n"):
        parts = list(parse_long_term(_empty_page(language)))
    there = {bare for part in parts for bare in _bare(part)}
    missing = {
        section: [line for line in lines if line not in there]
        for section, lines in wanted.items()
    }
    for section in Section:
        if missing.get(section):
            named = heading_of(section, language) + newline
            place = _place(parts, section, named, newline)
            parts[place] = _with(parts[place], wanted[section], there, newline)
    return render_long_term(parts)


def scaffold_language(text: str) -> Language | None:
    """Return the language of the head that Strata gave the page *text*, if it did."""
    plain = text.lstrip("\ufeff").replace("\r\n", "\n")
    heads = ((each, words_in(each).top) for each in LANGUAGES)
    return next((each for each, top in heads if plain.startswith(top)), None)


def without_scaffold(text: str) -> str:
    """Return the page *text* without the head that Strata gave it, if it did."""
    plain = text.lstrip("\ufeff").replace("\r\n", "\n")
    own = scaffold_language(plain)
    return plain.removeprefix(words_in(own).top) if own else text


def in_language(text: str, language: Language) -> str:
    """Return the page *text* with the head and the headings of Strata in *language*."""
    own = scaffold_language(text)
    if own is None or own == language:
        return text
    tops = (words_in(each).top.splitlines() for each in (own, language))
    other = dict(zip(*tops, strict=True))
    other |= {heading_of(each, own): heading_of(each, language) for each in Section}
    lines = _lines(text)
    code = in_code(lines)
    spoken = "".join(
        line if place in code else _exchanged(line, other)
        for place, line in enumerate(lines)
    )
    # A full page is not made fuller.
    return spoken if fits(spoken) or size_of(spoken) <= size_of(text) else text


def _exchanged(line: str, other: Mapping[str, str]) -> str:
    bare = line.strip("\ufeff\r\n")
    return line.replace(bare, other[bare], 1) if other.get(bare) else line


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


def heading_of(section: Section, language: Language) -> str:
    """Return the line that opens *section* on a page in *language*, without its end."""
    return f"## {words_in(language).sections[section.name.lower()][0]}"


def _empty_page(language: Language) -> str:
    headings = (heading_of(section, language) for section in Section)
    return words_in(language).top + "".join(f"\n{each}\n" for each in headings)


@cache
def _names() -> dict[str, tuple[Section, Language]]:
    """Return which section each heading opens, in any language."""
    return {
        name.casefold(): (Section[section.upper()], language)
        for language in LANGUAGES
        for section, names in words_in(language).sections.items()
        for name in names
    }


def _language_of(text: str) -> Language | None:
    """Return the language of the first section of *text*, None where it has none."""
    titled = (part.lines[0] for part in parse_long_term(text) if part.section)
    titles = (heading(line.rstrip("\r\n")) for line in titled)
    return next((_names()[each.title.casefold()][1] for each in titles if each), None)


def _place(parts: list[Part], section: Section, named: str, newline: str) -> int:
    """Return which part holds *section*, after adding it where it is missing."""
    sections = [part.section for part in parts]
    if section in sections:
        return sections.index(section)
    before = list(Section)[: list(Section).index(section)]
    earlier = [place for place, other in enumerate(sections) if other in before]
    place = (earlier[-1] if earlier else len(parts) - 1) + 1
    if place:
        parts[place - 1] = _ended(parts[place - 1], newline)
    lines = [named]
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
