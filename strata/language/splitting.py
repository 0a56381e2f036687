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


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of *text*."""
    return [Token(*found.span(), found[0]) for found in _TOKEN.finditer(text)]
