"""What the owner puts right of the agent's last words: a figure, a number, a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from strata.language.lexicon import lexicon, phrase_root
from strata.language.sentences import language_of, split_sentences
from strata.language.vocabulary import content_words
from strata.language.wording import trim
from strata.statements.results import SECRETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Message

# Letters and figures of one value, and the word that says what it counts.
_VALUE = re.compile(
    r"(?<![\w.])(?P<value>[A-Z]{0,3}\d+(?:[.,:/-]?\d+)*)(?![\w%])"
    r"(?: (?P<unit>[a-z]{2,}))?"
)
_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
_MARKS = re.compile(r"[.!,;:]+$")
_LONGEST = 140
# So much shorter, a name is the short form of the other.
_CUT = 2
# How alike two names are of which one is a slip of the other.
_LEAST_ALIKE = 0.6
_NEARLY = 0.72
_ALIKE_FROM = 2
_ALIKE_TO = 4
_FEW_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Correction:
    """The entry that says what is right, and the words of the agent."""

    text: str
    message: Message
    quote: str


def correction_of(before: Message | None, words: str) -> Correction | None:
    """Return what the owner's *words* set right of the agent's *before*, if anything."""
    if before is None:
        return None
    bare = trim(words)
    first = _MARKS.sub("", bare.split(maxsplit=1)[0]) if bare else ""
    for sentence in split_sentences(before.text.strip('"“”「」')):
        if len(sentence.text) > _LONGEST or sentence.carries_order:
            continue
        pair = next(_pairs(sentence.text, bare), None)
        if pair is None or SECRETS.search(sentence.plain):
            continue
        wrong, right = pair
        if first == right and "?" not in sentence.plain:
            text = _marked(trim(sentence.text).replace(wrong, right, 1))
        else:
            text = _marked_in(bare, right)
        return Correction(text, before, sentence.quote(before.text))
    return None


def _pairs(agents: str, owners: str) -> Iterator[tuple[str, str]]:
    """Give each value of the agent's that is wrong, with the owner's one for it."""
    wrong, right = (list(_VALUE.finditer(each)) for each in (agents, owners))
    for one in wrong:
        for other in right:
            if _is_instead(one, other):
                yield one["value"], other["value"]
    names = _NAME.findall(agents)
    for name in _NAME.findall(owners):
        if name not in names and (
            near := next((n for n in names if _is_for(n, name)), None)
        ):
            yield near, name


def _is_for(wrong: str, right: str) -> bool:
    """Say whether *wrong* is a slip for *right*: neither Mel for Melanie, nor The."""
    if not content_words(wrong.lower()) or not content_words(right.lower()):
        return False
    short, long = sorted((wrong, right), key=len)
    cut = long.startswith(short) and len(long) - len(short) >= _CUT
    return are_misspelt(wrong, right) and not cut


def _is_instead(one: re.Match[str], other: re.Match[str]) -> bool:
    """Say whether two values are read for each other, or count one and the same thing."""
    if one["value"] == other["value"]:
        return False
    if are_misread(one["value"], other["value"]):
        return True
    units = one["unit"], other["unit"]
    return None not in units and units[0].rstrip("s") == units[1].rstrip("s")


def _marked_in(whole: str, right: str) -> str:
    """Return the owner's words, of which the first sentence with *right* is marked."""
    sentences = (each.text for each in split_sentences(whole))
    first = next((text for text in sentences if right in text), whole)
    return whole.replace(first, _marked(first) + ".", 1).rstrip(".")


def _marked(text: str) -> str:
    """Return *text* as a correction; what was wrong is not worth remembering."""
    bare = _MARKS.sub("", text.rstrip("。. "))
    mark = "\uff08已更正\uff09" if language_of(text) == "zh" else " (corrected)"
    return bare + mark


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


def are_misspelt(one: str, other: str) -> bool:
    """Say whether *one* is nearly the name *other*, and no word of its own."""
    first, second = one.lower(), other.lower()
    if first == second or not one[:1].isupper() or _are_words(first, second):
        return False
    alike = SequenceMatcher(None, first, second).ratio()
    same_start = first[:_ALIKE_FROM] == second[:_ALIKE_FROM]
    same_end = first[-_ALIKE_TO:] == second[-_ALIKE_TO:] and alike >= _NEARLY
    return alike >= _LEAST_ALIKE and (same_start or same_end)


def _are_words(first: str, second: str) -> bool:
    """Say whether both are words that people know: Tuesday, Thursday."""
    return all(phrase_root(each) in lexicon().words for each in (first, second))
