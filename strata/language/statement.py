"""A text, read once: its clauses and words, what they mean, name and count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from strata.language.clauses import WEIGHTS
from strata.language.cues import cue
from strata.language.figures import figures_of
from strata.language.lexicon import kind_of, lexicon
from strata.language.meanings import Meaning, meaning_of
from strata.language.pieces import Piece, pieces
from strata.language.spelling import plain
from strata.patterns import pattern

_CLAUSE = cue("clauses.marks")
# A day of this year is often told without the year.
_MONTH_AND_DAY = len("11-20")


@dataclass(frozen=True)
class Statement:
    """
    What somebody said or would write down, whole or a clause of it.

    Whatever asks something about words asks it here, so that they are read once.
    """

    text: str

    @cached_property
    def plain(self) -> str:
        """The words in one spelling and lower case."""
        return plain(self.text).casefold()

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Words, names, values and marks, in their order."""
        return tuple(pieces(self.text))

    @cached_property
    def telling(self) -> tuple[Piece, ...]:
        """The words that carry meaning."""
        return tuple(piece for piece in self.pieces if WEIGHTS.get(piece.kind))

    @cached_property
    def said(self) -> frozenset[str]:
        """All words as they stand, in lower case."""
        return frozenset(piece.said for piece in self.pieces)

    @cached_property
    def keys(self) -> frozenset[str]:
        """All words by what they mean."""
        return frozenset(piece.key for piece in self.pieces)

    @cached_property
    def terms(self) -> frozenset[str]:
        """What is told: words by their meaning, and each unknown hanzi."""
        found: set[str] = set()
        for piece in self.telling:
            found |= set(piece.said) if piece.kind == "hanzi" else {piece.key}
        return frozenset(found)

    @cached_property
    def figures(self) -> frozenset[str]:
        """Every number as digits, and every unit as ``unit:minute``."""
        return figures_of(self.text, self.pieces)

    @cached_property
    def named(self) -> dict[str, frozenset[str]]:
        """What is named where one of several could be, by sort: a name, a number, a day."""
        found: dict[str, set[str]] = {}
        for piece in self.pieces:
            if sort := sort_of(piece):
                key = piece.key[-_MONTH_AND_DAY:] if sort == "date" else piece.key
                found.setdefault(sort, set()).add(key)
        return {sort: frozenset(keys) for sort, keys in found.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        """The telling words that name nothing of a sort."""
        return frozenset(
            piece.key
            for piece in self.telling
            if len(piece.key) > 1 and not sort_of(piece)
        )

    @cached_property
    def denials(self) -> int:
        """How often it denies."""
        negators = lexicon().glue.negators
        return sum(piece.said in negators for piece in self.pieces)

    @cached_property
    def clauses(self) -> tuple[Statement, ...]:
        """Its clauses, by their marks and by the words that open one."""
        parts = (part.strip() for part in _CLAUSE.split(self.text))
        return tuple(read(part) for part in parts if part)

    @cached_property
    def meaning(self) -> Meaning:
        """What it asserts and denies, and what narrows it."""
        return meaning_of(self.pieces)


_BETWEEN_NUMBERS = pattern(r"(?<=\d)\uff0c(?=\d)")


# Ten kilobytes each: a night compares a few hundred, a first sync comes by once.
@lru_cache(maxsize=2048)
def read(text: str) -> Statement:
    """Return *text* as a statement; the same one for the same words."""
    # No number goes on behind a Chinese comma: 13.2，9月.
    return Statement(_BETWEEN_NUMBERS.sub(", ", text))


def sort_of(piece: Piece) -> str:
    """Return of what sort *piece* is where it names one of several, else ""."""
    if piece.kind == "value":
        return piece.key.partition(":")[0]
    return kind_of(piece.key, piece.kind) or ("name" if piece.kind == "name" else "")
