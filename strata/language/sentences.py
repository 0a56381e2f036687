"""A message as sentences, each with its own words told apart from quoted ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from strata.language.quotes import (
    MASK,
    PASTE,
    TERM,
    is_order_to_machines,
    is_order_to_other,
    mask_quotations,
)
from strata.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.models import Language

# What is longer is a paste; the person's own words stand before or after it.
LONGEST_READ = 3000
LONGEST_TAIL = 600
LONGEST_QUOTATION = 120
# Nobody types longer ones; what comes after says nothing about the kind of statement.
LONGEST_SENTENCE = 600

_END = pattern(
    r"[.!?]+[\")'”’\ufffc]*(?=\s|$)|[。…]+[」』”’)\ufffc]*"
    r"|(?<=[\u3400-\u9fff」』\ufffc])[!?;]+[」』”’)\ufffc]*"
    r"|[!?;]+(?=[\u3400-\u9fff「『])|\n+"
    # Who types without punctuation leaves a blank, or goes on with "and then".
    r"|(?<=[\u4e00-\u9fff]) +(?=还有|另外|对了|顺便|再就是|以后)"
    rf"|(?<=[^{PASTE}])(?={PASTE})|(?<={PASTE})(?=[^{PASTE}])"
    r"|(?<=就是)(?=以后)|(?<=[\u4e00-\u9fff]{4})(?=然后就是|还有就是)"
)
_ABBREVIATION = pattern(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|approx|ca|no|nr|inc|ltd|etc|e\.g|i\.e|a\.m"
    r"|p\.m|fig|figs|sec|vol|resp|cf|al|jr|sr)|(?:^|[\s(])[a-z])\.$",
    re.IGNORECASE,
)
_LIST_MARK = pattern(r"^\s*(?:[-*+•]|\d{1,2}[.)、]|[(]\d{1,2}[))]|#{1,6})\s+")
_MARKDOWN = pattern(r"\*\*|__(?=\w)|(?<=\w)__|`+|~~")
_MARKUP_HINT = pattern(r"[*_`~]|^\s*[-+•#\d((]")
_QUOTED = pattern(f"{MASK}+|{TERM}+")
_HANZI = pattern(r"[\u3400-\u9fff]")
_WORD = pattern(r"[A-Za-z][A-Za-z'’-]*")


@dataclass(frozen=True)
class Sentence:
    """
    A stretch of a message, *start* to *end*, that is read as one statement.

    *text* is what was said, on one line and without markup; *plain* is the same in lower
    case with quoted words masked, which is what cues look at. *carries_order* is true where
    the sentence quotes something that tries to instruct assistants.
    """

    start: int
    end: int
    text: str
    plain: str
    paragraph: int
    carries_order: bool

    def quote(self, message: str) -> str:
        """Return its words exactly as they stand in *message*."""
        return message[self.start : self.end]

    @cached_property
    def injected(self) -> bool:
        """Whether the words speak to assistants as no owner would."""
        return is_order_to_machines(self.plain, quoted=False)

    @cached_property
    def has_hanzi(self) -> bool:
        """Whether any word is Chinese."""
        return _HANZI.search(self.text) is not None


# A message is looked at from several sides in a row: as a statement, as an answer, as
# what takes the last one back.
@lru_cache(maxsize=32)
def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of *text*; what is pure quotation or paste is left out."""
    # As a whole: a paste may begin in the part that is read and end in the other.
    masked = mask_quotations(text)
    if len(text) <= LONGEST_READ:
        return tuple(_sentences(text, masked, 0))
    tail = len(text) - LONGEST_TAIL
    head = LONGEST_READ - LONGEST_TAIL
    return (
        *_sentences(text[:head], masked[:head], 0),
        *_sentences(text[tail:], masked[tail:], tail),
    )


def language_of(text: str) -> Language:
    """Return the language in which *text* is mostly written."""
    return "zh" if len(_HANZI.findall(text)) > len(_WORD.findall(text)) else "en"


def _sentences(text: str, masked: str, offset: int) -> Iterator[Sentence]:
    # What follows a gap is a paragraph of its own.
    paragraph = offset
    done = 0
    for start, end in _ranges(masked):
        own, said = masked[start:end], text[start:end]
        paragraph += text.count("\n", done, start)
        done = start
        if not own.strip(MASK + PASTE + " \t\n"):
            continue
        line = _one_line(said, own)
        plain = line.lower() if said == own else _unmarked(own).lower()
        order = _carries_order(said, own)
        place = (offset + start, offset + end)
        yield Sentence(*place, line, plain[:LONGEST_SENTENCE], paragraph, order)


def _ranges(masked: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(masked):
        if _ABBREVIATION.search(masked, max(start, match.end() - 9), match.end()):
            continue
        yield from _trimmed(masked, start, match.end())
        start = match.end()
    yield from _trimmed(masked, start, len(masked))


def _trimmed(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and masked[start].isspace():
        start += 1
    while end > start and masked[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _one_line(said: str, own: str) -> str:
    """Return the words on one line; a quoted order to machines becomes an ellipsis."""
    for match in reversed(_quotations(own)):
        if len(match[0]) > LONGEST_QUOTATION or _is_order(match, said, own):
            said = f"{said[: match.start()]}…{said[match.end() :]}"
    return _unmarked(said)


def _unmarked(words: str) -> str:
    """Return *words* on one line and without Markdown."""
    if _MARKUP_HINT.search(words):
        words = _MARKDOWN.sub("", _LIST_MARK.sub("", words))
    return " ".join(words.split())


def _carries_order(said: str, own: str) -> bool:
    return any(_is_order(match, said, own) for match in _quotations(own))


def _quotations(own: str) -> list[re.Match[str]]:
    return list(_QUOTED.finditer(own)) if MASK in own or TERM in own else []


def _is_order(quotation: re.Match[str], said: str, own: str) -> bool:
    words = said[quotation.start() : quotation.end()]
    return is_order_to_machines(words, quoted=True) or is_order_to_other(words, own)
