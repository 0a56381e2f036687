"""
The words and turns of phrase that readers of a text look for, in one file a language.

A cue is a table and a name, such as ``turns.final``. Its pattern is what any language has
under that name, `en.toml` first; line breaks and what indents a line are no part of it.
``{{name}}`` stands for another entry of the table, or for one of `calendar`'s patterns.
"""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from strata.language import calendar
from strata.parsed import toml_table
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# One width for what Chinese keyboards write, so that every pattern knows one form.
HALF_WIDTH = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | {"’": "'", "‘": "'", "\u3000": " "}
)
_FOLDER = Path(__file__).parent
_FIRST = "en"
_REFERENCE = re.compile(r"\{\{(\w+)\}\}")
_BREAK = re.compile(r"\n[ \t]*")


@cache
def cue(name: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Return what finds the cue *name* in a text of any language."""
    return pattern(partial(source, name), flags)


@cache
def cues(name: str, flags: int = re.IGNORECASE) -> tuple[re.Pattern[str], ...]:
    """Return the patterns that all languages list under *name*, each by itself."""
    return tuple(pattern(each, flags) for each in _sources(name))


@cache
def source(name: str) -> str:
    """Return the pattern of the cue *name*, to be put into another one."""
    return "|".join(_sources(name))


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the words that all languages list under *name*, in their order."""
    return tuple(word for entry in entries(name) for word in entry.split())


def _sources(name: str) -> list[str]:
    table = name.partition(".")[0]
    return [
        _filled(each, lambda key: source(f"{table}.{key}")) for each in entries(name)
    ]


def filled(pattern: str, known: Mapping[str, str]) -> str:
    """Return *pattern* with what it refers to, *known* or of the calendar, put in."""
    return _filled(pattern, lambda key: filled(known[key], known))


def _filled(pattern: str, entry: Callable[[str], str]) -> str:
    def referred(match: re.Match[str]) -> str:
        shared = getattr(calendar, match[1].upper(), None)
        return shared if isinstance(shared, str) else entry(match[1])

    return _REFERENCE.sub(referred, _BREAK.sub("", pattern))


def in_order(folder: Path) -> list[Path]:
    """Return the files of the languages in *folder*, English first."""
    return sorted(folder.glob("*.toml"), key=lambda file: (file.stem != _FIRST, file))


def entries(name: str) -> list[str]:
    """Return what each language has under *name*, as it is written."""
    table, _, key = name.partition(".")
    found = [each[table][key] for each in _tables() if key in each.get(table, {})]
    if not found:
        raise KeyError(name)
    return [
        entry
        for each in found
        for entry in (each if isinstance(each, list) else [each])
    ]


@cache
def _tables() -> tuple[dict[str, dict[str, str | list[str]]], ...]:
    return tuple(
        toml_table(file.read_text(encoding="utf-8")) for file in in_order(_FOLDER)
    )
