"""The rules by which dates are read, from one file a language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strata.language.cues import filled, in_order
from strata.language.dates import resolving
from strata.language.dates.spans import single
from strata.parsed import toml_table
from strata.patterns import pattern

if TYPE_CHECKING:
    from datetime import date

    from strata.language.dates.spans import Preference, Span


@dataclass(frozen=True, slots=True)
class Rule:
    """
    Words and what they *mean* on a given day: a function of `resolving`, or a distance.

    Patterns are compiled when a text in their *script* comes: all of them take 50 ms.
    """

    source: str
    means: str | int
    written: bool
    tables: dict[str, Any]  # what TOML may hold

    @property
    def pattern(self) -> re.Pattern[str]:
        """The words."""
        return _compiled(self.source)

    @property
    def script(self) -> re.Pattern[str]:
        """What a text has that may hold the words."""
        return _compiled(self.tables["script"])

    def resolve(
        self, match: re.Match[str], today: date, prefer: Preference
    ) -> Span | None:
        """Return the days that the words found mean, or None if that is not sure."""
        if isinstance(self.means, int):
            return single(today + timedelta(days=self.means))
        read = resolving.Read(match, self.tables, today, prefer)
        return resolving.MEANINGS[self.means](read)


@cache
def rules(kind: str) -> tuple[Rule, ...]:
    """Return the *rules* that all texts are read by, or those for what is *asked*."""
    return tuple(
        Rule(
            filled(each["pattern"], tables["words"]),
            each["days"] if "days" in each else each["means"],
            each.get("written", False),
            tables,
        )
        for tables in _tables()
        for each in tables[kind]
    )


@cache
def _tables() -> tuple[dict[str, Any], ...]:
    files = in_order(Path(__file__).parent)
    return tuple(toml_table(file.read_text(encoding="utf-8")) for file in files)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return pattern(source, re.IGNORECASE)
