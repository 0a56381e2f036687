"""What a statement is about, clause by clause, in terms that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.cues import words
from strata.language.lexicon import kind_of
from strata.language.meanings import LIGHT
from strata.language.statement import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.language.meanings import Term

# Words that many statements share without being about the same.
WIDE = frozenset(words("turns.wide_words"))
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。!?;\n\uff01\uff1f\uff1b]\s*")
CLAUSE = re.compile(rf"(?<!\d)[,:\uff0c\uff1a]\s*|\s[–—-]\s|{_SENTENCE.pattern}")
# A hanzi by itself, which may be a word or half of one.
_LIGHTEST = 0.5


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of what was said: the number of its sentence, its words and terms."""

    sentence: int
    text: str
    terms: dict[str, Term]


@lru_cache(maxsize=4096)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the clauses of *text* as they are spoken, by their marks."""
    return tuple(_clauses(text))


@lru_cache(maxsize=8192)
def parts_of(text: str) -> tuple[tuple[Term, ...], ...]:
    """Return what each clause of *text* tells, by its meaning."""
    clauses: dict[int, dict[str, Term]] = {}
    for term in read(text).meaning.terms:
        if _tells(term):
            clauses.setdefault(term.clause, {})[term.key] = term
    return tuple(tuple(each.values()) for each in clauses.values())


def value_of(term: Term) -> str | None:
    """Return of what sort the value *term* is; a name may be of any."""
    return kind_of(term.key, term.kind) or ("name" if term.kind == "name" else None)


def weight_of(terms: Iterable[Term]) -> float:
    """Return how much *terms* tell; two hanzi are a word."""
    return sum(
        1.0 if term.kind == "hanzi" and len(term.key) > 1 else term.weight
        for term in terms
    )


def _clauses(text: str) -> Iterator[Clause]:
    for number, sentence in enumerate(_SENTENCE.split(text)):
        for clause in filter(str.strip, CLAUSE.split(sentence)):
            terms = (term for part in parts_of(clause) for term in part)
            yield Clause(number, clause, {term.key: term for term in terms})


def _tells(term: Term) -> bool:
    return term.key not in WIDE | LIGHT and term.weight >= _LIGHTEST
