"""What the owner puts right of what was said before: a figure, a day, a name."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product
from typing import TYPE_CHECKING

from strata.language.cues import cue, cues
from strata.language.mentioned import Value, values_in
from strata.language.similarity import terms_of
from strata.language.statement import read
from strata.language.values import unit_of
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.patterns import pattern
from strata.statements.results import SECRETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.statements.antecedents import Position, Stated, Talk

# "Not 40, 60": what is wrong and what is right, each by its name.
_CONTRASTS = cues("corrections.contrast")
# What stands before the right word: 换老谭, 找小季, 是腰果.
_PUTS = cue("corrections.puts")
_CLAUSE = pattern(r"[,;.!?，；。！？、\n]+\s*|\s[–—-]\s|\band\b|\bbut\b")
_AFTER = pattern(r"[了吧呀啊呢嘛哦哈]+$")
_HANZI = re.compile(r"[\u3400-\u9fff]")
# What stands behind it is not what is right.
_DENIES = pattern(r"(?:不是|\bnot?)\s*$", re.IGNORECASE)
_RUN = re.compile(r"[\u3400-\u9fff]{2,}")
# So sure it is where nothing but the sort of a value speaks for it.
_LEAST = 0.3
_SHARED, _DENIED, _MISREAD, _SAME_UNIT, _FARTHER = 3.0, 4.0, 2.0, 1.0, 0.08
_UNSURE = 0.2
_LATER = 0.05
_FEW_DIGITS = 2
_LONGEST = 240
# What stands for the wrong words.
LEFT_OUT = "…"
_HALF = 0.5
_MOST_RUN, _MOST_HANZI = 4, 7
_FRAMED = r"(?P<wrong>[\u3400-\u9fff]{1,5}?)(?=[了吧]?(?:[^\u3400-\u9fff]|$))"
_FEW = 3
# Somebody who says more tells something new.
_MOST_WORDS = 11
# Of one that is no more than unsure, so much must speak for it.
_CLEAR = 5.0


@dataclass(frozen=True, slots=True)
class Wrong:
    """Words *start* to *end* of an earlier statement for which others are right."""

    start: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class Correction:
    """
    What an earlier statement says but for the wrong value, and what holds no longer.

    *about* is "" where no word of it is wrong. *messages* are those that said it.
    """

    about: str
    of: Stated
    gone: tuple[Position, ...]
    messages: frozenset[str]
    weight: float


def correction_of(talk: Talk, words: str, *, firm: bool) -> Correction | None:
    """
    Return what the owner's *words* set right of what was said before, if anything.

    Where they are not *firm*, more than a value of the same sort must speak for it.
    """
    bare = trim(words)
    best: tuple[float, Stated, Wrong] | None = None
    for distance, each in enumerate(talk.latest()):
        if len(each.text) > _LONGEST or SECRETS.search(each.text.lower()):
            continue
        for found in _wrong_in(each.text, bare, firm=firm):
            weight = found.weight - _FARTHER * distance
            if best is None or weight > best[0]:
                best = weight, each, found
    if best is None or best[0] < (_LEAST if firm else _CLEAR):
        return None
    weight, of, found = best
    if not of.by_owner and of.text.endswith(("?", "\uff1f")):
        # What the agent asks is answered, and nothing that anybody said is wrong.
        return None
    wrong = of.text[found.start : found.end]
    alike = [
        each
        for each in talk.latest()
        if (each.message == of.message or _shares(each.text, of.text))
        and _place(each.text, wrong)
    ]
    owners = [each for each in alike if each.by_owner]
    base = of if of.by_owner or not owners else owners[0]
    if is_short(bare) and (base.by_owner or not _shares(bare, base.text)):
        span = (found.start, found.end) if base is of else _place(base.text, wrong)
        about = base.text[: span[0]] + LEFT_OUT + base.text[span[1] :] if span else ""
    else:
        about = ""
    gone = tuple(each.position for each in alike)
    said = frozenset(e.message_id for each in (of, *alike) for e in each.evidence)
    return Correction(about, base, gone, said, weight)


def is_short(words: str) -> bool:
    """Say whether *words* are so few that each of them may be what was wrong."""
    return content_words(trim(words).lower()) <= _MOST_WORDS


def is_bare(words: str) -> bool:
    """Say whether some clause of *words* says little more than a value."""
    return any(
        values_in(each) and content_words(each.lower()) <= _FEW
        for each in _CLAUSE.split(trim(words))
    )


def _wrong_in(earlier: str, words: str, *, firm: bool) -> Iterator[Wrong]:
    yield from _contrasted(earlier, words)
    yield from _valued(earlier, words, firm=firm)
    if firm:
        yield from _framed(earlier, words)


def _contrasted(earlier: str, words: str) -> Iterator[Wrong]:
    """Give what *words* name as wrong, and what they name beside it."""
    for contrast in _CONTRASTS:
        for found in contrast.finditer(words):
            wrong, right = (_bare(found[each]) for each in ("wrong", "right"))
            span = _place(earlier, wrong) if _are_alike(wrong, right) else None
            if span and _place(earlier, right) is None:
                yield Wrong(*span, _DENIED + _SHARED)


def _are_alike(wrong: str, right: str) -> bool:
    """Say whether two words may stand for each other: they are as long, and tell."""
    if not (wrong and right) or wrong.lower() == right.lower():
        return False
    hanzi = _RUN.search(wrong) is not None
    sizes = [len(each) if hanzi else len(each.split()) for each in (wrong, right)]
    return abs(sizes[0] - sizes[1]) <= 1 + hanzi and content_words(wrong.lower()) > 0


def _valued(earlier: str, words: str, *, firm: bool) -> Iterator[Wrong]:
    """Give each value of *earlier* for which *words* have another one of its sort."""
    old = values_in(earlier)
    # Of what opens the owner's words one knows only there whether it is a name.
    few = firm and content_words(words.lower()) <= _FEW
    new = [each for each in values_in(words) if few or each.sort != "opening"]
    known = {(each.sort, each.key) for each in old}
    fresh = [
        each
        for each in new
        if (each.sort, each.key) not in known
        and not _DENIES.search(words[: each.start])
    ]
    named = {(e.sort, e.key) for e in new if any(_is_same(e, o) for o in old)}
    if not firm and len(_paired(old, fresh)) > 1:
        # The same is said of another thing: box 3 in cellar 21, box 4 in cellar 28.
        return
    for (place, wrong), right in product(enumerate(old), fresh):
        if _kind(wrong) != _kind(right) or _are_units_apart(wrong, right):
            continue
        if wrong.said.lower() in right.said.lower() and _kind(right) == "name":
            continue
        near = _clause(earlier, wrong)
        weight = _closeness(wrong, right) - _UNSURE * (right.sort == "opening")
        if right.sort == "number" and weight < _LEAST:
            continue
        # 一 is said where nothing is counted.
        if wrong.said == "一" and wrong.unit != right.unit:
            continue
        # What was said last of several is fresher.
        weight += _LATER * place + _SHARED * _shares(words, near)
        weight += _DENIED * ((wrong.sort, wrong.key) in named)
        weight += _SAME_UNIT * bool(wrong.unit and wrong.unit == right.unit)
        weight += _MISREAD * are_misread(wrong.said, right.said)
        yield Wrong(wrong.start, _end(wrong, right), weight)


def _is_same(one: Value, other: Value) -> bool:
    units = {one.unit, other.unit} - {""}
    return (one.sort, one.key) == (other.sort, other.key) and len(units) < 2  # noqa: PLR2004 - one of one thing, one of another


def _paired(old: Sequence[Value], fresh: Sequence[Value]) -> list[Value]:
    """Return those *fresh* values of which *old* ones of a sort may be other ones."""
    sorts = {(_kind(each), each.unit if each.sort == "number" else "") for each in old}
    return [
        e for e in fresh if (_kind(e), e.unit if e.sort == "number" else "") in sorts
    ]


def _kind(value: Value) -> str:
    return "name" if value.sort == "opening" else value.sort


def _end(wrong: Value, right: Value) -> int:
    """Return where the wrong value ends: 两斤 for 一斤半, which has its unit in it."""
    with_unit = right.said.endswith("半") and right.sort == "number"
    unit = len(wrong.unit) if with_unit and wrong.unit == right.unit else 0
    return wrong.end + unit


def _framed(earlier: str, words: str) -> Iterator[Wrong]:
    """Give what stands where *words* put something else: 找小季 for 找刘干事."""
    for clause in map(_bare, filter(None, _CLAUSE.split(words))):
        if not _RUN.fullmatch(clause) or len(clause) > _MOST_HANZI:
            continue
        for put in _PUTS.finditer(clause):
            right = clause[put.end() :]
            if not 0 < len(right) <= _MOST_RUN or right in earlier:
                continue
            frame = re.escape(put[0]) + _FRAMED
            if found := re.search(frame, earlier):
                yield Wrong(*found.span("wrong"), _SHARED + 1)
            elif wrong := _echoed(earlier, words, right):
                at = earlier.find(wrong)
                yield Wrong(at, at + len(wrong), _SHARED)
        if len(clause) <= _MOST_RUN:
            yield from _shaped(earlier, clause)


def _echoed(earlier: str, words: str, right: str) -> str:
    """Return the word of *earlier*, as long as *right*, that *words* name as well."""
    size = len(right)
    said = words.replace(right, " ")
    runs = (said[at : at + size] for at in range(len(said) - size + 1))
    found = (r for r in runs if size > 1 and _RUN.fullmatch(r) and r in earlier)
    return next(found, "")


def _shaped(earlier: str, clause: str) -> Iterator[Wrong]:
    """Give a word but for one hanzi that with which *clause* ends: 西馆, 东馆."""
    for size in (3, 2):
        right = clause[-size:]
        if len(right) < size or right in earlier:
            continue
        for place in range(len(earlier) - size + 1):
            wrong = earlier[place : place + size]
            if _RUN.fullmatch(wrong) and _differ_at_one_end(wrong, right):
                yield Wrong(place, place + size, 1.0 + 0.1 * size)


def _differ_at_one_end(wrong: str, right: str) -> bool:
    """Say whether but the first or the last hanzi differs, and tells something."""
    for at in (0, len(wrong) - 1):
        rest = [each[:at] + each[at + 1 :] for each in (wrong, right)]
        if rest[0] == rest[1] and wrong[at] != right[at]:
            return all(read(each[at]).telling for each in (wrong, right))
    return False


def _closeness(wrong: Value, right: Value) -> float:
    """Return from 0 to 2 how near two values of a sort are."""
    if wrong.sort == "number":
        try:
            one, other = float(wrong.key), float(right.key)
        except ValueError:
            return _LEAST
        if one > 0 and other > 0:
            return 2 / (1 + 2 * abs(math.log(one / other)))
        return _LEAST
    if _kind(wrong) == "name":
        return _HALF
    return _HALF + SequenceMatcher(None, wrong.said, right.said).ratio()


def _are_units_apart(wrong: Value, right: Value) -> bool:
    if wrong.sort != "number" or not (wrong.unit and right.unit):
        return False
    one, other = (unit_of(each.unit) or each.unit for each in (wrong, right))
    measured = unit_of(wrong.unit) and unit_of(right.unit)
    if _HANZI.match(one) and _HANZI.match(other) and "个" not in one + other:
        return one != other
    return one != other and bool(measured or "%" in {one, other})


def _clause(text: str, value: Value) -> str:
    """Return the clause of *text* in which *value* stands."""
    ends = [found.start() for found in _CLAUSE.finditer(text)]
    start = max((end for end in ends if end < value.start), default=0)
    stop = min((end for end in ends if end >= value.end), default=len(text))
    return text[start:stop]


def _shares(one: str, other: str) -> bool:
    """Say whether both name a thing that is no value."""
    shared = terms_of(one) & terms_of(other)
    return any(
        len(term) > 1 and content_words(term) and not _is_figure(term)
        for term in shared
    )


def _is_figure(term: str) -> bool:
    return any(each.isdigit() for each in term) or bool(values_in(term))


def _place(text: str, wrong: str) -> tuple[int, int] | None:
    """Return where *text* says *wrong*, or the same value in other figures."""
    hanzi = _RUN.search(wrong) is not None
    edges = ("", "") if hanzi else (r"(?<![\w.,])", r"(?![\w]|[.,:]\d)")
    found = re.search(edges[0] + re.escape(wrong) + edges[1], text, re.IGNORECASE)
    if found:
        return found.span()
    meant = {(each.sort, each.key) for each in values_in(wrong)}
    same = (each for each in values_in(text) if (each.sort, each.key) in meant)
    return next(((each.start, each.end) for each in same), None)


def _bare(words: str) -> str:
    return _AFTER.sub("", words.strip(" ,.;!?，。；！？")).strip()


def are_misread(one: str, other: str) -> bool:
    """Say whether figures of two values have changed places: 105.8 and 108.5."""
    if one == other or len(one) != len(other) or not one[-1:].isdigit():
        return False
    places = [
        n for n, pair in enumerate(zip(one, other, strict=True)) if len({*pair}) > 1
    ]
    digits = sum(each.isdigit() for each in one)
    swapped = len(places) in {1, 2} and sorted(one) == sorted(other)
    return digits > _FEW_DIGITS and swapped
