"""Which of several things the owner chose: "the second", "green it is", 靠江的."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.language.cues import cue, cues
from strata.language.mentioned import values_in
from strata.language.sentences import split_sentences
from strata.language.statement import read
from strata.language.wording import trim
from strata.patterns import pattern
from strata.statements.offers import offers_one_of, options_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.models import Message

_LAST = cue("offers.last")
_MIDDLE = cue("offers.middle")
_NUMBERS = cues("offers.ordinals")
_LEAST, _MOST = cue("offers.least"), cue("offers.most")
_LEAD = pattern(r"^[^:\uff1a]{0,100}[:\uff1a](?!\d)\s*")
_TERM = pattern(r"[「『《“‘'\"][^「」『』《》“”‘’\"]{1,40}?[」』》”’'\"]")
# What parts the things of a list, and what parts clauses that tell of one each.
_LISTED = cue("offers.listed")
_CLAUSES = pattern(r"[;；，。]\s*|,\s+|(?<=[a-z\d])\.\s+")
_OWN_CLAUSE = pattern(r"[,;.!?:，；。！？：…]+\s*")
_LABEL = pattern(r"^\s*(?P<label>[A-Ea-e])(?![\w'’])")
_FEWEST, _LARGEST = 2, 6
_SHARE = 0.5
_STEM = 4
_LONGEST = 160


def choice_in(
    before: Message, words: str, earlier: str
) -> tuple[str, str, bool] | None:
    """
    Return what of the agent's offer *before* the owner's *words* choose, and what follows.

    Also whether they name it, and do not only point at it. *earlier* is what the owner had
    asked. None where they choose nothing of it.
    """
    clauses = [each for each in _own_clauses(trim(words)) if each.strip()]
    lists = [each for each in _lists(before) if _FEWEST <= len(each) <= _LARGEST]
    for pick in (_by_label, _by_place, _by_words, _by_size):
        for options in lists:
            for at, clause in enumerate(clauses):
                named = pick is _by_words
                if named and not _is_offered(before, clause, earlier, at):
                    continue
                if option := pick(clause, options):
                    return option[:_LONGEST], "".join(clauses[at + 1 :]), named
    return None


def _own_clauses(words: str) -> list[str]:
    """Return the clauses of *words*, each with what parts it from the next."""
    ends = [0, *(found.end() for found in _OWN_CLAUSE.finditer(words)), len(words)]
    return [words[one:two] for one, two in pairwise(ends)]


def lead_of(sentence: str) -> str:
    """Return what *sentence* says before it lists something: "labels for the jars"."""
    lead = _LEAD.match(sentence)
    return lead[0].rstrip(" :\uff1a") if lead else ""


def rejected_in(text: str, option: str, before: Message) -> bool:
    """Say whether *text* names another thing that was offered *before* than *option*."""
    mine = read(option).terms
    for options in _lists(before):
        if not any(option in each for each in options):
            continue
        others = (read(each).terms for each in options if option not in each)
        telling = frozenset[str]().union(*others) - mine
        if read(text).terms & telling:
            return True
    return False


def _lists(before: Message) -> Iterator[list[str]]:
    """Give the ways in which the message may list what it offers, the plainest first."""
    if counted := options_in(before):
        yield counted
    sentences = [trim(each.text) for each in split_sentences(before.text)]
    # What is asked in the end says it shortest.
    for sentence in sorted(sentences, key=lambda each: each[-1:] not in "?\uff1f"):
        bare = _LEAD.sub("", sentence)
        yield _parts(_LISTED, bare)
        yield _TERM.findall(sentence)
    if len(before.text) <= _LONGEST:
        yield _parts(_LISTED, _LEAD.sub("", trim(before.text)))
    for sentence in sentences:
        yield _parts(_CLAUSES, _LEAD.sub("", sentence))
    yield sentences


def _parts(mark: re.Pattern[str], text: str) -> list[str]:
    return [part for each in mark.split(text) if (part := each.strip(" ?？。.,，"))]


def _by_label(clause: str, options: Sequence[str]) -> str | None:
    named = _LABEL.match(clause)
    if named is None:
        return None
    place = ord(named["label"].lower()) - ord("a")
    labelled = [found["label"] for each in options if (found := _LABEL.match(each))]
    counted = not labelled or labelled[0].lower() == "a"
    return _bare(options[place]) if counted and place < len(options) else None


def _by_place(clause: str, options: Sequence[str]) -> str | None:
    """Return the option whose place in the list *clause* tells: the second, 中间那个."""
    place = place_in(clause, len(options))
    return None if place is None else _bare(options[place])


def place_in(words: str, count: int) -> int | None:
    """Return which of *count* things *words* mean by its place, from 0."""
    if _MIDDLE.search(words):
        return count // 2
    if _LAST.search(words):
        return count - 1
    found = (n for n, pattern in enumerate(_NUMBERS) if pattern.search(words))
    return next((place for place in found if place < count), None)


def _by_words(clause: str, options: Sequence[str]) -> str | None:
    """Return the one option that *clause* names by what only it has."""
    told = [piece.said for piece in read(clause).telling]
    counts = [sum(_stands(word, each.lower()) for word in told) for each in options]
    most = max(counts)
    if not told or most < _SHARE * len(told) or counts.count(most) > 1 or not most:
        return None
    return _bare(options[counts.index(most)])


def _stands(word: str, option: str) -> bool:
    if word in option:
        return True
    stem = word[:-1] if len(word) > _STEM else word
    return word.isascii() and len(stem) >= _STEM and stem in option


def _is_offered(before: Message, clause: str, earlier: str, at: int) -> bool:
    """
    Say whether words that both have mean a choice.

    Somebody spoke of one of several, or the first clause of the answer says nothing else.
    """
    if offers_one_of(before.text.lower()) or offers_one_of(earlier.lower()):
        return True
    told = [piece.said for piece in read(clause).telling]
    text = before.text.lower()
    words = all(_stands(word, text) for word in told)
    return bool(options_in(before)) or (
        at == 0 and (words or any(word[0] >= "\u3400" for word in told))
    )


def _by_size(clause: str, options: Sequence[str]) -> str | None:
    """Return the option with the least or the greatest number: the cheap one, the later."""
    way = -1 if _LEAST.search(clause) else 1 if _MOST.search(clause) else 0
    sizes = [_size(each) for each in options]
    known = [size for size in sizes if size is not None]
    if not way or len(known) < len(options) or len(set(known)) < len(known):
        return None
    best = max(known) if way > 0 else min(known)
    return _bare(options[sizes.index(best)])


def _size(option: str) -> float | None:
    for value in values_in(option):
        digits = value.key.replace(":", ".")
        if value.sort in {"number", "time"} and re.fullmatch(r"\d+(?:\.\d+)?", digits):
            return float(digits)
    return None


def _bare(option: str) -> str:
    if found := _LABEL.match(option):
        option = option[found.end() :]
    return option.strip(" ?？。.,，:：、)）")
