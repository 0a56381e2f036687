"""Text of others, on its way to a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.models import Language


def printable(text: str) -> str:
    """Return *text* without characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def listed(parts: Iterable[str], language: Language) -> str:
    """Return *parts* as *language* lists things."""
    return ("、" if language == "zh" else ", ").join(parts)
