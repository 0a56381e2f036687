"""Text is taken apart into terms: stems, identifiers and their parts, Chinese pairs."""

from __future__ import annotations

import importlib
import re
import sys
import unicodedata
from functools import cache, lru_cache
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from strata.language.simplified import simplified
from strata.patterns import pattern
from strata.search.language.days import document_days, month_marks
from strata.tokens import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_STEMMING = "snowballstemmer"
_LONGEST_TERM = 64
_LONGEST_SPLIT = 256
# Letters and digits up to where scripts without spaces begin; see `tokens.UNSPACED`.
_WORD = "[0-9A-Za-z\u00b5-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0370-\u0dff]+"
_TOKEN = pattern(
    rf"(?P<unspaced>{UNSPACED}+)"
    rf"|(?P<word>{_WORD}(?:[_.:/\\@+\-'’]{{1,3}}{_WORD})*(?:\+\+|\#)?)"
)
_WORDS = pattern(_WORD)
_UNSPACED = pattern(UNSPACED)
_MARKS = pattern(r"[\W_]+")
_ACCENTS = pattern("[\u0300-\u036f]+")
_SPLIT = pattern(r"[_.:/\\@+\-'’#]+")
# "UUIDv7" and "IPv6" end in a version; other humps begin with a capital.
_HUMPS = pattern(
    r"[A-Z]{2,}(?=v\d)|(?<=[A-Z])v\d+|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+"
)
_FOREIGN_MARKS = "\u037e\u0387\u060c\u061b\u061f\u06d4\u0964\u0965"
# It begins with the comma, so that a text is not tried at every letter.
_THOUSANDS = pattern(r"[,，](?<=\d.)(?=\d{3}(?!\d))")
_POSSESSIVE = pattern(r"['’](?:s|d|m|t|ll|re|ve)$", re.IGNORECASE)


def tokens(text: str) -> Iterator[tuple[str, bool]]:
    """
    Give the words of *text*, and its runs of letters without spaces with true beside them.

    Widths, accents, traditional characters and thousands separators are folded; case is
    not.
    """
    for match in _TOKEN.finditer(folded(text)):
        if match["word"]:
            yield match[0], False
        else:
            yield from ((run, True) for run in _MARKS.split(match[0]) if run)


def folded(text: str) -> str:
    """
    Return *text* as it is compared: with widths, accents and thousands separators folded.

    Traditional characters are folded as well; case is not.
    """
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        text = simplified(unicodedata.normalize("NFC", _ACCENTS.sub("", apart)))
    return _THOUSANDS.sub("", text)


def pairs(run: str) -> Iterator[str]:
    """Give every two neighbours of *run*."""
    return (run[at : at + 2] for at in range(len(run) - 1))


def bare(word: str) -> str:
    """Return *word* in lower case and without ``'s`` and the like."""
    return _POSSESSIVE.sub("", word).lower()


@lru_cache(maxsize=65536)
def word_terms(word: str) -> tuple[str, tuple[str, ...]]:
    """Return the term for the whole of *word*, and those for the parts of a name."""
    word = _POSSESSIVE.sub("", word)
    if len(word) > _LONGEST_SPLIT:
        return word.lower()[:_LONGEST_TERM], ()
    segments = _SPLIT.split(word)
    humps = [hump for segment in segments for hump in _HUMPS.findall(segment)]
    names = [part for part in word.split("/") if part]
    # A part has the same parts alone as in a longer name: "1" is one of "¶1".
    composed = len(humps) > 1 or (len(segments) == 1 and [word] != humps)
    parts = [*names, *segments, *humps] if composed else []
    whole = _term(word)
    terms = dict.fromkeys(_term(part) for part in parts)
    return whole, tuple(term for term in terms if term and term != whole)


class Finder:
    """
    Finds *terms* in many short texts.

    All of a stem but its last letter stands in the words that it is made of, and a stem
    keeps its first two letters, so that only words around such a place are stemmed:
    stemming a page takes longer than searching ten thousand.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = set(terms)
        days = [term for term in self._terms if term.startswith("@")]
        self._months = {mark for term in days for mark in month_marks(term)}
        self._stems = {term for term in self._terms if _is_stem(term)}
        # So short a stem is part of its words: "ad" stays "ad". Of scripts without blanks
        # terms keep their case.
        self._cores = {
            term: (
                term[:-1] if term in self._stems and len(term) > 2 else term  # noqa: PLR2004
            ).lower()
            for term in self._terms
        }
        # The words of a question come again and again.
        self._is_of = cache(_is_of)

    def present(self, text: str) -> set[str]:
        """Return those of the terms that stand in *text*."""
        return set().union(*self.by_line(text))

    def by_line(self, text: str) -> list[set[str]]:
        """Return which of the terms stand in each line of *text*."""
        plain = folded(text)
        lower, spaced = plain.lower(), plain.replace("\n", " ")
        found: list[set[str]] = [set() for _ in range(plain.count("\n") + 1)]
        for term, core in self._cores.items():
            at, line, counted = lower.find(core), 0, 0
            while at >= 0:
                end = at if term not in self._stems else spaced.find(" ", at)
                if end == at or self._is_of(term, _around(at, end, spaced)):
                    line += lower.count("\n", counted, at)
                    found[line].add(term)
                    counted = at
                    end = lower.find("\n", at)
                at = lower.find(core, end) if end >= 0 else -1
        if self._months:
            self._add_days(text, lower, found)
        return found

    def _add_days(self, text: str, lower: str, found: Sequence[set[str]]) -> None:
        lines = zip(text.split("\n"), lower.split("\n"), found, strict=True)
        for line, low, terms in lines:
            if any(mark in low for mark in self._months):
                terms.update(self._terms.intersection(document_days(line)))


def _is_stem(term: str) -> bool:
    return term.isalnum() and not _UNSPACED.match(term)


def _around(at: int, end: int, text: str) -> str:
    """Return what stands in *text* between the blanks before *at* and at *end*, if any."""
    return text[text.rfind(" ", 0, at) + 1 : end if end >= 0 else None]


def _is_of(stem: str, text: str) -> bool:
    """Tell whether *stem* is a term of a word of *text*."""
    for word in _WORDS.findall(text):
        # Of a name any part may be a term.
        if _head(word) in {"", stem[:2]}:
            whole, parts = word_terms(word)
            if stem == whole or stem in parts:
                return True
    return False


@lru_cache(maxsize=65536)
def _head(word: str) -> str:
    """Return the first two letters of *word*, or nothing where it has parts."""
    plain = word.isascii() and word.isalpha()
    whole = plain and (word.islower() or word.istitle() or word.isupper())
    return word[:2].lower() if whole else ""


def _term(word: str) -> str:
    lower = word.lower()
    if lower.isascii():
        stemmed: str = _stemmer().stemWord(lower) if lower.isalpha() else ""
        return stemmed or lower[:_LONGEST_TERM]
    # Arabic and Indian sentences end in marks of the same ranges as their letters.
    return lower.strip(_FOREIGN_MARKS)[:_LONGEST_TERM]


@cache
def _stemmer() -> Any:  # Any: snowballstemmer ships no types
    """
    Load the English stemmer alone.

    The package itself imports those of 38 languages, 10 ms of every question; so an empty
    package stands in for it meanwhile.
    """
    found = find_spec(_STEMMING)
    if found is None or _STEMMING in sys.modules:
        return importlib.import_module(_STEMMING).stemmer("english")
    front = ModuleType(_STEMMING)
    front.__path__ = list(found.submodule_search_locations or [])
    sys.modules[_STEMMING] = front
    try:
        return importlib.import_module(f"{_STEMMING}.english_stemmer").EnglishStemmer()
    finally:
        del sys.modules[_STEMMING]
