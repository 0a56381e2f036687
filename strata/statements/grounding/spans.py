"""Until it is mended is not from then on: on which side of an event a statement holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import lexicon
from strata.language.pieces import pieces
from strata.statements.grounding.bindings import CLAUSE
from strata.statements.grounding.citing import terms_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BEFORE, _AFTER = "before", "after"
_LATIN = cue("spans.latin")
_HANZI = cue("spans.hanzi", 0)
# "Until then" is until what was told just before.
_THEN = re.compile(r"then\b", re.IGNORECASE)
_WIDEST = 7
_ABOUT = 0.5


@dataclass(frozen=True, slots=True)
class _Side:
    """That something holds before or after what *event* tells; *denied* turns it."""

    event: frozenset[str]
    side: str
    denied: bool

    @property
    def holds(self) -> str:
        """Not before it is mended is after that."""
        other = _AFTER if self.side == _BEFORE else _BEFORE
        return other if self.denied else self.side


def on_other_side(text: str, quotes: Iterable[str]) -> str | None:
    """Return what happens in *text* before that of which *quotes* say only after."""
    known = [side for quote in quotes for side in _sides(quote)]
    for told in _sides(text):
        same = [each for each in known if _is_same(told.event, each.event)]
        if same and all(
            each.side != told.side and each.holds != told.holds for each in same
        ):
            return (
                f"the words do not put it {told.side} {', '.join(sorted(told.event))!r}"
            )
    return None


def _is_same(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one & two) >= max(1.0, _ABOUT * min(len(one), len(two)))


def _sides(text: str) -> Iterator[_Side]:
    before: frozenset[str] = frozenset()
    for clause in CLAUSE.split(text):
        denied = any(piece.said in lexicon().glue.negators for piece in pieces(clause))
        for found in _LATIN.finditer(clause):
            words = " ".join(found["event"].split()[:_WIDEST])
            event = before if _THEN.match(words) else terms_told(words)
            if event:
                yield _Side(event, _BEFORE if found["before"] else _AFTER, denied)
        for found in _HANZI.finditer(clause):
            event = terms_told(found["event"] or found["event2"])
            side = _BEFORE if found["before"] or found["until"] else _AFTER
            if event:
                yield _Side(event, side, denied)
        before = terms_told(clause)
