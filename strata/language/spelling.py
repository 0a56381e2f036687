"""A statement in one spelling, without what surrounds it in a note."""

from __future__ import annotations

import re
import unicodedata

from strata.language.calendar import WEEKDAY
from strata.notes.entries import without_speaker
from strata.notes.marks import unmarked, untagged

_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof)\b\.?\s+(?=[A-Z])")
_PHRASES = (
    (
        re.compile(r"\bfrom (?:now|here|then) on\b|\bgoing forward\b", re.IGNORECASE),
        "henceforth",
    ),
    (re.compile(r"\bdone with\b(?= [A-Z])"), "donewith"),
    (
        re.compile(r"\b(?:wants? (?=an? |to )|needs? (?=an? ))", re.IGNORECASE),
        "wishfor ",
    ),
    (re.compile(r"\bno longer\b|\bnot any longer\b", re.IGNORECASE), "nolonger"),
    (re.compile(r">=|≥"), " at least "),
    (re.compile(r"<=|≤"), " at most "),
    (
        re.compile(
            r"\b(?:more than|(?:over|above)(?= [$€£]?\d))|(?<!-)>", re.IGNORECASE
        ),
        " morethan ",
    ),
    (
        re.compile(
            r"\b(?:(?:less|fewer) than|(?:under|below)(?= [$€£]?\d))|<", re.IGNORECASE
        ),
        " lessthan ",
    ),
    (
        re.compile(r"\b(go|goes|went|send|sends|sent|gets?|went) out\b", re.IGNORECASE),
        r"\1",
    ),
    (re.compile(r"\bas before\b|\bas usual\b|\bany ?time\b", re.IGNORECASE), ""),
    (re.compile(r"\bany more\b|\bany longer\b", re.IGNORECASE), "anymore"),
    (re.compile(r"\bdue to\b|\bas we\b|\bso that\b", re.IGNORECASE), "because"),
    (re.compile(r"\b(prefer\w* .{2,30}?) (?:over|to) ", re.IGNORECASE), r"\1 not "),
)
# Who types in haste leaves them out: Sinéad, Sinead.
_ACCENT = re.compile(r"(?<=[A-Za-z])[\u0300-\u036f]+")
_QUOTES = str.maketrans("’‘“”", "''\"\"", "`*")
# What capture adds to a date that is not written in full.
_FULL_DATE = re.compile(r"\s?[(](20\d\d-\d\d-\d\d)[)]")
_WEEKDAY_OF = re.compile(
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
