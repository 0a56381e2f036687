"""The few words by which OpenClaw knows that a line matters for a message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.calendar import calendar
from strata.language.cues import cue, words
from strata.language.sentences import language_of
from strata.language.vocabulary import content_words

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_TRIGGERS = 3
LONGEST = 24

_QUOTED = re.compile(r"[「『“\"`]([^」』”\"`]{2,24})[」』”\"`]")
_NAMED = re.compile(
    r"(?:~|\.{0,2})/[\w./@-]{2,23}|[A-Za-z][\w.+#-]*(?:[\d_+#]|[./&-]\w)[\w.+#-]*"
    r"|(?<![.!?:] )(?<!^)\b[A-Z][\w&+-]+(?: [A-Z][\w&+-]+)?|\b[A-Z]{2,}s?\b"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{3,}")
_SKIPPED = frozenset(words("triggers.plain_words")) | {
    name for name, *_ in calendar("en").months if name != "may"
}
# What ends one Chinese word and begins another, unless it is part of a longer one.
_BREAK = cue("triggers.break", 0)
# What begins so counts something, and ends somewhere within the clause.
_COUNTS = ("两", "几", "俩", "仨")
_HANZI_WORD = range(2, 7)


def triggers_of(text: str) -> tuple[str, ...]:
    """Return at most three phrases of *text*, names first, in the order of the words."""
    chosen: dict[str, str] = {}
    for phrase in _phrases(text):
        known = phrase.casefold()
        if len(phrase) <= LONGEST and not any(known in other for other in chosen):
            chosen.setdefault(known, phrase)
        if len(chosen) == MOST_TRIGGERS:
            break
    return tuple(chosen.values())


def _phrases(text: str) -> Iterator[str]:
    for found in _QUOTED.finditer(text):
        yield found[1].strip()
    for found in _NAMED.finditer(text):
        if not found[0].rstrip(".").isdigit() and found[0].casefold() not in _SKIPPED:
            yield found[0].rstrip(".,/")
    if language_of(text) == "zh":
        pieces = [
            piece
            for piece in _BREAK.split(text)
            if len(piece) in _HANZI_WORD and not piece.startswith(_COUNTS)
        ]
        yield from sorted(pieces, key=len, reverse=True)
        return
    words = [word for word in _WORD.findall(text) if word.casefold() not in _SKIPPED]
    yield from sorted(
        (w.lower() for w in words if content_words(w.lower())), key=len, reverse=True
    )
