"""Which verb a "not" denies, however little of a clause is said in the same words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import lexicon
from strata.language.pieces import pieces
from strata.statements.grounding.bindings import CLAUSE
from strata.statements.grounding.citing import terms_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.language.pieces import Piece

_VERBAL = re.compile(r"\w+n't|not|never|cannot|dont|cant|wont")
# They stand between a "not" and its verb.
_BETWEEN = frozenset({"be", "been", "to", "ever", "even", "really", "have", "get"})
_HANZI = cue("verbs.hanzi", 0)
_HANZI_DENIAL = cue("verbs.hanzi_denial", 0)
# Only with these is not without them.
_ONLY = cue("verbs.only")


def verb_turned(text: str, quotes: Iterable[str]) -> str | None:
    """Return the verb that *text* denies and *quotes* affirm, or the other way round."""
    told = [_Clause(part) for part in CLAUSE.split(text)]
    cited = [_Clause(part) for quote in quotes for part in CLAUSE.split(quote)]
    for clause in cited:
        for verb in clause.denied:
            about = [each for each in told if each.shares(clause, verb)]
            said = any(each.affirms(verb) for each in cited)
            if not said and _all_affirm(verb, about):
                return f"the words deny {verb!r}"
    for clause in told:
        for verb in clause.denied:
            about = [each for each in cited if each.shares(clause, verb)]
            if _all_affirm(verb, about) and not any(each.denies for each in about):
                return f"the words affirm {verb!r}"
    return None


def _all_affirm(verb: str, clauses: Sequence[_Clause]) -> bool:
    return bool(clauses) and all(
        each.affirms(verb) and not _ONLY.search(each.text) for each in clauses
    )


@dataclass(frozen=True)
class _Clause:
    text: str

    @cached_property
    def _pieces(self) -> list[Piece]:
        return pieces(self.text)

    @cached_property
    def denied(self) -> frozenset[str]:
        """The verbs right after a "not"."""
        hanzi = {found["verb"] for found in _HANZI.finditer(self.text)}
        return frozenset(hanzi | set(self._denied_latin()))

    def _denied_latin(self) -> Iterator[str]:
        for place, piece in enumerate(self._pieces):
            if _VERBAL.fullmatch(piece.said):
                rest = self._pieces[place + 1 :]
                verb = next((p for p in rest if p.said not in _BETWEEN), None)
                if verb and verb.kind in {"word", "weak"} and verb.said[0] < "\u3400":
                    yield verb.key

    @cached_property
    def denies(self) -> bool:
        """Whether anything in the clause denies, before a verb or after it."""
        words = any(piece.said in lexicon().glue.negators for piece in self._pieces)
        return words or _HANZI_DENIAL.search(self.text) is not None

    def shares(self, other: _Clause, verb: str) -> bool:
        """Say whether both have *verb*, and tell it of something that both have."""
        if not (self.has(verb) and other.has(verb)):
            return False
        own, others = (terms_told(each.text) - {verb} for each in (self, other))
        return not own or not others or bool(own & others)

    def has(self, verb: str) -> bool:
        """Say whether *verb* stands in the clause, denied or not."""
        if verb[0] >= "\u3400":
            return verb in self.text
        return any(piece.key == verb for piece in self._pieces)

    def affirms(self, verb: str) -> bool:
        """Say whether *verb* stands in the clause with nothing that denies it."""
        if not self.has(verb):
            return False
        if verb[0] >= "\u3400":
            return not _HANZI_DENIAL.search(self.text[: self.text.index(verb)])
        # "Wants no emojis" denies the wanting: of weak verbs any denial will do.
        told = self._pieces
        place = next(at for at, piece in enumerate(told) if piece.key == verb)
        scope = told if told[place].kind == "weak" else told[:place]
        return not any(piece.said in lexicon().glue.negators for piece in scope)
