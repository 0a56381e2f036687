"""Until it is mended is not from then on: on which side of an event a statement holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.language.statement import Statement

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


def on_other_side(told: Statement, cited: Statement) -> str | None:
    """Return what happens in *told* before that of which *cited* says only after."""
    known = list(_sides(cited))
    for new in _sides(told):
        same = [each for each in known if _is_same(new.event, each.event)]
        if same and all(
            each.side != new.side and each.holds != new.holds for each in same
        ):
            event = ", ".join(sorted(new.event))
            return f"the words do not put it {new.side} {event!r}"
    return None


def _is_same(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one & two) >= max(1.0, _ABOUT * min(len(one), len(two)))


def _sides(text: Statement) -> Iterator[_Side]:
    before: frozenset[str] = frozenset()
    for clause in text.clauses:
        denied = clause.denials > 0
        for found in _LATIN.finditer(clause.text):
            words = " ".join(found["event"].split()[:_WIDEST])
            event = before if _THEN.match(words) else read(words).terms
            if event:
                yield _Side(event, _BEFORE if found["before"] else _AFTER, denied)
        for found in _HANZI.finditer(clause.text):
            event = read(found["event"] or found["event2"]).terms
            side = _BEFORE if found["before"] or found["until"] else _AFTER
            if event:
                yield _Side(event, side, denied)
        before = clause.terms
