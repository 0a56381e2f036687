"""Whether two words of a statement have changed places: who lent whom, what was before."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from strata.language.calendar import MONTH, WEEKDAY_ENGLISH
from strata.language.clauses import WEIGHTS
from strata.language.pieces import pieces
from strata.language.spelling import plain
from strata.statements.grounding.bindings import named_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.language.pieces import Piece

# Words on both sides of these may change places, and the statement stays.
_EVEN = frozenset(
    {",", "、", "and", "or", "和", "与", "跟", "及", "或", "同", ";", "."}
)
_LONGEST_BETWEEN = 8
_NAMES_SIDE_BY_SIDE = re.compile(r"(?<=[\w,] )([A-Z][\w'-]+) (?=([A-Z][\w'-]+))")
_CALENDAR = re.compile(
    rf"{WEEKDAY_ENGLISH}s?|{MONTH}|user|owner|the|i",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?<![\w.-])([a-z]*\d+)\s?(?:[-–—~]|to|through|至|到)\s?([a-z]*\d+)(?![\w.-])"
)
_STATEMENT = re.compile(r"[;。\uff1b\n]|\.(?=\s|$)")
# A statement of which so much is said by one sentence is about what that one is about.
_ABOUT = 0.6
_FEWEST = 2


def swapped(text: str, quotes: Sequence[str]) -> str | None:
    """Return what in *text* stands in the place that another word has in *quotes*."""
    said = " . ".join(quotes)
    return (
        _mirrored(text, quotes)
        or _strange_pair(text, said)
        or _other_label(text, quotes)
        or _range_reversed(plain(text).lower(), plain(said).lower())
        or _exchanged(text, quotes)
    )


def _mirrored(text: str, quotes: Iterable[str]) -> str | None:
    """Tell of two words with the same words between them, the other way round."""
    known = {
        (one.key, between, two.key)
        for quote in quotes
        for one, between, two in _framed(quote)
    }
    told = list(_framed(text))
    for one, between, two in told:
        is_mirrored = (two.key, between, one.key) in known
        if is_mirrored and (one.key, between, two.key) not in known:
            return f"{one.said!r} and {two.said!r} have changed places"
    return None


def _framed(text: str) -> Iterator[tuple[Piece, tuple[str, ...], Piece]]:
    """Give each two words of *text* with what stands between, where that has sides."""
    told = pieces(text)
    places = [place for place, piece in enumerate(told) if WEIGHTS.get(piece.kind)]
    for one, two in combinations(places, 2):
        between = tuple(piece.key for piece in told[one + 1 : two])
        if len(between) <= _LONGEST_BETWEEN and not set(between) <= _EVEN:
            yield told[one], between, told[two]


def _strange_pair(text: str, said: str) -> str | None:
    """Tell of a name of two words of which both were said, but not as one name."""
    for found in _NAMES_SIDE_BY_SIDE.finditer(plain(text)):
        one, two = (found[place].removesuffix("'s") for place in (1, 2))
        if _CALENDAR.fullmatch(one) or _CALENDAR.fullmatch(two):
            continue
        both = all(_is_said(re.escape(each), said) for each in (one, two))
        if both and not _is_said(rf"{re.escape(one)}\W+{re.escape(two)}", said):
            return f"the name '{one} {two}' is not in the words"
    return None


def _is_said(pattern: str, said: str) -> bool:
    return re.search(rf"(?<!\w){pattern}(?!\w)", said, re.IGNORECASE) is not None


def _other_label(text: str, quotes: Iterable[str]) -> str | None:
    """Tell of a name or a value right after a word that has another one of *text*."""
    known: dict[str, set[str]] = {}
    for quote in quotes:
        for label, named in _labelled(quote):
            known.setdefault(label.key, set()).add(named.key)
    told = list(_labelled(text))
    everything = {piece.key for piece in pieces(text)}
    for label, named in told:
        there = known.get(label.key, set())
        if there & everything and named.key not in there:
            return f"{named.said!r} is no {label.said}"
    return None


def _labelled(text: str) -> Iterator[tuple[Piece, Piece]]:
    for label, named in pairwise(pieces(text)):
        if label.kind in {"word", "hanzi"} and named.kind in {"name", "value"}:
            yield label, named


def _range_reversed(text: str, said: str) -> str | None:
    known = {found.groups() for found in _RANGE.finditer(said)}
    for found in _RANGE.finditer(text):
        one, two = found.groups()
        if (two, one) in known and (one, two) not in known:
            return f"{found[0]!r} is the wrong way round"
    return None


def _exchanged(text: str, quotes: Iterable[str]) -> str | None:
    """
    Tell of a name or a value that stands where one sentence has another one of *text*.

    "Peak 14 GB; now 1.9 GB" may rest on two sentences: each must have its own value.
    """
    parts = [named_in(part) for part in _STATEMENT.split(plain(text))]
    sentences = [named_in(quote) for quote in quotes]
    everything = _joined(named for named, _ in parts)
    for named, words in parts:
        home = max(sentences, key=lambda each: len(words & each[1]), default=None)
        shared = len(words & home[1]) if home else 0
        if home is None or shared < max(_FEWEST, _ABOUT * len(words)):
            continue
        for sort, keys in named.items():
            there = home[0].get(sort, frozenset())
            others = (there & everything.get(sort, frozenset())) - keys
            if others and not keys & there:
                return f"{min(keys)!r} stands where the words have {min(others)!r}"
    return None


def _joined(parts: Iterable[dict[str, frozenset[str]]]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for part in parts:
        for sort, keys in part.items():
            found[sort] = found.get(sort, frozenset()) | keys
    return found
