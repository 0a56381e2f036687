"""Whether a statement kept the "not" of the words it rests on."""

from __future__ import annotations

from strata.language.cues import cue
from strata.language.similarity import terms_of

_NEGATION = cue("polarity.negation", 0)
_CLAUSE = cue("polarity.clause", 0)
# So much of a negated clause must reappear for the statement to be about it.
_ABOUT = 0.75


def negation_mismatch(text: str, quoted: str) -> str | None:
    """
    Return what is wrong if *text* lost or invented a negation, else None.

    Both are in lower case. A clause of *text* that repeats a negated clause of *quoted*
    must be negated too; a negation in *text* needs one in *quoted*.
    """
    if _NEGATION.search(text) and not _NEGATION.search(quoted):
        return "the negation is not in the words"
    affirmed, denied = _clauses(text)
    said, unsaid = _clauses(quoted)
    for clause, terms in unsaid.items():
        kept = _repeated(terms, denied) or _repeated(terms, said)
        if _repeated(terms, affirmed) and not kept:
            return f"the words deny {clause!r}"
    return None


def _clauses(text: str) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the affirmative and the negated clauses of *text*, with their terms."""
    affirmed: dict[str, frozenset[str]] = {}
    denied: dict[str, frozenset[str]] = {}
    for clause in _CLAUSE.split(text):
        bare = _NEGATION.sub(" ", clause)
        (affirmed if bare == clause else denied)[clause.strip()] = terms_of(bare)
    return affirmed, denied


def _repeated(terms: frozenset[str], clauses: dict[str, frozenset[str]]) -> bool:
    if not terms:
        return False
    return any(len(terms & other) / len(terms) >= _ABOUT for other in clauses.values())
