"""Whether a statement denies what was affirmed, or affirms what was denied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.clauses import WEIGHTS
from strata.language.cues import cue
from strata.language.lexicon import lexicon
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.language.pieces import Piece
    from strata.language.statement import Statement

# What looks like a denial and is none: don't forget to lock the door, 有没有.
_NONE = cue("denials.none")
# "Prefers tea to coffee" says as much as "tea, not coffee".
_PREFERRED = cue("denials.preferred")
_INSTEAD = cue("denials.instead")
_ALONE = cue("denials.alone")
# A denial of what stands before it ends a clause, in hanzi with this at most: 周二不来了.
_LAST = 4
_FIRST_HANZI = "\u3400"
# A clause of which so much is said by another one is about the same.
_ABOUT = 0.5
_ALIKE = 0.8


@dataclass(frozen=True, slots=True)
class _Denial:
    """The first word that is denied, all that are, and *by* which word: avoid."""

    by: str
    head: frozenset[str]
    words: frozenset[str]

    def is_about(self, clause: _Clause) -> bool:
        """Say whether *clause* tells the first of the words, or most of them."""
        most = len(self.words & clause.terms) >= _ABOUT * len(self.words)
        return most or self.head <= clause.terms


@dataclass(frozen=True, slots=True)
class _Clause:
    """What a clause tells, and what of it is denied."""

    terms: frozenset[str]
    denials: tuple[_Denial, ...]
    denies: bool


def denied_otherwise(
    told: Statement, cited: Statement, answers: Statement | None = None
) -> str | None:
    """
    Return what one of both denies and the other one affirms, or None.

    A denial goes by the words that it denies: where the other one tells of these, it
    must deny too, in the clause that tells the most of the same. Where one of the
    *answers* among *cited* is a mere "no", or denies something of the same, only they
    affirm: it denies the rest.
    """
    new, said = _clauses(told.text), _clauses(cited.text)
    for clause, denial in _denials_of(new):
        refused = answers and _refuse(answers, clause)
        affirming = _clauses(answers.text) if answers and refused else said
        homes = _closest(clause, (e for e in affirming if _is_home(clause, denial, e)))
        if homes and denial.by not in cited.keys and not any(e.denies for e in homes):
            return _reason("affirm", denial)
        twins = [each for each in said if each.denies and _is_twin(clause, each)]
        if twins and all(len(e.denials) != len(clause.denials) for e in twins):
            return "one of two denials is not in the words or is missing"
    for _, denial in _denials_of(said):
        homes = [each for each in new if denial.is_about(each)]
        if any(each.denies for each in homes):
            continue
        for home in homes:
            told_of = _closest(home, filter(denial.is_about, said))
            if told_of and all(each.denies for each in told_of):
                return _reason("deny", denial)
    return None


def _refuse(answers: Statement, clause: _Clause) -> bool:
    """Say whether one of *answers* denies something of *clause*, or all: not him."""
    return any(
        each.denials and (not each.terms or each.terms & clause.terms)
        for each in answers.clauses
    )


def _is_home(clause: _Clause, denial: _Denial, other: _Clause) -> bool:
    """Say whether *other* is about what *clause* denies, or says most of the clause."""
    shared = len(clause.terms & other.terms)
    return denial.is_about(other) or shared >= _ALIKE * len(clause.terms)


def _is_twin(one: _Clause, two: _Clause) -> bool:
    return len(one.terms & two.terms) >= _ALIKE * len(one.terms | two.terms)


def _denials_of(clauses: Iterable[_Clause]) -> Iterator[tuple[_Clause, _Denial]]:
    return ((clause, denial) for clause in clauses for denial in clause.denials)


def _reason(verb: str, denial: _Denial) -> str:
    return f"the words {verb} {', '.join(sorted(denial.words))!r}"


def _closest(clause: _Clause, others: Iterable[_Clause]) -> list[_Clause]:
    """Return those of *others* that say the most of *clause*, and little else."""
    near = [
        ((len(each.terms & clause.terms), -len(each.terms)), each) for each in others
    ]
    most = max((much for much, _ in near), default=None)
    return [each for much, each in near if much == most]


@lru_cache(maxsize=1024)
def _clauses(text: str) -> tuple[_Clause, ...]:
    """Return the clauses of *text* that tell something."""
    plain = _PREFERRED.sub(r"\1, not ", _NONE.sub(" ", text))
    found: list[_Clause] = []
    for clause in read(_INSTEAD.sub(", not ", plain)).clauses:
        if clause.terms:
            denials = tuple(_denials(clause.pieces))
            found.append(_Clause(clause.terms, denials, clause.denials > 0))
        elif found and _ALONE.fullmatch(clause.text):
            # A "never" of its own denies what stands before it.
            terms = found[-1].terms
            found[-1] = _Clause(terms, (_Denial("", terms, terms),), denies=True)
    return tuple(found)


def _denials(told: Sequence[Piece]) -> Iterator[_Denial]:
    """Give what is denied: what follows, or stands before a last word: mushrooms never."""
    negators = lexicon().glue.negators
    for place, piece in enumerate(told):
        if piece.said not in negators:
            continue
        by = "" if piece.kind == "glue" else piece.key
        after, before = _terms(told[place + 1 :]), _terms(told[:place])
        last = _LAST if piece.said[0] >= _FIRST_HANZI else 1
        if after:
            yield _Denial(by, after[0], frozenset[str]().union(*after))
        elif before and place + last >= len(told):
            yield _Denial(by, before[-1], frozenset[str]().union(*before))


def _terms(told: Sequence[Piece]) -> list[frozenset[str]]:
    """Return what each telling word tells, an unknown hanzi by itself."""
    negators = lexicon().glue.negators
    return [
        frozenset(each.said) if each.kind == "hanzi" else frozenset({each.key})
        for each in told
        if WEIGHTS.get(each.kind) and each.said not in negators
    ]
