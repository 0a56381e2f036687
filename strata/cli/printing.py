"""Text of others, on its way to a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return *text* without characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
