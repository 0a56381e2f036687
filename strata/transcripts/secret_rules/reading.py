"""Where a value begins and ends in the text: quoted, or up to a blank."""

from __future__ import annotations

import re
from dataclasses import dataclass

from strata.transcripts.secret_rules.view import PLACEHOLDER

QUOTE = r"""(?P<quote>["'`]{1,3}|\*\*|[“”‘’「『《【])?"""
"""Matches an opening quote, if there is one."""

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
_NOT_IN_VALUES = (
    rf"\s<>{PLACEHOLDER}⟦⟧“”‘’「」『』《》【】\u3000-\u303f\u3400-\u9fff\uff01-\uff65…"
)
_BARE = re.compile(
    rf"""(?:[^{_NOT_IN_VALUES}"'`]|['"](?=[^\s\W]))(?:[^{_NOT_IN_VALUES}"'`]|'(?=[^\s\W])){{0,399}}"""
)
_QUOTED_LENGTH = 400
# How one-time codes are shown: "482 913".
_SPLIT_CODE = re.compile(r"[0-9]{3} [0-9]{3}(?![ -]?\w)")

_FOLD = re.compile(
    r"""["'`]?[ \t]{0,4}(?P<mark>[\\+]?)[ \t]{0,4}\r?\n[ \t>|]{0,40}["'`]?"""
    r"""(?P<rest>[A-Za-z0-9+/=_.%~-]{4,400})(?![A-Za-z0-9+/=_:-])"""
)
_PATH_OR_PAIR = re.compile(r"\.[a-z]{1,5}\Z|\A[.~]?/[\w.]+/|\A\w{1,40}=\w")
_MOST_FOLDS, _SHORTEST_REST = 40, 8

# Where a value ends although no blank follows: the next pair of a list, a query, a row of
# a connection string, a Chinese sentence that goes on.
_NEXT_PAIR = re.compile(
    r"&&|\|\||&(?=[\w.\[\]-]{1,40}=)"
    r"|[,;](?=[\w\"'{ $-]{0,40}[=:]|[\u3000-\u9fff\uff00-\uffef]|\Z)"
)
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
    if code := _SPLIT_CODE.match(text, start):
        return Value(code[0].replace(" ", ""), *code.span(), quoted=False)
    match = _BARE.match(text, start)
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
        match = _FOLD.match(text, end)
        if not match or not (match["mark"] or _looks_random(match["rest"])):
            break
        end = match.end("rest")
    return end


def _looks_random(rest: str) -> bool:
    if len(rest) < _SHORTEST_REST or _PATH_OR_PAIR.search(rest):
        return False
    digits = sum(map(str.isdigit, rest))
    small, capital = sum(map(str.islower, rest)), sum(map(str.isupper, rest))
    if not digits:
        return capital * 3 >= len(rest) <= small * 4
    return bool(small and capital) or (
        bool(small or capital) and digits * 5 > len(rest)
    )


def _without_neighbours(value: str) -> str:
    if cut := _NEXT_PAIR.search(value):
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
