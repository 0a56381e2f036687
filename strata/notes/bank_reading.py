"""A page of the bank, read again: its parts, and of each line where it was said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from strata.notes.bank_marks import yours_from, yours_in
from strata.notes.words import LANGUAGES, words_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_PARTS = ("summary", "now", "opinions", "past", "related")
_CITES, _WEIGHS, _LINKS = " (src: ", " (", "[["
_DATED = re.compile(r"\d{4}-\d\d-\d\d(?: \S+ \d{4}-\d\d-\d\d)?[:\uff1a] ?")


@dataclass(frozen=True, slots=True)
class PageLine:
    """
    One line: what it says, its *weight* where it is an opinion, and its *sources*.

    A source is the day of a note and a line there, as ``2026-09-30#L6``.
    """

    text: str
    weight: str = ""
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadPage:
    """
    What stands on a page: *front* matter, and *parts* by name, each a heading and lines.

    *related* are the names of files without their ending, *yours* is the owner's text.
    """

    title: str
    front: Mapping[str, str]
    parts: Mapping[str, tuple[str, tuple[PageLine, ...]]]
    related: tuple[str, ...]
    yours: str


def parse_page(text: str) -> ReadPage:
    """Return what stands on the page *text*, which Strata wrote."""
    ours = text.split("\n")[: yours_from(text)]
    end = ours.index("---", 1) if "---" in ours[1:] else 0
    front = (row.partition(": ") for row in ours[1:end])
    parts = dict(_parts(ours[end + 1 :]))
    _, related = parts.pop("related", ("", ()))
    return ReadPage(
        next((row[2:] for row in ours[end + 1 :] if row.startswith("# ")), ""),
        {name: value.strip('"') for name, _, value in front},
        {
            name: (heading, tuple(_line(row, name) for row in rows))
            for name, (heading, rows) in parts.items()
        },
        tuple(each[2:-2] for each in related if each.startswith(_LINKS)),
        yours_in(text),
    )


def _parts(rows: Sequence[str]) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """Give each part by its name: its heading, and its lines without their bullets."""
    known, found = _headings(), list[str]()
    for row in rows:
        if row.startswith("## "):
            found = []
            if name := known.get(row[3:]):
                yield name, (row[3:], found)
        elif row.startswith("- "):
            found.append(row[2:])


@cache
def _headings() -> Mapping[str, str]:
    """Return what each heading of a part means, in every language."""
    return {words_in(each).bank[name]: name for each in LANGUAGES for name in _PARTS}


def _line(row: str, part: str) -> PageLine:
    said, cites, places = row.rpartition(_CITES)
    if not (cites and places.endswith(")")):
        return PageLine(row)
    sources = tuple(places[:-1].split(", "))
    text, weighs, weight = said.rpartition(_WEIGHS)
    if part == "opinions" and weighs and weight.endswith(")"):
        return PageLine(text, weight[:-1], sources)
    return PageLine(said, sources=sources)


def told_on_page(said: str) -> tuple[str, ...]:
    """Return what a line of whatever part may say: as it is, undated, without a weight."""
    bare = _DATED.sub("", said, count=1)
    return (said, bare, said.rpartition(_WEIGHS)[0] or said)
