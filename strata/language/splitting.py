"""A text is cut into words, hanzi, numbers and marks, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

HANZI = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_TOKEN = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff]|[^\W\d_\u3400-\u9fff\uf900-\ufaff]+|\d+|[^\w\s]|_"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a hanzi, a number or a mark, and where it stands."""

    start: int
    end: int
    text: str


def places_of(text: str) -> list[tuple[int, int]]:
    """Return where each token of *text* begins and ends."""
    return [found.span() for found in _TOKEN.finditer(text)]


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of *text*."""
    return [Token(start, end, text[start:end]) for start, end in places_of(text)]
