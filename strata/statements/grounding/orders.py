"""Whether two words of a statement have changed places: who lent whom, what was before."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from strata.language.calendar import MONTH, WEEKDAY_ENGLISH
from strata.language.clauses import WEIGHTS
from strata.language.spelling import plain
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.language.pieces import Piece
    from strata.language.statement import Statement

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


def swapped(told: Statement, cited: Statement) -> str | None:
    """Return what in *told* stands in the place that another word has in *cited*."""
    return (
        _mirrored(told, cited)
        or _strange_pair(told.text, cited.text)
        or _other_label(told, cited)
        or _range_reversed(told.plain, cited.plain)
        or _exchanged(told, cited)
    )


def _mirrored(told: Statement, cited: Statement) -> str | None:
    """Tell of two words with the same words between them, the other way round."""
    known = {(one.key, between, two.key) for one, between, two in _framed(cited)}
    for one, between, two in _framed(told):
        is_mirrored = (two.key, between, one.key) in known
        if is_mirrored and (one.key, between, two.key) not in known:
            return f"{one.said!r} and {two.said!r} have changed places"
    return None


def _framed(text: Statement) -> Iterator[tuple[Piece, tuple[str, ...], Piece]]:
    """Give each two words of *text* with what stands between, where that has sides."""
    told = text.pieces
    places = [place for place, piece in enumerate(told) if WEIGHTS.get(piece.kind)]
    for one, two in combinations(places, 2):
        if two - one - 1 > _LONGEST_BETWEEN:
            continue
        between = tuple(piece.key for piece in told[one + 1 : two])
        if not set(between) <= _EVEN:
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


def _other_label(told: Statement, cited: Statement) -> str | None:
    """Tell of a name or a value right after a word that has another one of *told*."""
    known: dict[str, set[str]] = {}
    for label, named in _labelled(cited):
        known.setdefault(label.key, set()).add(named.key)
    for label, named in _labelled(told):
        there = known.get(label.key, set())
        if there & told.keys and named.key not in there:
            return f"{named.said!r} is no {label.said}"
    return None


def _labelled(text: Statement) -> Iterator[tuple[Piece, Piece]]:
    for label, named in pairwise(text.pieces):
        if label.kind in {"word", "hanzi"} and named.kind in {"name", "value"}:
            yield label, named


def _range_reversed(text: str, said: str) -> str | None:
    known = {found.groups() for found in _RANGE.finditer(said)}
    for found in _RANGE.finditer(text):
        one, two = found.groups()
        if (two, one) in known and (one, two) not in known:
            return f"{found[0]!r} is the wrong way round"
    return None


def _exchanged(told: Statement, cited: Statement) -> str | None:
    """
    Tell of a name or a value that stands where one sentence has another one of *told*.

    "Peak 14 GB; now 1.9 GB" may rest on two sentences: each must have its own value.
    """
    parts, quotes = (
        [read(part) for part in _STATEMENT.split(plain(each.text))]
        for each in (told, cited)
    )
    everything = _joined(parts)
    for part in parts:
        home = max(quotes, key=lambda each: len(part.words & each.words), default=None)
        shared = len(part.words & home.words) if home else 0
        if home is None or shared < max(_FEWEST, _ABOUT * len(part.words)):
            continue
        for sort, keys in part.named.items():
            there = home.named.get(sort, frozenset())
            others = (there & everything.get(sort, frozenset())) - keys
            if others and not keys & there:
                return f"{min(keys)!r} stands where the words have {min(others)!r}"
    return None


def _joined(parts: Iterable[Statement]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for part in parts:
        for sort, keys in part.named.items():
            found[sort] = found.get(sort, frozenset()) | keys
    return found
