"""Where a value begins and ends in the text: quoted, or up to a blank."""

from __future__ import annotations

import re
from dataclasses import dataclass

from strata.transcripts.redaction.tables import Patterns
from strata.transcripts.redaction.view import PLACEHOLDER

READING = Patterns("told", "reading")

_CLOSING = {
    "“": "”",
    "”": "”",
    "‘": "’",
    "’": "’",
    "「": "」",
    "『": "』",
    "《": "》",
    "【": "】",
}
_QUOTED_LENGTH = 400

_MOST_FOLDS, _SHORTEST_REST = 40, 8

_OPENING = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Value:
    """A value at *start* to *end* of the text; *quoted* if quotes mark both ends."""

    text: str
    start: int
    end: int
    quoted: bool


def read_value(text: str, start: int, quote: str | None) -> Value | None:
    """Read the value that begins at *start*, after the opening *quote* if there is one."""
    if quote:
        closing = _CLOSING.get(quote, quote)
        end = text.find(closing, start, start + _QUOTED_LENGTH)
        if (
            end > start
            and "\n" not in (inside := text[start:end])
            and PLACEHOLDER not in inside
        ):
            return Value(inside, start, end, quoted=True)
    start += text.startswith("(", start)
    if code := READING.split_code.match(text, start):
        return Value(code[0].replace(" ", ""), *code.span(), quoted=False)
    match = READING.bare.match(text, start)
    if not match:
        return None
    value = _without_neighbours(match[0])
    return Value(value, start, start + len(value), quoted=False) if value else None


def unfolded(text: str, value: Value) -> Value:
    """Return *value* with what a line break cut off, if it was cut."""
    end = end_of_folds(text, value.end)
    if end == value.end:
        return value
    joined = re.sub(r"[\s\\+\"'`>|]", "", text[value.start : end])
    return Value(joined, value.start, end, value.quoted)


def end_of_folds(text: str, end: int) -> int:
    """
    Say where a key that stops at *end* goes on to, over the following lines.

    The next line must begin with what looks drawn at random, or a sign of continuation
    must stand at the end of this one.
    """
    for _ in range(_MOST_FOLDS):
        match = READING.fold.match(text, end)
        if not match or not (match["mark"] or _looks_random(match["rest"])):
            break
        end = match.end("rest")
    return end


def _looks_random(rest: str) -> bool:
    if len(rest) < _SHORTEST_REST or READING.path_or_pair.search(rest):
        return False
    digits = sum(map(str.isdigit, rest))
    small, capital = sum(map(str.islower, rest)), sum(map(str.isupper, rest))
    if not digits:
        return capital * 3 >= len(rest) <= small * 4
    return bool(small and capital) or (
        bool(small or capital) and digits * 5 > len(rest)
    )


def _without_neighbours(value: str) -> str:
    if cut := READING.next_pair.search(value):
        value = value[: cut.start()]
    # A call or an index keeps its brackets, so that it can be told from a value.
    while value and value[-1] in ".,;:)]}'\"*_?!|\\":
        last = value[-1]
        if last in _OPENING and value.count(_OPENING[last]) >= value.count(last):
            break
        if last in "!_*?" and len(value) > 1 and value[-2].isalnum():
            break
        value = value[:-1]
    return value
