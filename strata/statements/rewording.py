"""Whether other words say the same: nothing new, and nothing lost that counts."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from strata.language.cues import cue
from strata.language.meanings import read_meaning
from strata.language.polarity import negation_mismatch
from strata.language.quotes import carries_orders
from strata.language.sentences import language_of, split_sentences
from strata.language.similarity import terms_of
from strata.models import Evidence, Fact, Origin
from strata.statements.comparison import SLIGHT
from strata.statements.grounding.support import unsupported
from strata.statements.relations import Relation, relation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# So much of a sentence that counts must come back in the rewording.
_KEPT = 0.34
_LONGER = 1.1
_SOME_CHARS = 12
# What stands for one thing and no other; their order tells who does what to whom.
_VALUE = re.compile(
    r"20\d\d-\d\d(?:-\d\d)?|[\w~./@:-]*[\d/@][\w~./@:%-]*"
    r"|(?<![.!?:] )(?<!^)\b[A-Z][\w&+.-]*\w"
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
_ALLOWING = cue("rewording.allowing")
_OTHERWISE = frozenset({Relation.UPDATES, Relation.CONTRADICTS})
# A number without a unit, or a date: whether it was said is asked apart.
_BARE_VALUE = re.compile(r"number:[\d.]+:|date:.*")
_SAME_STEM = 4
# Where nothing depends on the hour; dates are absolute by now.
_WHENEVER = datetime(2000, 1, 1, tzinfo=UTC)


def changed_in(wording: str, sources: Sequence[str]) -> str | None:
    """
    Return what *wording* adds to *sources*, loses or turns round; None if nothing.

    It may leave out what only surrounds a statement, such as a mood or an occasion. All
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
    if added := _unsupported(wording, sources):
        yield added
    if strange := _strange_word(wording, told):
        yield f"{strange!r} is in no entry"
    if limit := _new_limit(wording, told):
        yield f"it is limited by {limit!r}"
    if bool(_ALLOWING.search(wording)) != bool(_ALLOWING.search(told)):
        yield "it allows what was asked, or asks what was allowed"
    for source in sources:
        yield from _losses(wording, source)
        # Beside others a source has neighbours that say something else.
        alone = len(sources) == 1
        if alone and relation(source, wording) in _OTHERWISE:
            yield f"it says otherwise than {source!r}"


def _losses(wording: str, source: str) -> Iterator[str]:
    kept = _counting(source)
    if lost := _unsupported(kept, [wording]):
        yield f"lost: {lost}"
    if mismatch := negation_mismatch(_plain(kept), _plain(wording)):
        yield f"lost: {mismatch}"
    if not _in_order(kept, wording):
        yield "numbers or names are lost or have changed places"
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


def _unsupported(text: str, sources: Sequence[str]) -> str | None:
    evidence = tuple(
        Evidence("", source, _WHENEVER, Origin.OWNER) for source in sources
    )
    return unsupported(Fact(text, None, language_of(text), evidence), timezone=UTC)


def _strange_word(wording: str, told: str) -> str:
    """Return a word that carries meaning and that nobody said, in any words, else ""."""
    known, terms = read_meaning(told).keys, terms_of(told)
    strange = (
        key
        for key, term in read_meaning(wording).keys.items()
        if term.weight > SLIGHT and key not in known and not terms_of(key) <= terms
    )
    words = _plain(told)
    return next((key for key in strange if not _stands_in(key, words)), "")


def _stands_in(key: str, words: str) -> bool:
    """Say whether *key* is the stem of one of *words*, or a value that is held apart."""
    if key[0] >= "\u3400":
        # Where a word ends is a guess; its characters are not.
        return all(each in words for each in key)
    stem = len(key) >= _SAME_STEM and re.search(rf"\b{re.escape(key)}", words)
    return bool(stem) or _BARE_VALUE.fullmatch(key) is not None


def _new_limit(wording: str, told: str) -> str:
    known = read_meaning(told).limits
    new = read_meaning(wording).limits - known
    return next(
        (
            limit
            for limit in sorted(new)
            if not (limit in _COMPARED and _COMPARED[limit].search(told))
        ),
        "",
    )


def _in_order(kept: str, wording: str) -> bool:
    """Say whether *wording* has all values of *kept*, those that come once in order."""
    # The end of a sentence is no part of the name before it.
    values = {value.rstrip(".:,-") for value in _VALUE.findall(kept)} - {""}
    # A name that begins a sentence is one if it is written like that elsewhere too.
    again = (value.rstrip(".:,-") for value in _VALUE.findall(wording))
    known = values | {value for value in again if value and value in kept}
    once = [value for value in known if kept.count(value) == wording.count(value) == 1]
    there = sorted(once, key=kept.find) == sorted(once, key=wording.find)
    return there and all(value in wording for value in values)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()
