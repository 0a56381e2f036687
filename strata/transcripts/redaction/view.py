"""A text as the rules read it: unescaped, half-width, without invisible characters."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, compress
from typing import TYPE_CHECKING

from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PLACEHOLDER = "\ue000"
"""The one character that stands for a placeholder that an earlier run left."""

_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
_ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f"
)
_HYPHENS = "\u2010\u2011\u2013\u2212\ufe63"
_WIDE = (
    f"{_HYPHENS}\u00a0\u2000-\u200a\u202f\u205f\u3000"  # hyphens and blanks
    "\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1d\uff20-\uff5e\u0130\u2460-\u2468"
    "\U0001d400-\U0001d7ff"
)

_PLACEHOLDER = r"(?:secret|personal):[a-z0-9-]{1,40}"
_ENTITY = r"(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{2,5}|#[xX][0-9a-fA-F]{2,4});"
_PERCENT = "(?:[2-7][0-9a-fA-F]|0[aA])"
_CONTINUED = r"\r?\n[ \t]{0,80}"
_ESCAPED = (
    rf"(?:u27e6{_PLACEHOLDER}\\{{1,9}}u27e7|u[0-9a-fA-F]{{4}}|x[2-7][0-9a-fA-F]"
    rf"""|[nrt"'/]|{_CONTINUED})"""
)

SPELLED_OTHERWISE = rf"\\%&⟦{_ZERO_WIDTH}{_WIDE}"
"""Matches, in a class of characters, where another spelling may begin."""

# Where another spelling may begin is one class of characters, which is found about thirty
# times as fast as a choice of spellings. A backslash may be doubled any number of times:
# tool output is JSON within JSON. At the end of a line it joins the next one to it.
_SPELLED_IN_ASCII = pattern(
    rf"([\\%&](?<!\\\\)(?:(?<=\\)\\*{_ESCAPED}|(?<=%){_PERCENT}|(?<=&){_ENTITY}))"
)
_SPELLED = pattern(
    rf"([{SPELLED_OTHERWISE}](?<!\\\\)(?:(?<=\\)\\*{_ESCAPED}|(?<=%){_PERCENT}"
    rf"|(?<=&){_ENTITY}|(?<=⟦){_PLACEHOLDER}⟧|(?<=[{_ZERO_WIDTH}])[{_ZERO_WIDTH}]*"
    rf"|(?<=[{_WIDE}])[{_WIDE}]*))"
)
_INVISIBLE, _OF_PLACEHOLDER = pattern(f"[{_ZERO_WIDTH}]"), pattern("⟦|\\\\+u27e6")

# Runs of key characters are searched in a copy that has one letter for all of them: a
# fixed string is found about ten times as fast as a class of characters.
KEY_CHARACTERS = bytes(
    ord("a") if chr(code).isalnum() or chr(code) in "_-" else code
    for code in range(128)
) + bytes(range(128, 256))
_LONG_RUN = re.compile(b"a" * 16 + b"a*")
# Numbers are searched in a copy with 0 for all digits and A for all capitals.
SIGNS = bytes.maketrans(b"123456789BCDEFGHIJKLMNOPQRSTUVWXYZ", b"0" * 9 + b"A" * 25)

# A long text says most of its words many times; looking for a clue among them once each is
# a hundred times as fast. Digits join what they part, so that lines of a log are alike.
_LONG_TEXT = 1000
_DIGITS = b"0123456789"
_LETTERS = (
    bytes(
        code if code == ord("\n") or chr(code).islower() else ord(" ")
        for code in range(128)
    )
    + b" " * 128
)
_FOREIGN = pattern("[^\x00-\x7f]+")


@dataclass(frozen=True, slots=True)
class View:
    """
    *text* as the rules read it, and the way back to the original's characters.

    *lowered* is *text* in lower case, character by character, and *words* holds each of
    its words at least once. *shape* and *signs* have one byte per character: ``a`` for all
    that keys are made of, and ``0`` for digits beside ``A`` for capitals. *runs* are start
    and end of the stretches of 16 and more such key characters. The last three run in
    parallel:
    stretch *i* of *text* begins at ``view_at[i]`` and came from ``text_at[i]``;
    ``text_end[i]`` is where a replaced character's spelling ended, 0 for a verbatim
    stretch. Empty: nothing was changed.
    """

    text: str
    lowered: str
    words: str
    shape: bytes
    signs: bytes
    runs: tuple[tuple[int, int], ...]
    view_at: tuple[int, ...] = ()
    text_at: tuple[int, ...] = ()
    text_end: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Say where characters *start* to *end* stand in the original text."""
        if not self.view_at:
            return start, end
        return self._spelling(start)[0], self._spelling(end - 1)[1]

    def _spelling(self, position: int) -> tuple[int, int]:
        stretch = bisect_right(self.view_at, position) - 1
        if self.text_end[stretch]:
            return self.text_at[stretch], self.text_end[stretch]
        at = self.text_at[stretch] + position - self.view_at[stretch]
        return at, at + 1


def view_of(text: str) -> View:
    """Return the view of *text* that the rules search."""
    spelled = _SPELLED_IN_ASCII if text.isascii() else _SPELLED
    parts = spelled.split(text)
    return _plain(text) if len(parts) == 1 else rewritten(parts, _meant)


def _plain(text: str) -> View:
    raw, lowered = text.encode("ascii", "replace"), text.lower()
    shape = raw.translate(KEY_CHARACTERS)
    runs = tuple(match.span() for match in _LONG_RUN.finditer(shape))
    words = lowered if len(text) < _LONG_TEXT else _words_of(lowered)
    return View(text, lowered, words, shape, raw.translate(SIGNS), runs)


def _words_of(lowered: str) -> str:
    """Return the words of *lowered* once each; what is not ASCII in its runs."""
    letters = lowered.encode("ascii", "replace").translate(_LETTERS, _DIGITS)
    words = set(b" ".join(set(letters.split(b"\n"))).split())
    foreign = () if lowered.isascii() else set(_FOREIGN.findall(lowered))
    return " ".join((b" ".join(words).decode(), *foreign))


def rewritten(parts: list[str], meaning: Callable[[str], str]) -> View:
    """Return the view of *parts*: in turns what stays and what has another *meaning*."""
    pieces = parts.copy()
    pieces[1::2] = map(meaning, parts[1::2])
    text_at = tuple(accumulate(map(len, parts), initial=0))
    return replace(
        _plain("".join(pieces)),
        view_at=tuple(accumulate(map(len, pieces), initial=0)),
        text_at=text_at,
        text_end=tuple(
            end if len(piece) < len(part) else 0
            for piece, part, end in zip(pieces, parts, text_at[1:], strict=False)
        ),
    )


@lru_cache(maxsize=1024)
def _meant(spelled: str) -> str:
    """Return what is *spelled*: one character, as many as it has itself, or none."""
    sign, rest = spelled[0], spelled.lstrip("\\")
    if _OF_PLACEHOLDER.match(spelled):
        return PLACEHOLDER
    if sign == "&":
        import html  # noqa: PLC0415 - two thousand names, for a rare spelling

        return _printable(html.unescape(spelled))
    if sign == "%":
        return _printable(chr(int(spelled[1:], 16)))
    if sign != "\\":
        return "" if _INVISIBLE.match(sign) else "".join(map(_folded, spelled))
    if rest[0] in "ux":
        return _printable(chr(int(rest[1:], 16)))
    # A quote or a slash spells itself; a break of the line joins it to the next.
    return "" if rest[0] in "\r\n" else _CONTROLS.get(rest, rest)


def _folded(character: str) -> str:
    # Lower case of a dotted capital I has two characters and would shift the offsets.
    if character == "\u0130":
        return "i"
    if character in _HYPHENS:
        return "-"
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else " " if character.isspace() else character


def _printable(character: str) -> str:
    if character in "\n\r\t":
        return character
    # Half of an emoji in JSON is a character all the same; what is invisible is none.
    half = "\ud800" <= character <= "\udfff"
    if half or not character.isprintable():
        return "?" if half else ""
    return _folded(character) if _SPELLED.match(character) else character


_IN_LETTERS = pattern("[a-z]+")


class Clues:
    """
    *phrases* in lower case; a rule reads only the text around them.

    Most texts hold none, and those are told by the words of a view alone, many times as
    fast as by a pattern.
    """

    def __init__(self, *phrases: str) -> None:
        self.phrases = phrases
        self._words = tuple(map(_longest_word, phrases))

    def are_in(self, view: View) -> bool:
        """Say whether *view* holds one of the phrases."""
        return next(self.held_by(view), None) is not None

    def held_by(self, view: View) -> Iterator[str]:
        """Yield the phrases that *view* holds."""
        likely: Iterable[str] = self.phrases
        if view.words is not view.lowered:
            likely = compress(likely, map(view.words.__contains__, self._words))
        return filter(view.lowered.__contains__, likely)

    def are_in_text(self, lowered: str) -> bool:
        """Say whether a few words, *lowered* to lower case, hold one of the phrases."""
        return any(map(lowered.__contains__, self.phrases))


def _longest_word(phrase: str) -> str:
    return max(
        _IN_LETTERS.findall(phrase), key=len, default="" if phrase.isascii() else phrase
    )


def stretches(view: View, phrases: Iterable[str], back: int) -> list[tuple[int, int]]:
    """Return what stands *back* from each of *phrases* in *view* up to it, in order."""
    places = sorted(
        found.start()
        for phrase in phrases
        for found in re.finditer(re.escape(phrase), view.lowered)
    )
    found: list[tuple[int, int]] = []
    for at in places:
        start = max(0, at - back)
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, at))
    return found
