"""The tables that say what is secret: words, patterns and formats, as data."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from strata.parsed import toml_table
from strata.patterns import pattern

_HERE = Path(__file__).parent
_PART = re.compile("⟨(\\w+)⟩")


class Patterns:
    """The patterns in a *section* of a table, or a row, each compiled when first asked."""

    def __init__(self, table: str, section: str | dict[str, Any]) -> None:
        self._place = table, section

    def __getattr__(self, name: str) -> re.Pattern[str]:
        table, section = self._place
        near = rows(table, section) if isinstance(section, str) else section
        found = pattern(_expanded(table, f"⟨{name}⟩", near))
        self.__dict__[name] = found
        return found


def _expanded(table: str, whole: str, near: dict[str, Any]) -> str:
    """
    Return a pattern of a table in full; a list is one pattern over several lines.

    ``⟨name⟩`` stands for another pattern *near* it, or in ``common`` of the table or of
    `told.toml`, or for one of the ``words`` of that name.
    """
    named = {**_common("told"), **_common(table), **near}
    while part := _PART.search(whole):
        if part[1] not in named:
            raise AttributeError(f"{table}.toml has no {part[1]} for {whole}")
        whole = whole.replace(part[0], "".join(named[part[1]]))
    return whole


@cache
def _common(table: str) -> dict[str, Any]:
    lists = _read(table).get("words", {})
    choices = {name: "|".join(words.split()) for name, words in lists.items()}
    return {**choices, **_read(table).get("common", {})}


@cache
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
    return toml_table((_HERE / f"{table}.toml").read_text(encoding="utf-8"))
