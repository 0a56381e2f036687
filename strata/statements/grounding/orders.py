"""Whether two words of a statement have changed places: who lent whom, what was before."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from strata.language.calendar import MONTH, WEEKDAY_ENGLISH
from strata.language.clauses import WEIGHTS
from strata.language.spelling import plain

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from strata.language.pieces import Piece
    from strata.language.statement import Statement

# Words on both sides of these may change places, and the statement stays.
_EVEN = frozenset(
    {",", "、", "and", "or", "和", "与", "跟", "及", "或", "同", ";", "."}
)
_LONGEST_BETWEEN = 8
_NAMES_SIDE_BY_SIDE = re.compile(
    r"(?:(?<=[\w,;:] )|(?<=\())([A-Z][\w'-]+) (?=([A-Z][\w'-]+))"
)
_CALENDAR = re.compile(
    rf"{WEEKDAY_ENGLISH}s?|{MONTH}|user|owner|the|i",
    re.IGNORECASE,
)
# So many words to both sides tell what a name or a value is told of.
_REACH = 4
# So much better two must suit the words the other way round.
_CLEARLY = 0.9


def swapped(told: Statement, cited: Statement) -> str | None:
    """Return what in *told* stands in the place that another word has in *cited*."""
    return (
        _mirrored(told, cited)
        or _strange_pair(told.text, cited.text)
        or _other_label(told, cited)
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
        if both and not _is_said(rf"{re.escape(one)}(?:'s)?\W+{re.escape(two)}", said):
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


def _exchanged(told: Statement, cited: Statement) -> str | None:
    """Tell of two names or values that would suit what was said better exchanged."""
    spoken, homes = cited.pieces, dict[str, list[int]]()
    for place, piece in enumerate(spoken):
        homes.setdefault(piece.key, []).append(place)
    named = [
        (place, piece)
        for place, piece in enumerate(told.pieces)
        if piece.kind in {"name", "value"} and piece.key in homes
    ]
    for (one, this), (two, that) in combinations(named, 2):
        both = {this.key, that.key}
        if len(both) == 1:
            continue
        around = [_around(told.pieces, place, both) for place in (one, two)]
        near = [
            [_around(spoken, at, both) for at in homes[each.key]]
            for each in (this, that)
        ]
        as_told = _suits(around[0], near[0]) + _suits(around[1], near[1])
        exchanged = _suits(around[0], near[1]) + _suits(around[1], near[0])
        if exchanged > as_told + _CLEARLY:
            return f"{this.said!r} and {that.said!r} have changed places"
    return None


def _around(told: Sequence[Piece], place: int, but: Container[str]) -> dict[str, float]:
    """Return the words near *place*, the nearer the heavier."""
    first, last = max(0, place - _REACH), place + _REACH + 1
    near = [(abs(at - place), told[at]) for at in range(first, min(last, len(told)))]
    return {
        piece.key: 1 / distance
        for distance, piece in sorted(near, key=lambda each: -each[0])
        if distance and piece.kind != "mark" and piece.key not in but
    }


def _suits(around: Mapping[str, float], homes: Iterable[Mapping[str, float]]) -> float:
    """Return how much of what stands around a word stands around it in one of *homes*."""
    return max(
        sum(min(weight, home.get(key, 0.0)) for key, weight in around.items())
        for home in homes
    )
