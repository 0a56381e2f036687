"""The few words by which OpenClaw knows that a line matters for a message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_TRIGGERS = 3
LONGEST = 24

# OpenClaw 2026.9 compares whole words of more than one letter.
_WORD = re.compile(r"\w{2,}")


def beyond(text: str, phrases: Iterable[str]) -> tuple[str, ...]:
    """Return those of *phrases* in which a word says something that *text* does not."""
    said = text.casefold()
    return tuple(
        phrase
        for phrase in phrases
        if any(
            content_words(word) and word not in said
            for word in _WORD.findall(phrase.casefold())
        )
    )
