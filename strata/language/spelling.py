"""A statement in one spelling, without what surrounds it in a note."""

from __future__ import annotations

import re
import unicodedata

from strata.language.calendar import WEEKDAY
from strata.notes.entries import without_speaker
from strata.notes.marks import unmarked, untagged
from strata.patterns import pattern

_TITLE = pattern(r"\b(?:Dr|Mr|Mrs|Ms|Prof)\b\.?\s+(?=[A-Z])")
_PHRASES = (
    (
        pattern(r"\bfrom (?:now|here|then) on\b|\bgoing forward\b", re.IGNORECASE),
        "henceforth",
    ),
    (pattern(r"\bdone with\b(?= [A-Z])"), "donewith"),
    (
        pattern(r"\b(?:wants? (?=an? |to )|needs? (?=an? ))", re.IGNORECASE),
        "wishfor ",
    ),
    (pattern(r"\bno longer\b|\bnot any longer\b", re.IGNORECASE), "nolonger"),
    (pattern(r">=|≥"), " at least "),
    (pattern(r"<=|≤"), " at most "),
    (
        pattern(r"\b(?:more than|(?:over|above)(?= [$€£]?\d))|(?<!-)>", re.IGNORECASE),
        " morethan ",
    ),
    (
        pattern(
            r"\b(?:(?:less|fewer) than|(?:under|below)(?= [$€£]?\d))|<", re.IGNORECASE
        ),
        " lessthan ",
    ),
    (
        pattern(r"\b(go|goes|went|send|sends|sent|gets?|went) out\b", re.IGNORECASE),
        r"\1",
    ),
    (pattern(r"\bas before\b|\bas usual\b|\bany ?time\b", re.IGNORECASE), ""),
    (pattern(r"\bany more\b|\bany longer\b", re.IGNORECASE), "anymore"),
    (pattern(r"\bdue to\b|\bas we\b|\bso that\b", re.IGNORECASE), "because"),
    (pattern(r"\b(prefer\w* .{2,30}?) (?:over|to) ", re.IGNORECASE), r"\1 not "),
)
# Who types in haste leaves them out: Sinéad, Sinead.
_ACCENT = pattern(r"(?<=[A-Za-z])[\u0300-\u036f]+")
_QUOTES = str.maketrans("’‘“”", "''\"\"", "`*")
# What capture adds to a date that is not written in full.
_FULL_DATE = pattern(r"\s?[(](20\d\d-\d\d-\d\d)[)]")
_WEEKDAY_OF = pattern(
    rf"{WEEKDAY}\s?(?=\(20\d\d-\d\d-\d\d\))|{WEEKDAY}(?=\(20\d\d)", re.IGNORECASE
)


def plain(text: str) -> str:
    """Return what *text* says in one width, without accents, tag, frame and emphasis."""
    folded = _ACCENT.sub("", unicodedata.normalize("NFKD", text))
    folded = unicodedata.normalize("NFC", folded).translate(_QUOTES)
    bare = unmarked(untagged(folded.strip())).strip()
    bare = _TITLE.sub("", without_speaker(bare))
    for phrase, short in _PHRASES:
        bare = phrase.sub(short, bare)
    return _FULL_DATE.sub(r" \1 ", _WEEKDAY_OF.sub("", bare)).strip()
