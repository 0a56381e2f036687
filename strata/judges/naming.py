"""
Who and what a statement names: people, organisations, places, projects, things.

A chain of tags over words and hanzi, whose weights `training/naming.py` learns from the
talk of invented people. It reads talk as it is typed: a name has a capital or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from strata.language.splitting import HANZI, Token, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.uint64]
    # Cuts hanzi into words of a dictionary, each with its English.
    Cut = Callable[[str], Sequence[tuple[str, str]]]

# Part of what names are read by: raise it when the same weights read otherwise.
VERSION = 1
WEIGHTS = Path(__file__).with_name("naming.npz")
SORTS = ("person", "organisation", "place", "project", "thing")
# Outside, then for each sort the tag of a first token and that of a further one.
TAGS = ("O", *(f"{part}-{sort}" for sort in SORTS for part in "BI"))
# What is less of a name is none.
LEAST = 0.3
BITS = 18
_BUCKETS = 1 << BITS
_ENDS = frozenset(".!?。！？;；:：\n")
# By how many people of those who were learned from a word is used.
_LEVELS = (2, 5, 15, 50)
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Named:
    """
    What is named from *start* to *end* of a text, as it stands there: of what *sort*.

    *chance* is how sure that is, from 0 to 1.
    """

    start: int
    end: int
    text: str
    sort: str
    chance: float


class Tagger:
    """
    Tags tokens with the weights of *arrays*.

    *weights* has a row of numbers for each bucket of a feature, one for each of `TAGS`;
    *steps* says how likely one tag follows another; *words* and *levels* how common words
    are, by hash; *known* and *groups* which English words are like each other, *plain*
    how many use a word as no name.
    """

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        known, groups = arrays["known"].tolist(), arrays["groups"].tolist()
        self._groups = dict(zip(known, map(tuple, groups), strict=True))
        scale = np.float32(arrays["scale"])
        self._weights: Floats = arrays["weights"].astype(np.float32) * scale
        self._steps: Floats = arrays["steps"].astype(np.float32)
        words, levels = arrays["words"].tolist(), arrays["levels"].tolist()
        self._levels: dict[int, int] = dict(zip(words, levels, strict=True))
        plain = arrays["plain"].tolist(), arrays["plain_levels"].tolist()
        self._plain: dict[int, int] = dict(zip(*plain, strict=True))

    @cached_property
    def fingerprint(self) -> str:
        """What changes whenever the same text may be read otherwise."""
        return f"{VERSION}.{crc32(self._weights.tobytes()):08x}"

    def commonness(self, word: str) -> int:
        """Return how many use *word*, or two hanzi, as no name: 0 for hardly anybody."""
        return self._plain.get(hashed(word.lower()), 0)

    def named(self, text: str, cut: Cut | None = None) -> tuple[Named, ...]:
        """
        Return what *text* names, in its order.

        *cut* cuts a run of hanzi into words of a dictionary, each with its English.
        """
        tokens = tokens_of(text)
        if not tokens:
            return ()
        hints, levels = Words(self._groups, cut).hints(tokens), self._levels
        seen = features(tokens, levels, hints)
        scores: Floats = self._weights[seen].sum(axis=1)
        return tuple(_spans(text, tokens, marginals(scores, self._steps)))

    def unheard(self, text: str, cut: Cut | None = None) -> tuple[tuple[int, int], ...]:
        """
        Return where *text* has what hardly anybody says and no dictionary knows.

        Each is an English word, or two hanzi in a row where *cut* knows words of them.
        """
        tokens = tokens_of(text)
        hints = Words(self._groups, cut).hints(tokens)
        found: list[tuple[int, int]] = []
        for place, (token, hint) in enumerate(zip(tokens, hints, strict=True)):
            word = token.text.lower()
            if word.isalpha() and not HANZI.match(word):
                code = hashed(word)
                if code not in self._groups and code not in self._levels:
                    found.append((token.start, token.end))
            elif cut and hint.part and place + 1 < len(tokens):
                pair = text[token.start : tokens[place + 1].end]
                known = hint.word == pair or not hints[place + 1].part
                if not known and len(pair) == _PAIR and not self.commonness(pair):
                    found.append((token.start, tokens[place + 1].end))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Hint:
    """
    What a dictionary knows of a token: the *word* that it is part of, and in which *part*.

    *near* are the numbers of the groups of words with a like meaning, the narrow and the
    wide one, "" where the word is unknown.
    """

    word: str
    part: str
    near: tuple[str, str]


class Words:
    """
    What words are like: *groups* maps the hash of an English word to two numbers.

    *cut* cuts a run of hanzi into words of a dictionary, each with its English.
    """

    def __init__(
        self,
        groups: Mapping[int, tuple[int, int]],
        cut: Cut | None = None,
    ) -> None:
        self._groups = groups
        self._cut = cut

    def hints(self, tokens: Sequence[Token]) -> list[Hint]:
        """Return what is known of each of *tokens*."""
        found: list[Hint] = []
        while len(found) < len(tokens):
            start = end = len(found)
            while end < len(tokens) and HANZI.match(tokens[end].text):
                end += 1
            if end > start and self._cut:
                run = "".join(each.text for each in tokens[start:end])
                for word, english in self._cut(run):
                    near = self._near(english.partition(" ")[0].lower())
                    size = len(word)
                    parts = ["S"] if size == 1 else ["B", *"M" * (size - 2), "E"]
                    found += [
                        Hint(word, f"{part}{min(size, 4)}", near) for part in parts
                    ]
                continue
            word = tokens[start].text.lower()
            found.append(Hint(word, "", self._near(word)))
        return found

    def _near(self, word: str) -> tuple[str, str]:
        groups = self._groups.get(hashed(word))
        return (str(groups[0]), str(groups[1])) if groups else ("", "")


def features(
    tokens: Sequence[Token], levels: Mapping[int, int], hints: Sequence[Hint]
) -> Numbers:
    """Return the buckets of what can be seen of each of *tokens*: one row a token."""
    words = [each.text for each in tokens]
    lows = [each.lower() for each in words]
    marks = [shape(each) for each in words]
    opens = [not n or words[n - 1] in _ENDS for n in range(len(words))]
    glued = [n > 0 and tokens[n - 1].end == tokens[n].start for n in range(len(tokens))]
    pairs = [_pair(lows, n) for n in range(len(lows))]
    seen = {
        "w": _row(words),
        "l": _row(lows),
        "s": _row(marks),
        "o": np.array(opens, np.uint64),
        "g": np.array(glued, np.uint64),
        "c": _levels(lows, levels),
        "d": _levels(pairs, levels),
        "n": _row([each.near[0] for each in hints]),
        "m": _row([each.near[1] for each in hints]),
        "p": _row([each.part for each in hints]),
        "k": _row([each.word for each in hints]),
        "2": _row([_latin(each, -2) for each in lows]),
        "3": _row([_latin(each, -3) for each in lows]),
        "4": _row([_latin(each, -4) for each in lows]),
        "5": _row([_latin(each, 2) for each in lows]),
        "6": _row([_latin(each, 3) for each in lows]),
        "7": np.array([min(len(each), 9) for each in words], np.uint64),
    }
    around = _shifted(np.stack([seen[name] for name in _ROWS]))
    return np.ascontiguousarray(_mixed(around).T)


_ROWS = "wlsogcdnmpk234567"
# So far to both sides is looked; beyond the ends is a mark.
_REACH = 3
_BEFORE, _BEYOND = 7, 8


def _template(told: str) -> tuple[tuple[str, int], ...]:
    """Read which rows make a feature, such as ``l0 l+1``: a word and the one after it."""
    return tuple((part[0], int(part[1:] or 0)) for part in told.split())


_TEMPLATES = tuple(
    _template(each)
    for each in (
        *("w0", "l0", "s0 o0", "g0 s0", "l-3", "l-2", "l-1", "l+1", "l+2", "l+3"),
        *("l-1 l0", "l0 l+1", "l-1 l+1", "l-2 l-1", "l+1 l+2", "l-2 l-1 l0"),
        *("l0 l+1 l+2", "l-1 l0 l+1", "s-1 s0 s+1", "s-2 s-1 s0 s+1 s+2"),
        *("c0 s0 o0", "c-1 c0 c+1", "n0", "m0 s0", "n-2", "n-1", "n+1", "n+2"),
        *("m-1 m0", "m0 m+1", "m-1 m+1", "p-1 p0 p+1", "p-2 p-1 p0 p+1"),
        *("k0", "k-1", "k+1", "d0 d+1", "d-1 d0 d+1", "20", "30", "40", "50", "60"),
        *("70 s0", "k-1 k0", "k0 k+1", "n-1 s0", "n+1 s0"),
    )
)


def _row(texts: Sequence[str]) -> Numbers:
    return np.array([hashed(each) for each in texts], np.uint64)


def _levels(texts: Sequence[str], levels: Mapping[int, int]) -> Numbers:
    return np.array([levels.get(hashed(each), 0) for each in texts], np.uint64)


def _pair(lows: Sequence[str], place: int) -> str:
    """Return the hanzi at *place* with the one before it."""
    both = place > 0 and HANZI.match(lows[place]) and HANZI.match(lows[place - 1])
    return lows[place - 1] + lows[place] if both else ""


def _latin(word: str, size: int) -> str:
    if HANZI.match(word):
        return ""
    return word[size:] if size < 0 else word[:size]


def _shifted(rows: Numbers) -> Numbers:
    """Return each of *rows* as it is seen from each place near by: row, place, token."""
    size = (len(rows), _REACH)
    before = np.full(size, _BEFORE, np.uint64)
    beyond = np.full(size, _BEYOND, np.uint64)
    ended = np.concatenate([before, rows, beyond], axis=1)
    return np.lib.stride_tricks.sliding_window_view(ended, rows.shape[1], axis=1)


def _mixed(around: Numbers) -> Numbers:
    """Return the bucket of what the rows of each template say together."""
    starts = 1_000_003 * (np.arange(len(_TEMPLATES), dtype=np.uint64) + np.uint64(1))
    found = np.repeat(starts[:, None], around.shape[2], axis=1)
    for templates, rows, places in _PARTS:
        mixed = (found[templates] ^ around[rows, places]) * _ODD
        found[templates] = mixed ^ (mixed >> np.uint64(29))
    buckets: Numbers = found >> np.uint64(64 - BITS)
    return buckets


def _parts() -> Iterator[tuple[list[int], list[int], list[int]]]:
    """Give the first part of all templates, then the second of those that have one, …"""
    for part in range(max(map(len, _TEMPLATES))):
        having = [n for n, each in enumerate(_TEMPLATES) if len(each) > part]
        told = [_TEMPLATES[n][part] for n in having]
        rows = [_ROWS.index(name) for name, _ in told]
        yield having, rows, [_REACH + by for _, by in told]


_PARTS = tuple(_parts())
_ODD = np.uint64(0x9E3779B97F4A7C15)


@lru_cache(maxsize=1 << 16)
def hashed(name: str) -> int:
    """Return the number of the feature or the word *name*."""
    return crc32(name.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=4096)
def shape(word: str) -> str:
    """Return of what kind of letters *word* is."""
    if HANZI.match(word):
        return "h"
    if word.isdigit():
        return f"9{min(len(word), 3)}"
    if not word[0].isalpha():
        return word
    if word.islower():
        return "x"
    if word.isupper():
        return "X" if len(word) > 1 else "Y"
    return "Xx" if word[0].isupper() and word[1:].islower() else "xX"


def level_of(people: int) -> int:
    """Return how common a word is that so many *people* use."""
    return sum(people >= least for least in _LEVELS)


def marginals(scores: Floats, steps: Floats) -> Floats:
    """Return how likely each token has each tag, all chains considered."""
    forward = np.empty_like(scores)
    backward = np.zeros_like(scores)
    forward[0] = scores[0] + steps[0]
    for place in range(1, len(scores)):
        forward[place] = scores[place] + log_summed(
            forward[place - 1][:, None] + steps[1:], 0
        )
    for place in range(len(scores) - 2, -1, -1):
        ahead = scores[place + 1] + backward[place + 1]
        backward[place] = log_summed(steps[1:] + ahead[None, :], 1)
    whole = forward + backward
    found: Floats = np.exp(whole - log_summed(whole, 1)[:, None])
    return found


def log_summed(table: Floats, axis: int) -> Floats:
    """Return the logarithms of the sums along *axis* of what *table* has those of."""
    most = table.max(axis=axis)
    held = most[:, None] if axis else most[None]
    summed: Floats = most + np.log(np.exp(table - held).sum(axis=axis))
    return summed


def _spans(text: str, tokens: Sequence[Token], chances: Floats) -> Iterator[Named]:
    """Give what is more of a name than `LEAST`: who reads many texts knows more of it."""
    inside = 1 - chances[:, 0]
    place = 0
    while place < len(tokens):
        first = place
        place += 1
        if inside[first] < LEAST:
            continue
        while (
            place < len(tokens)
            and inside[place] >= LEAST
            and chances[place, 2::2].sum() > chances[place, 1::2].sum()
        ):
            place += 1
        start, end = tokens[first].start, tokens[place - 1].end
        each = chances[first:place]
        sorts = (each[:, 1::2] + each[:, 2::2]).sum(axis=0)
        sure = float(inside[first:place].min())
        yield Named(start, end, text[start:end], SORTS[sorts.argmax()], round(sure, 4))


@cache
def tagger() -> Tagger:
    """Return the tagger that comes with Strata."""
    with np.load(WEIGHTS) as arrays:
        return Tagger(dict(arrays))
