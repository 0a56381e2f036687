"""Recovery phrases of wallets: named as such, or told by nothing but their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.transcripts.redaction.names import FUNCTION_WORDS
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.view import View

RECOVERY = Patterns("told", "recovery")
KIND = "secret:recovery-phrase"
_COUNTS = frozenset({12, 15, 18, 21, 24})
_FEWEST_WORDS = min(_COUNTS)

# The letters of a row of words, at a glance: a word of one or two letters breaks it, and
# so does whatever no list has between its words.
_GLANCE = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZbcdefghijklmnopqrstuvwxyz0123456789,)\n\r\t",
    b"a" * 51 + b" " * 15,
)
_ROW = bytes(ord("x" if code in b"a ." else "!") for code in range(256))
_BREAKERS, _SHORTEST_WORD = (b" aa ", b" a ", b"a. ", b"aaaaaaaaa"), 3
_SHORTEST_ROW = b"x" * (_FEWEST_WORDS * (_SHORTEST_WORD + 1) - 1)
_NEAR = 1000


def recovery_phrases(view: View) -> Iterator[Secret]:
    """Yield the recovery phrases in *view*."""
    for start, end in _places(view.text.encode("ascii", "replace")):
        yield from _rows(view.lowered, start, end)


def may_hold_row(raw: bytes) -> bool:
    """Say whether *raw*, a text in ASCII, can hold a dozen words as phrases have them."""
    return next(_places(raw), None) is not None


def speaks_of_phrase(text: str) -> bool:
    """Say whether *text* is about a recovery phrase or what it opens."""
    return RECOVERY.spoken_of.search(text.lower()) is not None


def _places(raw: bytes) -> Iterator[tuple[int, int]]:
    """Yield start and end of what may be a row of words."""
    row, end = raw.translate(_GLANCE), 0
    for breaker in _BREAKERS:
        row = row.replace(breaker, b"!" * len(breaker))
        # One breaker ends most rows of ordinary text.
        if _SHORTEST_ROW not in row.translate(_ROW):
            return
    row = row.translate(_ROW) + b"!"
    while (start := row.find(_SHORTEST_ROW, end)) >= 0:
        end = row.index(b"!", start)
        yield start, end


def _rows(lowered: str, start: int, end: int) -> Iterator[Secret]:
    for row in RECOVERY.words.finditer(lowered, start, end):
        # Read late: most texts hold no such row.
        wallets = words("recovery", "wallets")
        spoken_of = speaks_of_phrase(lowered[max(0, start - _NEAR) : end + _NEAR])
        each = list(RECOVERY.word.finditer(lowered, *row.span()))
        listed = "".join("x" if word[0] in wallets else " " for word in each)
        # With commas it may be what to buy.
        if spoken_of or "," not in row[0]:
            for run in RECOVERY.listed.finditer(listed):
                yield Secret(each[run.start()].start(), each[run.end() - 1].end(), KIND)
        plain = FUNCTION_WORDS.isdisjoint(word[0] for word in each)
        if spoken_of and plain and len(each) in _COUNTS:
            yield Secret(*row.span(), KIND)
