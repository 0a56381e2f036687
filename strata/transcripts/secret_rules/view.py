"""A text as the rules read it: unescaped, half-width, without invisible characters."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

PLACEHOLDER = "\ue000"
"""The one character that stands for a placeholder that an earlier run left."""

_NAMED_ENTITIES = {
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "quot": '"',
    "apos": "'",
    "nbsp": " ",
}
_CONTROL_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}

# What a reader does not see, or what reads as another character. A backslash may be
# doubled any number of times: tool output is JSON within JSON.
_SPECIAL = re.compile(
    r"(?P<placeholder>(?:⟦|\\+u27e6)(?:secret|personal):[a-z0-9-]{1,40}(?:⟧|\\+u27e7))"
    r"|\\+(?:u00(?P<unicode>[2-7][0-9a-fA-F])|x(?P<byte>[2-7][0-9a-fA-F])"
    r"""|(?P<control>[nrt])|(?P<plain>["'/]))"""
    r"|\\+u(?P<invisible>200[b-fB-F]|2060|00[aA][dD]|[fF][eE][fF][fF])"
    r"|%(?P<percent>[2-7][0-9a-fA-F]|0[aA])"
    r"|&(?:(?P<entity>amp|lt|gt|quot|apos|nbsp)|#(?P<decimal>[0-9]{2,5})"
    r"|#[xX](?P<hex>[0-9a-fA-F]{2,4}));"
    "|(?P<zero>[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f])"
    "|(?P<hyphen>[\u2010\u2011\u2013\u2212\ufe63])"
    "|(?P<blank>[\u00a0\u2000-\u200a\u202f\u205f\u3000])"
    "|(?P<wide>[\uff02-\uff07\uff0a\uff0b\uff0d-\uff19\uff1d\uff20-\uff5e"
    "\U0001d400-\U0001d7ff\u0130\u2460-\u2468])"
)


@dataclass(frozen=True, slots=True)
class View:
    """
    *text* as the rules read it, and the way back to the original's characters.

    *lowered* is *text* in lower case, character by character. The last three run in
    parallel: stretch *i* of *text* begins at ``view_at[i]`` and came from ``text_at[i]``;
    ``text_end[i]`` is where a replaced character's spelling ended, 0 for a verbatim
    stretch. Empty lists: nothing was changed.
    """

    text: str
    lowered: str
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
    if text.isascii() and not ("\\" in text or "%" in text or "&" in text):
        return View(text, text.lower())
    if not _SPECIAL.search(text):
        return View(text, text.lower())
    return _rewritten(text)


def _rewritten(text: str) -> View:
    pieces: list[str] = []
    stretches: list[tuple[int, int, int]] = []
    done = length = 0
    for match in _SPECIAL.finditer(text):
        start, end = match.span()
        if start > done:
            stretches.append((length, done, 0))
            pieces.append(text[done:start])
            length += start - done
        if meant := _meant(match):
            stretches.append((length, start, end))
            pieces.append(meant)
            length += 1
        done = end
    stretches.append((length, done, 0))
    pieces.append(text[done:])
    seen = "".join(pieces)
    view_at, text_at, text_end = zip(*stretches, strict=True)
    return View(seen, seen.lower(), view_at, text_at, text_end)


def _meant(match: re.Match[str]) -> str:
    """Return the one character that *match* spells, or nothing if it is invisible."""
    group, spelling = match.lastgroup, match.group(match.lastgroup or 0)
    match group:
        case "zero" | "invisible":
            return ""
        case "placeholder":
            return PLACEHOLDER
        case "wide":
            return _folded(spelling)
        case "hyphen":
            return "-"
        case "blank":
            return " "
        case "control":
            return _CONTROL_ESCAPES[spelling]
        case "plain":
            return spelling
        case "entity":
            return _NAMED_ENTITIES[spelling]
        case "decimal":
            return _printable(int(spelling))
        case _:
            return _printable(int(spelling, 16))


def _folded(character: str) -> str:
    # Lower case of a dotted capital I has two characters and would shift the offsets.
    if character == "\u0130":
        return "i"
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else character


def _printable(code: int) -> str:
    character = chr(code)
    return _folded(character) if character.isprintable() or code == 10 else ""  # noqa: PLR2004 - line feed
