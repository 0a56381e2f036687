"""The readable file: all notes on one page that runs nothing and asks nobody."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

from strata.jobs.language import spoken_language
from strata.jobs.report import shown_by
from strata.messages import Voice, html_language, minute, on_one_line
from strata.notes.markdown import heading, in_code, is_item, lines_of, unbulleted
from strata.search.indexing.scanning import tier_of
from strata.templates import Pages
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.memory import Memory

    Kind = Literal["heading", "items", "text", "code"]

# In this order they are read.
_TIERS = ("long-term", "bank", "weekly", "daily", "other")


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a note that belong together: a heading, a list, a text, or code."""

    kind: Kind
    lines: tuple[str, ...]


def readable(memory: Memory, notes: Mapping[str, str]) -> str:
    """Return *notes* as one HTML page, each with its path, the newest day first."""
    language = spoken_language(memory)
    say = Voice("export", language)
    tiers = {path: tier_of(path).value for path in notes}
    parts = [
        (
            tier,
            [(path, list(_passages(notes[path]))) for path in _in_order(tier, tiers)],
        )
        for tier in _TIERS
        if tier in tiers.values()
    ]
    shown = shown_by(memory.settings)
    pages = Pages("strata", lambda text: on_one_line(shown(text)))
    return pages.render(
        "jobs/pages/export",
        say=say,
        language=html_language(language),
        scope="" if memory.scope == PRIVATE else memory.scope,
        written=minute(memory.now.isoformat()),
        parts=parts,
    )


def _in_order(tier: str, tiers: Mapping[str, str]) -> list[str]:
    paths = (path for path, found in tiers.items() if found == tier)
    dated = tier in {"daily", "weekly"}
    return sorted(paths, key=lambda path: path.rpartition("/")[2], reverse=dated)


def _passages(text: str) -> Iterator[Passage]:
    lines = lines_of(text)
    code = in_code(lines)
    kinds = [_kind(line, code=place in code) for place, line in enumerate(lines)]
    for kind, found in groupby(zip(kinds, lines, strict=True), itemgetter(0)):
        if kind:
            yield Passage(kind, tuple(_said(line, kind) for _, line in found))


def _kind(line: str, *, code: bool) -> Kind | None:
    if code:
        return "code"
    if heading(line):
        return "heading"
    if is_item(line):
        return "items"
    return "text" if line.strip() else None


def _said(line: str, kind: Kind) -> str:
    if kind == "heading":
        found = heading(line)
        return found.title if found else line
    return unbulleted(line) if kind == "items" else line
