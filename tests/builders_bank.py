"""Statements and notes of which the bank is made, and readings that know their names."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import TYPE_CHECKING

from strata.bank.reading import PlainReading
from strata.bank.statements import Kind, Stated
from strata.jobs.banking.knowing import known_entities
from strata.judges.naming import Named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from strata.memory import Memory
    from strata.models import Tag

YEAR = 2026


class Listed(PlainReading):
    """
    Reads as ever, but finds the names that it is told, and knows which words are common.

    A name is told as it stands in a text, with what it is of: "Porto/place".
    """

    def __init__(self, *names: str, common: Sequence[str] = ()) -> None:
        super().__init__()
        self._names = names
        self._common = frozenset(common)

    def named(self, texts: Sequence[str]) -> list[tuple[Named, ...]]:
        return [marked(text, *self._names) for text in texts]

    def unheard(self, texts: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
        return [()] * len(texts)

    def common(self, word: str) -> int:
        return 9 if word.lower() in self._common else 0


def marked(text: str, *names: str) -> tuple[Named, ...]:
    """
    Where *names* stand in *text*, the longest first; persons where nothing else is said.
    """
    sorts = dict(each.partition("/")[::2] for each in names)
    longest = sorted(sorts, key=len, reverse=True)
    if not longest:
        return ()
    found = re.finditer("|".join(map(re.escape, longest)), text)
    return tuple(
        Named(*each.span(), each[0], sorts[each[0]] or "person", 0.99) for each in found
    )


def said(  # noqa: PLR0913 - what a line of a note has
    text: str,
    *names: str,
    day: date | int = 2,
    talk: str = "0a1b2c3d",
    kind: Kind = Kind.WORLD,
    tag: Tag | None = None,
    number: int = 4,
) -> Stated:
    """
    A statement of November, in which *names* are known for names.
    """
    said_on = day if isinstance(day, date) else date(YEAR, 11, day)
    return Stated(
        text=text,
        shown=text,
        kind=kind,
        tag=tag,
        day=said_on,
        time="10:12:00",
        path=f"memory/{said_on}.md",
        number=number,
        label=talk,
        end=len(text),
        names=marked(text, *names),
    )


def write_note(workspace: Path, day: int, *blocks: Sequence[str]) -> Path:
    """
    Write the note of that *day* of November: each of *blocks* is a talk of its own.
    """
    path = workspace / "memory" / f"{YEAR}-11-{day:02}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [f"# {path.stem}\n"]
    for hour, lines in enumerate(blocks, 10):
        parts.append(f"\n## {hour}:12 session:{day:02}{hour}2c3d | 6 messages\n")
        parts += [f"- {each}\n" for each in lines]
    path.write_text("".join(parts), encoding="utf-8")
    return path


# What an owner says of two people, a town and a club within a week.
WEEK: dict[int, list[list[str]]] = {
    2: [
        [
            "[finding] Bethany Tulley lives in Porto.",
            "[preference] The user likes Bethany Tulley's tea.",
            "[finding] The rowing club meets on Thursdays.",
        ]
    ],
    5: [
        [
            "[finding] Bethany Tulley lives in Faro now, no longer in Porto.",
            "[finding] Craig Mather has the key of the tack room.",
        ],
        ["[finding] 杨建平住在杭州。"],
    ],
    7: [
        [
            "[finding] Craig Mather is married to Bethany Tulley.",
            "Zelda Marsh came by.",
            "[finding] 杨建平搬到苏州了，不在杭州。",
        ]
    ],
}
BETHANY, CRAIG, YANG = (
    f"memory/bank/people/{name}.md"
    for name in ("bethany-tulley", "craig-mather", "杨建平")
)


def write_week(workspace: Path) -> None:
    """
    Write the notes of that week.
    """
    for day, blocks in WEEK.items():
        write_note(workspace, day, *blocks)


def bank_files(workspace: Path) -> dict[str, bytes]:
    """
    Every page of the bank with its bytes.
    """
    folder = workspace / "memory" / "bank"
    return {
        path.relative_to(workspace).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def bank_caches(workspace: Path) -> dict[str, object]:
    """
    What is kept of the bank beside its pages, as a program reads it.
    """
    names = ("bank.json", "bank-names.json", "bank-heard.json", "readings.json")
    files = [workspace / ".strata" / "cache" / name for name in names]
    return {each.name: json.loads(each.read_text()) for each in files if each.exists()}


def write_below(memory: Memory, path: str, text: str) -> None:
    """
    The owner writes *text* at the end of a page.
    """
    with (memory.workspace.root / path).open("ab") as file:
        file.write(text.encode())


def names(memory: Memory) -> set[str]:
    """
    All names that lead to a page.
    """
    return {name for each in known_entities(memory) for name in each.names}
