"""What a word means whatever its form or language: a small dictionary of daily use."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from strata.language.lexicon_glue import GLUE_CHINESE
from strata.language.lexicon_kinds import KINDS, RELATIVES, ROLES
from strata.language.lexicon_life import LIFE
from strata.language.lexicon_work import WORK
from strata.language.lexicon_world import WORLD

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST_STEM = 3
_VOWELS = "aeiouy"
_KEPT_DOUBLE = "lsz"


class Lexicon(NamedTuple):
    """
    Words and the concept each stands for.

    *english* is keyed by a phrase and by its roots, *chinese* by its hanzi.
    *kinds* tells of which concepts one holds at a time. *widths* are the lengths in words
    of the English phrases of two or more by the root of their first, *lengths* those in
    characters of the Chinese words by their first character, both the longest first.
    """

    english: dict[str, str]
    chinese: dict[str, str]
    kinds: dict[str, str]
    concepts: frozenset[str]
    roles: frozenset[str]
    relatives: frozenset[str]
    widths: dict[str, tuple[int, ...]]
    lengths: dict[str, tuple[int, ...]]


@cache
def lexicon() -> Lexicon:
    """Return the dictionary; it is put together once."""
    english: dict[str, str] = {}
    exact: dict[str, str] = {}
    chinese: dict[str, str] = {}
    for line in (WORK + LIFE + WORLD).strip().splitlines():
        words, _, hanzi = line.partition("|")
        forms = [form.strip() for form in words.split(",")]
        for form in forms:
            english.setdefault(phrase_root(form), forms[0])
            exact.setdefault(form.replace("-", " "), forms[0])
        for word in hanzi.split():
            chinese.setdefault(word, forms[0])
    english |= exact
    kinds = _kinds(english, chinese)
    relatives = frozenset(_concept(english, each) for each in RELATIVES.split())
    roles = frozenset(_concept(english, role) for role in ROLES.split())
    phrases = (phrase.split(" ") for phrase in english if " " in phrase)
    widths = _longest_first((words[0], len(words)) for words in phrases)
    lengths = _longest_first((each[0], len(each)) for each in (*chinese, *GLUE_CHINESE))
    concepts = frozenset(english.values())
    return Lexicon(english, chinese, kinds, concepts, roles, relatives, widths, lengths)


def _longest_first(sizes: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = defaultdict(set)
    for first, size in sizes:
        found[first].add(size)
    return {first: tuple(sorted(its, reverse=True)) for first, its in found.items()}


def kind_of(key: str, kind: str) -> str | None:
    """Return of what sort *key* is, if two of a sort cannot both fill one slot."""
    if kind == "value":
        sort, _, rest = key.partition(":")
        return f"{sort}:{rest.rpartition(':')[2]}" if sort == "number" else sort
    return lexicon().kinds.get(key)


def phrase_root(phrase: str) -> str:
    """Return *phrase* with each word cut to its root."""
    return " ".join(root(word) for word in phrase.replace("-", " ").split())


@cache
def root(word: str) -> str:
    """Return *word*, in lower case, without the endings that change no meaning here."""
    if len(word) <= _SHORTEST_STEM or not word.isascii():
        return word
    word = word.removesuffix("'s").removesuffix("'")
    word = _singular(word)
    for ending in ("ation", "ment", "ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM and _has_vowel(stem):
            word = _undoubled(stem)
            break
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > len("ties"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _has_vowel(stem: str) -> bool:
    return any(letter in _VOWELS for letter in stem)


def _undoubled(stem: str) -> str:
    doubled = stem[-1] == stem[-2] and stem[-1] not in _VOWELS + _KEPT_DOUBLE
    return stem[:-1] if doubled else stem


def _kinds(english: dict[str, str], chinese: dict[str, str]) -> dict[str, str]:
    kinds: dict[str, str] = {}
    for kind, names in KINDS.items():
        for group in names.split():
            concept = _concept(english, group.split("/")[0])
            kinds.setdefault(concept, kind)
            for alias in group.split("/"):
                table, key = (english, phrase_root(alias))
                if not alias.isascii():
                    table, key = chinese, alias
                table.setdefault(key, concept)
    return kinds


def _concept(english: dict[str, str], name: str) -> str:
    return english.get(phrase_root(name), name)
