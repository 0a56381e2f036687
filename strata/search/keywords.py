"""Text becomes terms, and terms become the numbers that keyword search compares."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from strata.search.days import document_days, query_days
from strata.search.lines import UNSPACED
from strata.search.words import CHINESE, ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# Part of the index's fingerprint: raise it when the same text gives other terms.
VERSION = 1
SATURATION = 1.2
LENGTH_PENALTY = 0.4
# The mean of the corpora measured (bench/recall.py); a constant, so that an index grown
# note by note equals one built at once.
MEAN_LENGTH = 250.0
SINGLE_CHARACTER_WEIGHT = 0.3
DAY_WEIGHT = 2.0
PART_WEIGHT = 0.6

_LONGEST_TERM = 64
_LONGEST_SPLIT = 256
_WORD = rf"[^\W_{UNSPACED}]+"
_TOKEN = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<word>{_WORD}(?:[_.:/\\@+\-'’]{{1,3}}{_WORD})*(?:\+\+|\#)?)"
)
_WORDS = re.compile(_WORD)
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HUMP = re.compile(r"[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d")
_SPLIT = re.compile(r"[_.:/\\@+\-'’#]+")
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\WA-Za-z\d_]+")
_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"['’](?:s|d|m|t|ll|re|ve)$", re.IGNORECASE)


def document_terms(text: str) -> tuple[Counter[str], int]:
    """
    Return how often each term stands in *text*, and the length of *text* in words.

    An identifier counts once as a whole and once by its parts; Chinese counts by pairs
    of neighbours and by single characters. Only words and pairs add to the length.
    """
    counts: Counter[str] = Counter()
    length = 0
    for primary, extras in _tokens(text):
        counts[primary] += 1
        counts.update(extras)
        length += 1
    counts.update(document_days(text))
    return counts, length


def query_terms(text: str) -> dict[str, float]:
    """
    Return the terms to look for when somebody asks *text*, with their weights.

    Words that only make the sentence a question are left out, unless nothing else is
    there.
    """
    return _query_terms(text, skip=True) or _query_terms(text, skip=False)


def document_vector(text: str) -> dict[int, float]:
    """Return the BM25 weight of each term of *text*, without the rarity of the term."""
    counts, length = document_terms(text)
    norm = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * length / MEAN_LENGTH)
    return _hashed(
        (term, count * (SATURATION + 1) / (count + norm))
        for term, count in counts.items()
    )


def present(text: str, terms: Iterable[str]) -> set[str]:
    """
    Return those of *terms* that stand in *text*.

    Only words that begin like a term are stemmed: a stem keeps its first two letters,
    and stemming a page takes longer than searching ten thousand.
    """
    plain = _normal(text)
    folded = _without_accents(plain.lower())
    wanted = set(terms)
    found = {term for term in wanted if not term.isalnum() or _UNSPACED.match(term)}
    heads = {term[:2] for term in wanted - found}
    found = {term for term in found if term in folded}
    for match in _WORDS.finditer(plain if heads else ""):
        word = match[0]
        if _without_accents(word[:2].lower()) in heads or _HUMP.search(word):
            whole, parts = _word_terms(word)
            found.update(wanted.intersection((whole, *parts)))
    if any(term.startswith("@") for term in wanted):
        found.update(wanted.intersection(document_days(text)))
    return found


def query_vector(terms: Mapping[str, float]) -> dict[int, float]:
    """Return *terms* by their numbers."""
    return _hashed(terms.items())


def term_number(term: str) -> int:
    """Return 32 bits for *term*; two may share them, so snippets look at the words."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


def _hashed(weights: Iterable[tuple[str, float]]) -> dict[int, float]:
    # Of two terms with one number the heavier counts, for a sum would favour neither.
    numbered: dict[int, float] = {}
    for term, weight in weights:
        number = term_number(term)
        numbered[number] = max(weight, numbered.get(number, 0.0))
    return numbered


def _query_terms(text: str, *, skip: bool) -> dict[str, float]:
    weights: dict[str, float] = {}
    for match in _TOKEN.finditer(_normal(text)):
        found = (
            _unspaced_query(match[0], skip=skip)
            if match["unspaced"]
            else _word_query(match[0], skip=skip)
        )
        for term, weight in found:
            weights[term] = max(weight, weights.get(term, 0.0))
    if weights:
        weights.update(dict.fromkeys(query_days(text), DAY_WEIGHT))
    return weights


def _unspaced_query(run: str, *, skip: bool) -> Iterator[tuple[str, float]]:
    for part in CHINESE.sub(" ", run).split() if skip else [run]:
        if len(part) == 1:
            yield part, 1.0
            continue
        yield from ((pair, 1.0) for pair in _pairs(part))
        yield from ((single, SINGLE_CHARACTER_WEIGHT) for single in part)


def _word_query(word: str, *, skip: bool) -> Iterator[tuple[str, float]]:
    if skip and _POSSESSIVE.sub("", word).lower() in ENGLISH:
        return
    primary, extras = _word_terms(word)
    yield primary, 1.0
    yield from ((part, PART_WEIGHT) for part in extras if part not in ENGLISH)


def _tokens(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give every word or pair of *text* once, with the further terms that it stands for."""
    for match in _TOKEN.finditer(_normal(text)):
        if match["unspaced"]:
            run = match[0]
            yield from ((pair, (pair[0],)) for pair in _pairs(run))
            yield run[-1], ()
        else:
            yield _word_terms(match[0])


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(len(run) - 1))


def _normal(text: str) -> str:
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _THOUSANDS.sub("", folded)


@lru_cache(maxsize=65536)
def _word_terms(word: str) -> tuple[str, tuple[str, ...]]:
    """Return the term for the whole of *word*, and those for its parts."""
    word = _POSSESSIVE.sub("", word)
    if len(word) > _LONGEST_SPLIT:
        return word.lower()[:_LONGEST_TERM], ()
    segments = _SPLIT.split(word)
    humps = [hump for segment in segments for hump in _HUMPS.findall(segment)]
    names = [part for part in word.split("/") if part]
    parts = [*names, *segments, *humps] if len(humps) > 1 else []
    whole = _term(word)
    return whole, tuple(
        dict.fromkeys(t for p in parts if (t := _term(p)) and t != whole)
    )


def _term(word: str) -> str:
    folded = _without_accents(word.lower())
    if folded.isascii() and folded.isalpha():
        return _stem(folded)
    return folded[:_LONGEST_TERM]


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _stem(word: str) -> str:
    stem: str = _stemmer().stemWord(word)
    return stem


@lru_cache(maxsize=1)
def _stemmer() -> Any:  # Any: snowballstemmer ships no types
    from snowballstemmer import stemmer  # noqa: PLC0415 - 13 ms, not for Chinese

    return stemmer("english")
