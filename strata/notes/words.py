"""The words in which notes are written, by language: `words.toml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from strata.parsed import toml_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from strata.models import Language

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Words:
    """
    How one language writes *tags*, *frames* and what an entry refers to (*topic*).

    *headings* are words in headings of others, *top* and *sections* those of MEMORY.md; of
    a section's names the first is written. *bank* has the headings and words of its pages,
    *owner* what a tag may call the owner.
    """

    tags: Mapping[str, str]
    frames: Mapping[str, str]
    topic: tuple[str, str]
    headings: Mapping[str, tuple[str, ...]]
    top: str
    sections: Mapping[str, tuple[str, ...]]
    bank: Mapping[str, str]
    owner: frozenset[str]


@cache
def words_in(language: Language) -> Words:
    """Return the words of *language*."""
    path = Path(__file__).with_name("words.toml")
    table = toml_table(path.read_text(encoding="utf-8"))[language]
    return Words(
        tags=table["tags"],
        frames=table["frames"],
        topic=(table["topic"]["before"], table["topic"]["after"]),
        headings={kind: tuple(each) for kind, each in table["headings"].items()},
        top=table["page"]["top"],
        sections={
            name: tuple(each) for name, each in table["page"]["sections"].items()
        },
        bank=table["bank"],
        owner=frozenset(table["retain"]["owner"]),
    )


@cache
def page_frame() -> frozenset[str]:
    """Return the lines that stand in every MEMORY.md, of every language; blank is one."""
    lines = {""}
    for words in map(words_in, LANGUAGES):
        lines.update(words.top.split("\n"))
        lines.update(
            f"## {name}" for names in words.sections.values() for name in names
        )
    return frozenset(lines)
