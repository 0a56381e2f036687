"""Terms become the numbers that keyword search compares."""

from __future__ import annotations

import zlib
from collections import Counter
from typing import TYPE_CHECKING

from strata.search.language.days import document_days, query_days
from strata.search.language.terms import bare, pairs, tokens, word_terms
from strata.search.language.words import ENGLISH, ORDER, chinese

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Part of the index's fingerprint: raise it when the same text gives other terms.
VERSION = 3
SATURATION = 1.2
LENGTH_PENALTY = 0.4
# About the mean of six sets of notes; a constant, so that an index grown note by note
# equals one built at once. The sets' own means made no difference (bench/recall.py).
MEAN_LENGTH = 250.0
SINGLE_CHARACTER_WEIGHT = 0.3
PART_WEIGHT = 0.6
# What an entry says in other words, which no note shows, weighs so much of what it says.
# On two people who ask in the other language (bench/cross_language.py) recall@5 by words
# was 0.74 with 0.6, 0.79 with this and 0.81 with 1.
BESIDE_WEIGHT = 0.8
_BESIDE = 0x5A5A5A5A
# A date in a question says where to look: with this weight recall@5 on a year of daily
# notes rose from 0.51 to 0.64.
DAY_WEIGHT = 2.0


def document_terms(text: str) -> tuple[Counter[str], int]:
    """
    Return how often each term stands in *text*, and the length of *text* in words.

    A name counts once as a whole and once by its parts, Chinese by pairs of neighbours
    and by single characters, a date by its day and its month. Only words and characters
    add to the length.
    """
    counts: Counter[str] = Counter()
    length = 0
    for token, unspaced in tokens(text):
        if unspaced:
            counts.update(token)
            counts.update(pairs(token))
            length += len(token)
        else:
            whole, parts = word_terms(token)
            counts[whole] += 1
            counts.update(parts)
            length += 1
    counts.update(document_days(text))
    del counts[""]
    return counts, length


def query_terms(text: str) -> dict[str, float]:
    """
    Return the terms to look for when somebody asks *text*, with their weights.

    Words that only make the sentence a question are left out, unless nothing else is
    there.
    """
    return _query_terms(text, skip=True) or _query_terms(text, skip=False)


def content_terms(text: str) -> dict[str, float]:
    """Return the terms of *text* that are more than the grammar of a question."""
    return _query_terms(text, skip=True)


def subject_terms(text: str) -> dict[str, float]:
    """Return the terms of *text* that a note which answers it would have."""
    return _query_terms(ORDER.sub(" ", text), skip=True)


def document_vector(text: str, beside: str = "") -> dict[int, float]:
    """
    Return the BM25 weight of each term of *text*, without the rarity of the term.

    What only stands *beside* it, in other words, has a part of that weight, under numbers
    of its own: how rare a word is in the notes, and whether it is there, stays as it is.
    """
    counts, length = document_terms(text)
    norm = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * length / MEAN_LENGTH)
    vector = query_vector(
        {term: n * (SATURATION + 1) / (n + norm) for term, n in counts.items()}
    )
    if not beside:
        return vector
    once = BESIDE_WEIGHT * (SATURATION + 1) / (1 + norm)
    others = document_terms(beside)[0].keys() - counts.keys()
    return dict.fromkeys(map(number_beside, map(term_number, others)), once) | vector


def query_vector(terms: Mapping[str, float]) -> dict[int, float]:
    """Return the weights of *terms* by the numbers of these."""
    # Of two terms with one number the heavier counts: a sum would promise a term twice.
    numbered: dict[int, float] = {}
    for term, weight in terms.items():
        number = term_number(term)
        numbered[number] = max(weight, numbered.get(number, 0.0))
    return numbered


def term_number(term: str) -> int:
    """Return 32 bits for *term*; among 200,000 terms about five pairs share theirs."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


def number_beside(number: int) -> int:
    """Return the number of a term where it only stands beside a text."""
    return number ^ _BESIDE


def with_beside(vector: Mapping[int, float]) -> dict[int, float]:
    """Return *vector*, of a question, so that it finds as well what stands beside texts."""
    beside = {number_beside(number): weight for number, weight in vector.items()}
    return beside | dict(vector)


def _query_terms(text: str, *, skip: bool) -> dict[str, float]:
    weights: dict[str, float] = {}
    for token, unspaced in tokens(text):
        weigh = _weighed_run if unspaced else _weighed_word
        for term, weight in weigh(token, skip=skip):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights | dict.fromkeys(query_days(text), DAY_WEIGHT)


def _weighed_run(run: str, *, skip: bool) -> Iterator[tuple[str, float]]:
    for part in chinese().sub(" ", run).split() if skip else [run]:
        if len(part) == 1:
            yield part, 1.0
        else:
            yield from ((pair, 1.0) for pair in pairs(part))
            yield from ((single, SINGLE_CHARACTER_WEIGHT) for single in part)


def _weighed_word(word: str, *, skip: bool) -> Iterator[tuple[str, float]]:
    if skip and bare(word) in ENGLISH:
        return
    whole, parts = word_terms(word)
    if whole:
        yield whole, 1.0
    yield from ((part, PART_WEIGHT) for part in parts if part not in ENGLISH)
