"""Whether a statement in other words says what the words that it cites say."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from strata.distillation.bindings import misplaced
from strata.distillation.clauses import WEIGHTS
from strata.distillation.denials import denied_otherwise
from strata.distillation.figures import figures_in, is_said
from strata.distillation.lexicon import kind_of
from strata.distillation.meanings import read_meaning
from strata.distillation.pieces import pieces
from strata.distillation.spelling import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.distillation.pieces import Piece

# Of what a statement says so much may be words that were not said, in weight.
_OWN_WORDS = 0.34
# A statement of few words has no odd one, a longer one has one.
_FEW = 3
_ODD_WORD = 1.0
_OPPOSITES = {
    "before": "after",
    "after": "before",
    "morethan": "lessthan",
    "lessthan": "morethan",
    "if": "except",
    "except": "if",
}
_SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
    "苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾"
    "侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)


def disagreement(text: str, undated: str, quotes: Sequence[str]) -> str | None:
    """
    Return what in *text* the *quotes*, taken together, do not say; None if nothing.

    Every name and every value must have been said, in whatever form or language, and of
    the other words most. What was affirmed must not be denied, nor the other way round,
    and nothing may be told of a name or a value of which only others were told it.
    *undated* is *text* without its dates, which only the day of the words can tell.
    """
    told, cited = _Said(undated), _Said(" . ".join(quotes))
    for piece in told.telling:
        if not cited.holds(piece) and _is_exact(piece, told, cited):
            return f"{piece.said!r} is not in the words"
    if name := _strange_name(told, cited):
        return f"{name!r} is not in the words"
    missing = [piece for piece in told.telling if not cited.holds(piece)]
    allowed = _ODD_WORD if len(told.telling) >= _FEW else 0.0
    if _weigh(missing) > max(_OWN_WORDS * _weigh(told.telling), allowed):
        return f"it says more than the words: {', '.join(p.said for p in missing)}"
    for limit in told.limits - cited.limits:
        if _OPPOSITES.get(limit) in cited.limits:
            return f"{limit!r} is not in the words"
    return denied_otherwise(text, quotes) or misplaced(text, quotes)


class _Said:
    """A text by what it says: its words, figures, and what narrows it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = plain(text).casefold()

    @cached_property
    def pieces(self) -> list[Piece]:
        return pieces(self.text)

    @cached_property
    def telling(self) -> list[Piece]:
        """The words that carry meaning, but for dates."""
        return [
            piece
            for piece in self.pieces
            if WEIGHTS.get(piece.kind) and not piece.key.startswith("date:")
        ]

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(piece.key for piece in self.pieces)

    @cached_property
    def figures(self) -> frozenset[str]:
        return figures_in(self.text)

    @cached_property
    def limits(self) -> frozenset[str]:
        return read_meaning(self.text).limits

    def holds(self, piece: Piece) -> bool:
        """Say whether *piece* was said, in any form."""
        if piece.kind == "value":
            return piece.key in self.keys or is_said(piece.key, self.figures)
        if piece.kind == "hanzi":
            return all(character in self.plain for character in piece.said)
        return piece.key in self.keys or self._stands(piece.said)

    def _stands(self, said: str) -> bool:
        if said[0] >= "\u3400":
            return said in self.plain
        word = rf"(?<![a-z0-9]){re.escape(said)}(?![a-z0-9])"
        return re.search(word, self.plain) is not None


def _is_exact(piece: Piece, told: _Said, cited: _Said) -> bool:
    """
    Say whether no other word will do for *piece*: it is a name or a value.

    A word of which one of a sort is meant, such as tea, must not stand for another of
    that sort, such as coffee.
    """
    if piece.kind == "value":
        return True
    sort = kind_of(piece.key, piece.kind)
    if sort is None:
        return piece.kind == "name"
    return any(
        kind_of(other.key, other.kind) == sort and other.key not in told.keys
        for other in cited.pieces
    )


def _strange_name(told: _Said, cited: _Said) -> str | None:
    """Return a Chinese name of which no character was said."""
    run = ""
    for piece in told.pieces:
        if piece.kind != "hanzi" or any(c in cited.plain for c in piece.said):
            run = ""
            continue
        run = piece.said
        if len(run) > 1 and run[0] in _SURNAMES:
            return run
    return None


def _weigh(told: Iterable[Piece]) -> float:
    return sum(WEIGHTS.get(piece.kind, 0.0) for piece in told)
