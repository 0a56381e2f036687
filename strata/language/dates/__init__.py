"""Dates that people write, in English and Chinese, made absolute."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.language.dates.certainty import is_named_only, sure_dates
    from strata.language.dates.finding import find_dates
    from strata.language.dates.spans import DateSpan, Grain, Preference

__all__ = [
    "DateSpan",
    "Grain",
    "Preference",
    "find_dates",
    "is_named_only",
    "sure_dates",
]

_HOMES = {
    "find_dates": "finding",
    "is_named_only": "certainty",
    "sure_dates": "certainty",
}


def __getattr__(name: str) -> object:
    """Import what is asked for: a question needs no tenses, which take 60 ms."""
    if name not in __all__:
        raise AttributeError(name)
    return getattr(
        import_module(f"strata.language.dates.{_HOMES.get(name, 'spans')}"), name
    )
