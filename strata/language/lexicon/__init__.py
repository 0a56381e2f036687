"""
What a word means whatever its form or language: a small dictionary of daily use.

Each language has its file here, `en.toml` first: words that hold a sentence together
(*glue*), concepts with their words, things of which one holds at a time (*kinds*). A new
file is read like the others. What is written with spaces stands between commas in a
concept's line, and what is written without them between spaces.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from strata.parsed import toml_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FOLDER = Path(__file__).parent
_FIRST = "en"
_SHORTEST_STEM = 3
_VOWELS = "aeiouy"
_KEPT_DOUBLE = "lsz"


class Glue(NamedTuple):
    """The words of all languages that hold a sentence together, as `en.toml` tells them."""

    empty: frozenset[str]
    weak: frozenset[str]
    reasons: frozenset[str]
    limits: frozenset[str]
    scope: frozenset[str]
    negators: frozenset[str]
    changes: frozenset[str]
    restated: frozenset[str]


class Lexicon(NamedTuple):
    """
    Words and the concept each stands for.

    *words* is keyed by a phrase and by its roots, *hanzi* by what is written without
    spaces; *known* are its keys and the glue that is written so. *kinds* tells of which
    concepts one holds at a time. *widths* are the lengths in words of the phrases of two
    or more by the root of their first, *lengths* those in characters of the words in hanzi
    by their first character, both the longest first.
    """

    words: dict[str, str]
    hanzi: dict[str, str]
    known: frozenset[str]
    kinds: dict[str, str]
    concepts: frozenset[str]
    roles: frozenset[str]
    relatives: frozenset[str]
    kin: tuple[frozenset[str], ...]
    widths: dict[str, tuple[int, ...]]
    lengths: dict[str, tuple[int, ...]]
    glue: Glue


@cache
def lexicon() -> Lexicon:
    """Return the dictionary of all languages; it is put together once."""
    return read_lexicon(FOLDER)


def read_lexicon(folder: Path) -> Lexicon:
    """Return the dictionary that the files of *folder* make."""
    tables = _tables(folder)
    words, hanzi = _words(tables)
    kinds = _kinds(tables, words, hanzi)
    glue = Glue(*(_joined("glue", name, tables) for name in Glue._fields))
    known = frozenset(hanzi) | {
        each for group in glue for each in group if _is_hanzi(each)
    }
    phrases = (phrase.split(" ") for phrase in words if " " in phrase)
    people = {
        name: frozenset(
            _concept(words, each) for each in _joined("people", name, tables)
        )
        for name in ("roles", "relatives")
    }
    return Lexicon(
        words=words,
        hanzi=hanzi,
        known=known,
        kinds=kinds,
        concepts=frozenset(words.values()),
        roles=people["roles"],
        relatives=people["relatives"],
        kin=tuple(
            frozenset(_concept(words, each) for each in group.split("/"))
            for group in sorted(_joined("people", "kin", tables))
        ),
        widths=_longest_first((phrase[0], len(phrase)) for phrase in phrases),
        lengths=_longest_first((each[0], len(each)) for each in known),
        glue=glue,
    )


# Table, then name, then words; what stands first in the first file wins.
_Table = dict[str, dict[str, str]]


def _tables(folder: Path) -> list[_Table]:
    # 10 ms to import, and most commands compare no words.
    files = sorted(folder.glob("*.toml"), key=lambda file: (file.stem != _FIRST, file))
    return [toml_table(file.read_text(encoding="utf-8")) for file in files]


def _joined(table: str, name: str, tables: list[_Table]) -> frozenset[str]:
    return frozenset(
        _folded(word)
        for each in tables
        for word in each.get(table, {}).get(name, "").split()
    )


def _words(tables: list[_Table]) -> tuple[dict[str, str], dict[str, str]]:
    by_root: dict[str, str] = {}
    exact: dict[str, str] = {}
    hanzi: dict[str, str] = {}
    for table in tables:
        for line in "".join(table.get("concepts", {}).values()).splitlines():
            concept, _, listed = line.partition(":")
            listed = listed.strip().lower()
            if listed and _is_hanzi(listed):
                for word in listed.split():
                    hanzi.setdefault(word, concept)
                listed = ""
            elif not listed.isascii():
                listed = _folded(listed)
            forms = listed.split(", ") if listed else ()
            for form in forms if concept in exact else (concept, *forms):
                by_root.setdefault(phrase_root(form), concept)
                exact.setdefault(form.replace("-", " "), concept)
    return by_root | exact, hanzi


def _folded(word: str) -> str:
    """Return *word* in lower case without accents, as what is compared is written."""
    if word.isascii() or _is_hanzi(word):
        return word.lower()
    import unicodedata  # noqa: PLC0415 - for neither English nor Chinese

    parts = unicodedata.normalize("NFKD", word.lower())
    return "".join(each for each in parts if not unicodedata.combining(each))


def _is_hanzi(word: str) -> bool:
    return word[0] >= "\u3400"


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


def _kinds(
    tables: list[_Table], words: dict[str, str], hanzi: dict[str, str]
) -> dict[str, str]:
    """Return the kind of each thing of which one holds; its names join the words."""
    kinds: dict[str, str] = {}
    for table in tables:
        for kind, listed in table.get("kinds", {}).items():
            for group in listed.split():
                names = [_folded(name) for name in group.split("/")]
                concept = _concept(words, names[0])
                kinds.setdefault(concept, kind)
                for name in names:
                    if _is_hanzi(name):
                        hanzi.setdefault(name, concept)
                    else:
                        words.setdefault(phrase_root(name), concept)
    return kinds


def _concept(words: Mapping[str, str], name: str) -> str:
    return words.get(phrase_root(name), name)
