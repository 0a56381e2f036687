"""The values that a text mentions, where they stand: numbers, days, times, names, terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.language.calendar import (
    DIGITS_CHINESE,
    MONTH_CAPITAL,
    PART_CHINESE,
    WEEKDAY,
    WEEKDAY_ENGLISH,
    calendar,
    weekday_number,
)
from strata.language.figures import COUNTING, counted, number_of
from strata.language.lexicon import kind_of, lexicon, phrase_root
from strata.language.statement import read
from strata.language.vocabulary import content_words
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_HANZI_NUMBER = rf"[{DIGITS_CHINESE}十百千万]+"
# Of one hanzi a number is a word or half of one, unless something is counted by it.
_ALONE = r"(?![样起下直定般些点共家切旦律个概边面来方时])"
_VALUE = pattern(
    rf"(?P<weekday>{WEEKDAY}|\b{WEEKDAY_ENGLISH}s\b|(?-i:\b(?:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)\b))"
    r"|(?P<time>(?<![\d.])\d{1,2}[:：]\d\d(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}(?:\.\d\d)?\s?[ap]\.?m\b\.?"
    rf"|(?:{PART_CHINESE})?(?:\d{{1,2}}|[{DIGITS_CHINESE}十]{{1,3}})点(?:半|一刻|三刻"
    rf"|(?:\d{{1,2}}|{_HANZI_NUMBER})分?|整|钟)?(?!个))"
    rf"|(?P<month>(?-i:\b{MONTH_CAPITAL}\b)|\d{{1,2}}(?=月))"
    rf"|(?P<day>\b\d{{1,2}}(?:st|nd|rd|th)\b|(?:\d{{1,2}}|{_HANZI_NUMBER})[号日](?![楼棚线院门馆]))"
    r"|(?P<code>(?<![A-Za-z0-9_.])(?=[A-Za-z]*\d)(?:[A-Z]{1,3}-?\d|\d+[A-Z](?=\d))[A-Z0-9-]*(?![A-Za-z0-9]))"
    rf"|(?P<number>(?<![^\W\u3400-\u9fff])(?<!\.)[$€£¥]?\d+(?:[.,]\d+)*(?:\s?%)?"
    rf"|(?<!第)(?:[{DIGITS_CHINESE}十百千万]{{2,}}|(?<![统唯万老小])[{DIGITS_CHINESE}十]{_ALONE}(?=[\u4e00-\u9fff])(?![月周])))"
    rf"|(?P<word>{COUNTING.pattern}(?:-[a-z]+)?)",
    re.IGNORECASE,
)
_UNIT = pattern(r"\s?(?P<unit>%|[a-z°]+|[\u4e00-\u9fff])?(?P<half>半)?", re.IGNORECASE)
# A short form of two words is no name.
_SHORT_FORM = pattern(r"['’](?:ll|d|m|ve|re|t)$", re.IGNORECASE)
_NAME = pattern(r"(?<![\w'’])[A-Z][\w'’]*[a-z][\w'’]*(?: (?=[A-Z])[\w'’]+)*")
_TERM = pattern(r"[「『“‘\"](?P<term>[^「」『』“”‘’\"]{1,24})[」』”’\"]")
# A phrase has but its first word, which may be any.
_WORD = re.compile(r"[\u3400-\u9fff]+|[a-z]{3,}")
_START = pattern(r"(?:^|[.!?…:;]\s+|\n)$")


@dataclass(frozen=True, slots=True)
class Value:
    """
    A value, *start* to *end* of a text: of what *sort*, what it is, and what it counts.

    *key* is the same for one value in any spelling.
    """

    start: int
    end: int
    said: str
    sort: str
    key: str
    unit: str = ""


@lru_cache(maxsize=256)
def values_in(text: str) -> tuple[Value, ...]:
    """Return the values that *text* mentions, in their order."""
    found = list(_values(text))
    for each in (*_terms(text), *_names(text), *_sorts(text)):
        if not any(
            each.start < other.end and other.start < each.end for other in found
        ):
            found.append(each)
    return tuple(sorted(found, key=lambda each: each.start))


def _values(text: str) -> Iterator[Value]:
    for match in _VALUE.finditer(text):
        said = match[0]
        sort = str(match.lastgroup)
        start, end = match.span()
        if sort == "weekday":
            yield Value(start, end, said, sort, _weekday(said))
        elif sort in {"time", "day", "code", "month"}:
            yield Value(start, end, said, sort, _plain(said))
        else:
            unit = _UNIT.match(text, end)
            half = unit is not None and unit["half"] is not None
            counted = (unit["unit"] or "").lower() if unit else ""
            digits = said.lstrip("$€£¥").rstrip(" %")
            key = _key(digits) + (".5" if half else "")
            if unit is not None and half:
                end, said = unit.end(), text[start : unit.end()]
            yield Value(
                start, end, said, "number", key, "%" if "%" in said else counted
            )


def _weekday(said: str) -> str:
    said = said.removesuffix("s") if said.endswith("days") else said
    names = calendar("en").weekdays
    short = next(
        (n for n, forms in enumerate(names) if said.lower().startswith(forms[0][:3])),
        None,
    )
    return str(weekday_number(said) if short is None else short)


def _key(digits: str) -> str:
    bare = re.sub(r"[,\uff0c](?=\d{3})", "", digits)
    if bare[:1].isdigit():
        return bare
    return counted(bare) if bare.isascii() else number_of(bare)


def _plain(said: str) -> str:
    return re.sub(r"[\s.：]", lambda m: ":" if m[0] == "：" else "", said.lower())


def _terms(text: str) -> Iterator[Value]:
    for match in _TERM.finditer(text):
        start, end = match.span("term")
        yield Value(start, end, match["term"], "term", match["term"].casefold())


def _names(text: str) -> Iterator[Value]:
    """Give what has a capital; of what opens a sentence nobody knows whether it is one."""
    for match in _NAME.finditer(text):
        said, start = re.sub(r"['’]s$", "", match[0]), match.start()
        sort = "opening" if _START.search(text[:start]) else "name"
        first, _, rest = said.partition(" ")
        if sort == "opening" and rest:
            sort = "name"
            if _is_word(first) or not content_words(first.lower()):
                said, start = rest, start + len(first) + 1
        if _SHORT_FORM.search(said) or (sort == "opening" and _is_word(said)):
            continue
        if content_words(said.lower()):
            yield Value(start, start + len(said), said, sort, said.casefold())


def _is_word(said: str) -> bool:
    lower = said.lower()
    known = lexicon()
    return phrase_root(lower) in known.words or lower in known.glue.empty


def _sorts(text: str) -> Iterator[Value]:
    """Give what the dictionary knows as one of several: a colour, a city, a side."""
    lower = text.lower()
    for piece in read(text).pieces:
        sort = kind_of(piece.key, piece.kind)
        # Of a phrase the piece has but the first word; its last tells as much.
        said = piece.said if _WORD.fullmatch(piece.said) else piece.key
        if sort and piece.kind != "value" and (at := lower.find(said)) >= 0:
            yield Value(
                at,
                at + len(said),
                text[at : at + len(said)],
                sort,
                piece.key,
            )
