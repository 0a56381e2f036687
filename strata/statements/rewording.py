"""Whether other words say the same: nothing new, and nothing lost that counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.quotes import carries_orders
from strata.language.sentences import language_of, split_sentences
from strata.language.similarity import terms_of
from strata.language.statement import read
from strata.notes.entries import without_topic
from strata.statements.grounding.agreement import disagreement, missing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# So much of a sentence that counts must come back in the rewording.
_KEPT = 0.34
_LONGER = 1.1
_SOME_CHARS = 12
# What stands for one thing and no other; their order tells who does what to whom.
_VALUE = re.compile(
    # Of a word, but no hanzi: those go on without a blank.
    r"20\d\d-\d\d(?:-\d\d)?"
    r"|(?:[^\W\u3400-\u9fff]|[~./@:-])*[\d/@](?:[^\W\u3400-\u9fff]|[~./@:%-])*"
    r"|(?<![.!?:] )(?<!^)(?<![^\W\u3400-\u9fff])[A-Z](?:[^\W\u3400-\u9fff]|[&+.-])*"
    r"[^\W\u3400-\u9fff]"
    r"|[零两二三四五六七八九十百千万]+(?=[\u3400-\u9fff])"
    r"|[老小阿][\u4e00-\u9fff]|[\u4e00-\u9fff](?:姐|哥|总|工|老师|经理|医生|师傅|主任|教授)"
)
_LIMIT = cue("rewording.limit")
# What narrows in one wording and not by the same word in the other.
_COMPARED = {
    "morethan": re.compile(
        r"\b(?:longer|more|greater|above|exceed\w*|at least)\b", re.IGNORECASE
    ),
    "lessthan": re.compile(r"\b(?:shorter|fewer|less|below|at most)\b", re.IGNORECASE),
}


def changed_in(wording: str, sources: Sequence[str]) -> str | None:
    """
    Return what *wording* adds to *sources*, loses or turns round; None if nothing.

    It may leave out what only surrounds a statement, such as a mood or an occasion, and
    what a source says that it is about. All
    sentences that state or narrow something must be there, with every number, name,
    date and negation of theirs, in the same order.
    """
    return next(_changes(wording, sources), None)


def _changes(wording: str, sources: Sequence[str]) -> Iterator[str]:
    told = " ".join(sources)
    if len(wording) > _LONGER * len(told) + _SOME_CHARS:
        yield "it is longer than what it rewords"
    if any(language_of(wording) != language_of(source) for source in sources):
        yield "it is in another language"
    if carries_orders(wording):
        yield "it carries markup, or speaks to assistants"
    if added := disagreement(wording, wording, sources, strictly=True):
        yield added
    if limit := _new_limit(wording, told):
        yield f"it is limited by {limit!r}"
    for source in sources:
        yield from _losses(wording, without_topic(source))


def _losses(wording: str, source: str) -> Iterator[str]:
    kept = _counting(source)
    if lost := missing(kept, wording):
        yield f"lost: {lost}"
    yield from _out_of_order(kept, wording)
    terms = terms_of(kept)
    if terms and len(terms & terms_of(wording)) < _KEPT * len(terms):
        yield f"most of {kept!r} is lost"


def _counting(source: str) -> str:
    """Return the sentences of *source* that state or narrow something, else all."""
    counting = [
        sentence.text
        for sentence in split_sentences(source)
        if _VALUE.search(sentence.text) or _LIMIT.search(sentence.text)
    ]
    return " ".join(counting) or source


def _new_limit(wording: str, told: str) -> str:
    known = read(told).meaning.limits
    new = read(wording).meaning.limits - known
    return next(
        (
            limit
            for limit in sorted(new)
            if not (limit in _COMPARED and _COMPARED[limit].search(told))
        ),
        "",
    )


def _out_of_order(kept: str, wording: str) -> Iterator[str]:
    """Give what values of *kept* are lost, or, of those that come once, out of order."""
    # The end of a sentence is no part of the name before it.
    values = {value.rstrip(".:,-") for value in _VALUE.findall(kept)} - {""}
    if lost := sorted(value for value in values if value not in wording):
        yield f"lost: {', '.join(map(repr, lost))}"
    # A name that begins a sentence is one if it is written like that elsewhere too.
    again = (value.rstrip(".:,-") for value in _VALUE.findall(wording))
    known = values | {value for value in again if value and value in kept}
    once = [value for value in known if kept.count(value) == wording.count(value) == 1]
    for was, now in zip(
        sorted(once, key=kept.find), sorted(once, key=wording.find), strict=True
    ):
        if was != now:
            yield f"{was!r} and {now!r} have changed places"
