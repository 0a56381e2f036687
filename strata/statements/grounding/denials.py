"""Whether a statement denies what was affirmed, or affirms what was denied."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.clauses import WEIGHTS
from strata.language.cues import cue
from strata.language.lexicon import lexicon
from strata.language.pieces import pieces
from strata.statements.grounding.bindings import CLAUSE
from strata.statements.grounding.citing import terms_told

if TYPE_CHECKING:
    from collections.abc import Iterable

# A clause of which so much is said by another one is about the same.
_ABOUT = 0.5
_ALIKE = 0.8
# With these an order is denied twice, which is none: don't forget to lock the door.
_NONE = cue("denials.none")


# "Prefers tea to coffee" says as much as "tea, not coffee".
_PREFERRED = cue("denials.preferred")
_INSTEAD = cue("denials.instead")
_ALONE = cue("denials.alone")


@dataclass(frozen=True, slots=True)
class _Clause:
    terms: frozenset[str]
    denied: bool
    twice: bool = False


def spelled_out(text: str) -> str:
    """Return *text* with each denial as one: "tea rather than coffee", "don't forget"."""
    plain = _PREFERRED.sub(r"\1, not ", _NONE.sub(" ", text))
    return _INSTEAD.sub(", not ", plain)


def denied_otherwise(text: str, quotes: Iterable[str]) -> str | None:
    """Return the clause of *text* that *quotes* say with the opposite sign, or None."""
    said = [clause for quote in quotes for clause in _clauses(quote)]
    for clause in _clauses(text):
        same = _overlap(clause, said, denied=clause.denied)
        other = _overlap(clause, said, denied=not clause.denied)
        if other >= _ABOUT and other > same:
            verb = "affirm" if clause.denied else "deny"
            return f"the words {verb} {', '.join(sorted(clause.terms))!r}"
        alike = [each for each in said if _is_alike(clause, each)]
        if alike and all(each.twice != clause.twice for each in alike):
            return "one of two denials is not in the words or is missing"
    return None


def _is_alike(one: _Clause, two: _Clause) -> bool:
    """Say whether both clauses deny, and say almost the same: never without help."""
    if not (one.denied and two.denied):
        return False
    return len(one.terms & two.terms) >= _ALIKE * len(one.terms | two.terms)


def _overlap(clause: _Clause, others: Iterable[_Clause], *, denied: bool) -> float:
    shares = [
        len(clause.terms & other.terms) / len(clause.terms)
        for other in others
        if other.denied is denied
    ]
    return max(shares, default=0.0)


def _clauses(text: str) -> list[_Clause]:
    found: list[_Clause] = []
    for part in CLAUSE.split(spelled_out(text)):
        clause = _clause(part)
        if clause.terms:
            found.append(clause)
        elif _ALONE.fullmatch(part.strip()) and found:
            # A "never" of its own denies what stands before it.
            found[-1] = _Clause(found[-1].terms, not found[-1].denied)
    return found


def _clause(text: str) -> _Clause:
    told = [
        piece
        for piece in pieces(text)
        if piece.said in lexicon().glue.negators or WEIGHTS.get(piece.kind)
    ]
    denials = [piece.said in lexicon().glue.negators for piece in told]
    # "Never paint without a mask" denies the paint, and then the mask.
    lacks = any(piece.said == "without" for piece in told) and sum(denials) > 1
    twice = lacks or any(one and two for one, two in pairwise(denials))
    return _Clause(terms_told(text), any(denials), twice)
