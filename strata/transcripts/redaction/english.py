"""Secrets that an English name or sentence announces."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.redaction.assigned import (
    COMMON_WORDS,
    assigned,
    is_code,
    phrase_at,
    value_of,
)
from strata.transcripts.redaction.names import (
    KINDS,
    Meaning,
    Name,
    Way,
    is_secret,
    meaning_of,
)
from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.telling import ENGLISH, is_counted, tellings
from strata.transcripts.redaction.values import is_mixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.reading import Value
    from strata.transcripts.redaction.spans import Verdict
    from strata.transcripts.redaction.view import View

KEYWORDS = Patterns("told", "keywords")
# "I changed the password. It's now …": what is told in the sentence after.
(_LATER,) = tellings("english", place="later")
(_PAIR,) = tellings("english", place="pair")
_AFTER, _BEFORE = tellings("english"), tellings("english", place="before")
_SHORTEST_PIN = 4
_LOGINS = frozenset({"creds", "credentials", "cred", "credential"})


def said(text: str, name: Name) -> Secret | None:
    """Return the secret that a sentence about *name* goes on to tell."""
    if name.word.lower() in COMMON_WORDS:
        found = _after_is(text, name)
        return found if found and is_mixed(text[found.start : found.end]) else None
    if name.word.lower() in _LOGINS and (
        pair := _PAIR.after(text, name.end, Meaning.PASSWORD)
    ):
        return pair
    if found := _after_is(text, name):
        return found
    after = (each.after(text, name.end, name.meaning) for each in _AFTER)
    return next(filter(None, after), None)


def said_before(text: str, name: Name) -> Secret | None:
    """Return the secret in front of *name*: "hunter2 is my password"."""
    spaced = text[name.start - 1 : name.start] == " "
    leads = _BEFORE if spaced else ()
    before = (each.before(text, name.start, name.meaning) for each in leads)
    return next(filter(None, before), None)


def _after_is(text: str, name: Name) -> Secret | None:
    match = ENGLISH.says.match(text, name.end)
    value = value_of(text, name, match.end(), match["quote"]) if match else None
    if not match or not value or is_code(text, name.start, value, loose=True):
        return None
    if match["detail"] and not _is_telling(name, value):
        return None
    if not value.quoted and (phrase := phrase_at(text, match.end(), name.meaning)):
        return phrase
    if is_counted(text, value) or not is_secret(name.meaning, value.text, Way.SAID):
        return None
    return Secret(value.start, value.end, KINDS[name.meaning])


def _is_telling(name: Name, value: Value) -> bool:
    """Say whether *value* is more than a word; other words stand before it already."""
    return (
        name.meaning is Meaning.CODE
        or is_mixed(value.text, 4)
        or (value.text.isdigit() and len(value.text) >= _SHORTEST_PIN)
    )


_KEYWORDS = tuple(
    (word, re.compile(pattern)) for word, pattern in rows("told", "announcing")["names"]
)
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_LONGEST_NAME = 60
_LONGEST_WORDS = 42
_NAMES_OF_TWO_WORDS = ("key", "keys", "code", "codes", "phrase")


def named_values(view: View) -> Iterator[Secret]:
    """Yield the values in *view* that an English name or word announces."""
    done, verdicts = 0, Verdicts(_judge)
    for start, end in _keywords(view):
        if start >= done:
            done, secrets = verdicts.on(view.text, start, end)
            yield from secrets


def _keywords(view: View) -> list[tuple[int, int]]:
    return sorted(
        match.span()
        for word, pattern in _KEYWORDS
        if word in view.words
        for match in pattern.finditer(view.lowered)
    )


def _name_around(text: str, start: int, end: int) -> Name:
    before = text[max(0, start - _LONGEST_NAME) : start]
    start -= len(before) - len(before.rstrip(_NAME_CHARACTERS))
    if rest := KEYWORDS.rest_of_name.match(text, end):
        end += len(rest[0].rstrip(".-"))
    phrase = (
        KEYWORDS.pass_phrase.match(text, end)
        if text[start:end].lower() == "pass"
        else None
    )
    end = phrase.end() if phrase else end
    word = text[start:end]
    return Name(start, end, word, _meaning_in_text(text, start, word))


def _meaning_in_text(text: str, start: int, word: str) -> Meaning:
    if word.lower() not in _NAMES_OF_TWO_WORDS:
        return meaning_of(word)
    if word.lower().startswith("code") and KEYWORDS.code_opens.match(
        text, start + len("code")
    ):
        return Meaning.CODE
    words = KEYWORDS.words_before.search(text[max(0, start - _LONGEST_WORDS) : start])
    return meaning_of(words[0] + word if words else word)


def _judge(text: str, start: int, end: int) -> Verdict:
    name = _name_around(text, start, end)
    if name.meaning is Meaning.NOTHING:
        return name.end, ()
    secrets = tuple(_values_of(text, name))
    return max((name.end, *(secret.end for secret in secrets))), secrets


def _values_of(text: str, name: Name) -> Iterator[Secret]:
    found = assigned(text, name) or said(text, name) or said_before(text, name)
    if found:
        yield found
    if later := _LATER.after(text, found.end if found else name.end, name.meaning):
        yield later
