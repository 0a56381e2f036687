"""The tables that say what is secret: words, patterns and formats, as data."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_PART = re.compile("⟨(\\w+)⟩")


class Patterns:
    """
    The patterns in one *section* of a table, each compiled when it is first asked for.

    A list is one pattern over several lines; ``⟨name⟩`` stands for another one of the
    section, or of ``common`` in `told.toml`.
    """

    def __init__(self, table: str, section: str) -> None:
        self._place = table, section

    def __getattr__(self, name: str) -> re.Pattern[str]:
        found = re.compile(self._text(name))
        self.__dict__[name] = found
        return found

    def _text(self, name: str) -> str:
        table, section = self._place
        part = rows(table, section).get(name) or rows("told", "common").get(name)
        if part is None:
            raise AttributeError(f"{table}.toml has no {name} in [{section}]")
        text = part if isinstance(part, str) else "".join(part)
        return _PART.sub(lambda named: self._text(named[1]), text)


def words(table: str, name: str) -> frozenset[str]:
    """Return the words that a table lists under that *name*."""
    return frozenset(rows(table, "words")[name].split())


def phrases(table: str, name: str) -> tuple[str, ...]:
    """Return the phrases that a table lists under that *name*, in order."""
    return tuple(rows(table, "phrases")[name])


def rows(table: str, section: str) -> Any:  # Any: what the table holds there
    """Return one *section* of a table."""
    return _read(table)[section]


@cache
def _read(table: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / f"{table}.toml").read_text(encoding="utf-8"))
