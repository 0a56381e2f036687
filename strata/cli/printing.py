"""Text of others, on its way to a terminal."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.models import Language


def printable(text: str) -> str:
    """Return *text* without characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def padded(text: str, width: int) -> str:
    """Pad *text* to *width* columns; an ideograph takes two."""
    wide = sum(1 for letter in text if unicodedata.east_asian_width(letter) in "WF")
    return text + " " * max(width - len(text) - wide, 1)


def listed(parts: Iterable[str], language: Language) -> str:
    """Return *parts* as *language* lists things."""
    return ("、" if language == "zh" else ", ").join(parts)
