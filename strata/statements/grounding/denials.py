"""Whether a statement denies what was affirmed, or affirms what was denied."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.lexicon import lexicon
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.language.statement import Statement

# A clause of which so much is said by another one is about the same.
_ABOUT = 0.5
_ALIKE = 0.8
# With these an order is denied twice, which is none: don't forget to lock the door.
_NONE = cue("denials.none")
# "Prefers tea to coffee" says as much as "tea, not coffee".
_PREFERRED = cue("denials.preferred")
_INSTEAD = cue("denials.instead")
_ALONE = cue("denials.alone")
_VERBAL = re.compile(r"\w+n't|not|never|cannot|dont|cant|wont")
# They stand between a "not" and its verb.
_BETWEEN = frozenset({"be", "been", "to", "ever", "even", "really", "have", "get"})
_HANZI = cue("verbs.hanzi", 0)
_HANZI_DENIAL = cue("verbs.hanzi_denial", 0)
# Only with these is not without them.
_ONLY = cue("verbs.only")
_FIRST_HANZI = "\u3400"


def _spelled_out(text: str) -> str:
    """Return *text* with each denial as one: "tea rather than coffee", "don't forget"."""
    plain = _PREFERRED.sub(r"\1, not ", _NONE.sub(" ", text))
    return _INSTEAD.sub(", not ", plain)


def denied_otherwise(told: Statement, cited: Statement) -> str | None:
    """Return what of *told* the words *cited* say with the opposite sign, or None."""
    said, new = _signed(cited), _signed(told)
    for clause, _ in said:
        if clause.words:
            continue
        # "Not npm" is lost where npm stands with nothing that denies it.
        again, said_too = (
            {no for each, no in clauses if clause.terms <= each.terms}
            for clauses in (new, said)
        )
        if again == {False} and said_too == {True}:
            return f"the words deny {', '.join(sorted(clause.terms))!r}"
    for clause, denied in new:
        same = _overlap(clause, said, denied=denied)
        other = _overlap(clause, said, denied=not denied)
        if other >= _ABOUT and other > same:
            verb = "affirm" if denied else "deny"
            return f"the words {verb} {', '.join(sorted(clause.terms))!r}"
        twins = [each for each, no in said if no and denied and _is_alike(clause, each)]
        if twins and all(_twice(each) != _twice(clause) for each in twins):
            return "one of two denials is not in the words or is missing"
    return None


def _overlap(
    clause: Statement, others: Iterable[tuple[Statement, bool]], *, denied: bool
) -> float:
    """Return how much of *clause* one of *others* says, with that sign."""
    shares = (len(clause.terms & each.terms) for each, no in others if no is denied)
    return max(shares, default=0) / len(clause.terms)


def _is_alike(one: Statement, two: Statement) -> bool:
    return len(one.terms & two.terms) >= _ALIKE * len(one.terms | two.terms)


def _signed(text: Statement) -> list[tuple[Statement, bool]]:
    """Return the clauses that tell something, and whether each of them denies it."""
    found: list[tuple[Statement, bool]] = []
    for clause in read(_spelled_out(text.text)).clauses:
        if clause.terms:
            found.append((clause, clause.denials > 0))
        elif found and _ALONE.fullmatch(clause.text):
            # A "never" of its own denies what stands before it.
            found[-1] = found[-1][0], not found[-1][1]
    return found


def _twice(clause: Statement) -> bool:
    """Say whether *clause* denies twice: the paint, and then the mask it is without."""
    negators = lexicon().glue.negators
    signs = [
        each.said in negators
        for each in clause.pieces
        if each.said in negators or each in clause.telling
    ]
    lacks = "without" in clause.said and clause.denials > 1
    return lacks or any(one and two for one, two in pairwise(signs))


def verb_turned(told: Statement, cited: Statement) -> str | None:
    """Return the verb that *told* denies and *cited* affirms, or the other way round."""
    for clause in cited.clauses:
        for verb in _denied_verbs(clause):
            about = [each for each in told.clauses if _share(each, clause, verb)]
            said = any(_affirms(each, verb) for each in cited.clauses)
            if not said and _all_affirm(verb, about):
                return f"the words deny {verb!r}"
    for clause in told.clauses:
        for verb in _denied_verbs(clause):
            about = [each for each in cited.clauses if _share(each, clause, verb)]
            if _all_affirm(verb, about) and not any(map(_denies, about)):
                return f"the words affirm {verb!r}"
    return None


def _all_affirm(verb: str, clauses: Sequence[Statement]) -> bool:
    return bool(clauses) and all(
        _affirms(each, verb) and not _ONLY.search(each.text) for each in clauses
    )


@lru_cache(maxsize=1024)
def _denied_verbs(clause: Statement) -> frozenset[str]:
    """Return the verbs right after a "not"."""
    hanzi = {found["verb"] for found in _HANZI.finditer(clause.text)}
    return frozenset(hanzi | set(_denied_latin(clause)))


def _denied_latin(clause: Statement) -> Iterator[str]:
    for place, piece in enumerate(clause.pieces):
        if _VERBAL.fullmatch(piece.said):
            rest = clause.pieces[place + 1 :]
            verb = next((p for p in rest if p.said not in _BETWEEN), None)
            if verb and verb.kind in {"word", "weak"} and verb.said[0] < _FIRST_HANZI:
                yield verb.key


def _denies(clause: Statement) -> bool:
    """Say whether anything in *clause* denies, before a verb or after it."""
    return clause.denials > 0 or _HANZI_DENIAL.search(clause.text) is not None


def _share(one: Statement, two: Statement, verb: str) -> bool:
    """Say whether both have *verb*, and tell it of something that both have."""
    if not (_has(one, verb) and _has(two, verb)):
        return False
    first, second = one.terms - {verb}, two.terms - {verb}
    return not first or not second or bool(first & second)


def _has(clause: Statement, verb: str) -> bool:
    return verb in (clause.text if verb[0] >= _FIRST_HANZI else clause.keys)


def _affirms(clause: Statement, verb: str) -> bool:
    """Say whether *verb* stands in *clause* with nothing that denies it."""
    if not _has(clause, verb):
        return False
    if verb[0] >= _FIRST_HANZI:
        return not _HANZI_DENIAL.search(clause.text[: clause.text.index(verb)])
    # "Wants no emojis" denies the wanting: of weak verbs any denial will do.
    told = clause.pieces
    place = next(at for at, piece in enumerate(told) if piece.key == verb)
    scope = told if told[place].kind == "weak" else told[:place]
    return not any(piece.said in lexicon().glue.negators for piece in scope)
