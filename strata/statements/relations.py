"""How two statements stand to each other: the same, unlike, at odds, or one the news."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from strata.language.lexicon import kind_of
from strata.language.spelling import plain
from strata.language.statement import read
from strata.statements.comparison import SLIGHT, Comparison, weigh
from strata.statements.sameness import is_same
from strata.statements.slots import contradicts, is_news, replaces


class Relation(StrEnum):
    """What a newer statement is to an older one."""

    SAME = "same"
    DIFFERENT = "different"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"


# "3.5" is no "35", and "c++" no "c".
_MARK = r"[,.;:!?、。…()\[\]\"]"
_MARKS = re.compile(rf"(?<![0-9a-z]){_MARK}+|{_MARK}+(?![0-9a-z])|\s[-–—]+(?=\s)")
_BESIDE_HANZI = re.compile(r"(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])")


def relation(older: str, newer: str, *, similarity: float | None = None) -> Relation:
    """
    Say what *newer* is to *older*.

    They are the same where one says all that the other does, in any words of English or
    Chinese: keeping the richer one then loses nothing. *similarity* is the cosine of
    their embeddings, where there are any; it helps only where everything that can be
    compared as such is equal.
    """
    if _bare(older) == _bare(newer):
        return Relation.SAME
    pair = Comparison(read(older).meaning, read(newer).meaning)
    news = is_news(pair)
    if news and replaces(pair):
        return Relation.UPDATES
    if contradicts(pair):
        return Relation.UPDATES if news else Relation.CONTRADICTS
    return Relation.SAME if is_same(pair, similarity) else Relation.DIFFERENT


def richer(first: str, second: str) -> str:
    """Return the one of two statements of the same that says more."""
    one, two = read(first).meaning, read(second).meaning
    weights = [weigh(one.keys.values()), weigh(two.keys.values())]
    if weights[0] != weights[1]:
        return first if weights[0] > weights[1] else second
    if len(one.reasons) != len(two.reasons):
        return first if len(one.reasons) > len(two.reasons) else second
    return first if len(plain(first)) >= len(plain(second)) else second


def folded_terms(text: str) -> frozenset[str]:
    """
    Return what *text* is about, in terms that are the same in English and in Chinese.

    Statements without a term in common are `Relation.DIFFERENT`, unless they are equal.
    """
    meant = [term for term in read(text).meaning.terms if term.weight > SLIGHT]
    terms = {_bare_number(term.key) for term in meant}
    if len(terms) == 1:
        terms |= {kind for term in meant if (kind := kind_of(term.key, term.kind))}
    return frozenset(terms) or frozenset({_bare(text)})


def _bare_number(key: str) -> str:
    return key.rpartition(":")[0] if key.startswith("number:") else key


@lru_cache(maxsize=8192)
def _bare(text: str) -> str:
    """Return *text* in lower case without the marks that tell nothing apart."""
    lower = _MARKS.sub(" ", plain(text).casefold())
    return _BESIDE_HANZI.sub("", " ".join(lower.split()))
