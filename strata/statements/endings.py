"""What a statement declares finished, dropped or replaced, and what rests on it."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from strata.language.cues import cue, cues
from strata.language.lexicon import kind_of, lexicon, phrase_root
from strata.language.statement import read
from strata.models import Frame
from strata.notes.entries import parse_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

# Where people live and what day it is are no things that somebody shuts down.
_NO_THINGS_WRITTEN = """
    indentation quotation theme length tone side means hour weekday frequency colour city
    transport currency seat degrees script spelling diet merging case
"""
_NO_THINGS = frozenset(_NO_THINGS_WRITTEN.split()) | {
    "time of day",
    "unit system",
    "human language",
    "hot drink",
}
_OBJECTS = cues("endings.objects")
_SUBJECTS = cues("endings.subjects")
_CHINESE = cues("endings.chinese", 0)
_UNREAL = cue("endings.unreal")
_NOT_UNREAL = cue("endings.not_unreal")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。;!\n]")
_ARTICLE = re.compile(r"^(?:the|our|my|their) ", re.IGNORECASE)
_BEFORE_NAME = cue("endings.before_name")


def ended(text: str) -> frozenset[str]:
    """
    Return the names of what *text* declares finished, dropped, abandoned or replaced.

    Names are projects, products, employers and technologies, as they are written. What
    is planned, asked or supposed has not ended, and what is given up in one place alone
    ("dropped Redis in the billing service") goes on in others.
    """
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").strip()
    found: set[str] = set()
    for sentence in _SENTENCE.split(_told(plain)):
        if sentence and not _UNREAL.search(_NOT_UNREAL.sub(" ", sentence)):
            found.update(_names(sentence))
    return frozenset(found)


def _told(text: str) -> str:
    """Return what *text* declares; what was asked for stays as it was asked."""
    entry = parse_entry(text)
    return text if entry.frame is Frame.REQUEST else entry.text


def depends_on(text: str, name: str) -> bool:
    """
    Say whether *text* holds only as long as *name* is in use.

    It does where it affirms something with the name. It does not where it denies or
    leaves the name behind, or names another thing that does the same.
    """
    if name.casefold() in {each.casefold() for each in ended(text)}:
        return False
    wanted = _key(name)
    terms = read(text).meaning.terms
    mine = [term for term in terms if term.key == wanted]
    if not mine:
        return _mentions(text, name) and not any(term.sign < 0 for term in terms)
    sort = kind_of(mine[0].key, mine[0].kind)
    others = [
        term
        for term in terms
        if sort
        and term.sign > 0
        and term.key != wanted
        and kind_of(term.key, term.kind) == sort
    ]
    return all(term.sign > 0 for term in mine) and not others


def _mentions(text: str, name: str) -> bool:
    edge = r"(?<![A-Za-z0-9_])", r"(?![A-Za-z0-9_])"
    if not name.isascii():
        edge = "", ""
    return (
        re.search(edge[0] + re.escape(name) + edge[1], text, re.IGNORECASE) is not None
    )


def _key(name: str) -> str:
    known = lexicon()
    return (
        known.words.get(phrase_root(name.lower()))
        or known.hanzi.get(name)
        or name.lower()
    )


def _names(sentence: str) -> Iterator[str]:
    for pattern in (*_OBJECTS, *_SUBJECTS):
        for match in pattern.finditer(sentence):
            name = _ARTICLE.sub("", match["name"])
            before = sentence[: match.start("name")]
            partly = pattern in _SUBJECTS and _BEFORE_NAME.search(before)
            if _is_thing(name) and not partly:
                yield name
    for pattern in _CHINESE:
        for match in pattern.finditer(sentence):
            name = _without_glue(match["name"])
            if name and (_is_thing(name) or not name.isascii()):
                yield name


def _is_thing(name: str) -> bool:
    """Say whether *name* is written like one, or is known as a technology."""
    key = _key(name)
    if key in lexicon().kinds:
        return lexicon().kinds[key] not in _NO_THINGS
    if key in lexicon().concepts:
        return False
    first = name.lower().split(maxsplit=1)[0]
    glue = lexicon().glue
    is_glue = first in glue.empty or first in glue.scope or first in glue.weak
    return not is_glue and any(letter.isupper() or letter in "-_." for letter in name)


def _without_glue(name: str) -> str:
    return re.sub(
        r"^(?:我们|公司|团队|整个|今天|昨天|这个|那个|现在|已经|的|了|把|将)+", "", name
    )
