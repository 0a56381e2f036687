"""Text of others, on its way to a terminal."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """Return *text* without characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def padded(text: str, width: int) -> str:
    """Pad *text* to *width* columns; an ideograph takes two."""
    wide = sum(1 for letter in text if unicodedata.east_asian_width(letter) in "WF")
    return text + " " * max(width - len(text) - wide, 1)
