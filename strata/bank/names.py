"""When two names are one, and what a name is called in a file."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import lru_cache
from os.path import commonprefix

from strata.language.simplified import has_han, simplified

_ARTICLE = re.compile(r"^(?:the|our|my)\s+", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_MARKS = re.compile(r"[.\u00b7]+(?=\s|$)|^[\"'“”‘’「」『』]+|[\"“”‘’「」『』,;:]+$")
_PART = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_DIGITS = re.compile(r"\d+")
_UNSAFE = re.compile(r"[^\w\u3400-\u9fff]+")
_LONGEST = 60
# Whose first words begin alike for so long, or whose letters are so much the same, may be
# two all the same.
_BEGINS_ALIKE, _ALIKE = 0.5, 0.8


@lru_cache(maxsize=1 << 14)
def key_of(name: str) -> str:
    """Return *name* as it is compared: in one spelling, case and script."""
    plain = simplified(unicodedata.normalize("NFKC", name)).strip()
    plain = _POSSESSIVE.sub("", _MARKS.sub("", _ARTICLE.sub("", plain)))
    return " ".join(plain.casefold().split())


@lru_cache(maxsize=1 << 14)
def parts_of(key: str) -> tuple[str, ...]:
    """Return the words of *key*, and each of its hanzi."""
    return tuple(_PART.findall(key))


def figures_in(key: str) -> tuple[str, ...]:
    """Return the numbers in *key*: names that differ in one are never the same."""
    return tuple(_DIGITS.findall(key))


def differ_in_number(one: str, other: str) -> bool:
    """Tell whether the keys *one* and *other* have numbers, and not the same ones."""
    first, second = figures_in(one), figures_in(other)
    return bool(first and second and first != second)


def is_short_for(short: str, full: str) -> bool:
    """
    Tell whether the key *short* may be what is left of the key *full* in talk.

    Of words any that stand in a row may be left (Fergus, Mrs Daly), of hanzi the last ones
    (建平 of 杨建平): 张伟 is not what is left of 张伟明.
    """
    few, many = parts_of(short), parts_of(full)
    if not few or len(few) >= len(many) or figures_in(short) != figures_in(full):
        return False
    if has_han(short):
        return len(few) > 1 and many[-len(few) :] == few
    rows = (many[at : at + len(few)] for at in range(len(many) - len(few) + 1))
    return any(row == few for row in rows)


def why_not_one(one: str, other: str) -> str:
    """Return why the names *one* and *other* are never taken for one, or ""."""
    first, second = key_of(one), key_of(other)
    if first == second or is_short_for(first, second) or is_short_for(second, first):
        return "one is what is left of the other"
    if figures_in(first) != figures_in(second):
        return "they differ in a number"
    if _look_alike(first, second):
        return "they look alike"
    return ""


def _look_alike(one: str, other: str) -> bool:
    """Say whether two names begin alike, as Ana Lee and Ana Lind, or differ by a letter."""
    first, second = (e if has_han(e) else parts_of(e)[0] for e in (one, other))
    alike = len(commonprefix([first, second]))  # noqa: RUF071 - of letters
    if alike > _BEGINS_ALIKE * min(len(first), len(second)):
        return True
    return SequenceMatcher(None, one, other).ratio() >= _ALIKE


def slug_of(name: str) -> str:
    """Return *name* as the name of a file, safe on every system; never empty."""
    plain = unicodedata.normalize("NFC", key_of(name))
    slug = _UNSAFE.sub("-", plain).strip("-_")[:_LONGEST].strip("-_")
    return slug or "unnamed"
