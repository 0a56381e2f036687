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
from strata.transcripts.redaction.reading import Value, read_value
from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import is_mixed, is_numbered_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.redaction.spans import Verdict
    from strata.transcripts.redaction.view import View

ENGLISH = Patterns("told", "english")
KEYWORDS = Patterns("told", "keywords")
_SHORTEST_PIN = 4
_LOGINS = frozenset({"creds", "credentials", "cred", "credential"})
_LOOK_BACK = 120


def said(text: str, name: Name) -> Secret | None:
    """Return the secret that a sentence about *name* goes on to tell."""
    if name.word.lower() in COMMON_WORDS:
        found = _after_is(text, name)
        return found if found and is_mixed(text[found.start : found.end]) else None
    return (
        _login(text, name)
        or _after_is(text, name)
        or _after_to(text, name)
        or _in_brackets(text, name)
        or _beside(text, name)
    )


def said_before(text: str, name: Name) -> Secret | None:
    """Return the secret in front of *name*: "hunter2 is my password"."""
    before = text[max(0, name.start - _LOOK_BACK) : name.start]
    pattern = ENGLISH.digits_before if name.meaning is Meaning.CODE else ENGLISH.before
    match = (
        (pattern.search(before) or ENGLISH.as_password.search(before))
        if before[-1:] == " "
        else None
    )
    if not match:
        return None
    start = name.start - len(before) + match.start("value")
    value = match["value"]
    if name.meaning is Meaning.CODE or is_secret(name.meaning, value, Way.BESIDE):
        return Secret(start, start + len(value), KINDS[name.meaning])
    return None


def said_later(text: str, name: Name, start: int) -> Secret | None:
    """Return the secret of the sentence after: "I changed the password. It's now …"."""
    match = ENGLISH.later.match(text, start)
    value = read_value(text, match.end(), match["quote"]) if match else None
    return _accepted(name, value, Way.BESIDE)


def _after_is(text: str, name: Name) -> Secret | None:
    match = ENGLISH.says.match(text, name.end)
    value = value_of(text, name, match.end(), match["quote"]) if match else None
    if not match or not value or is_code(text, name.start, value, loose=True):
        return None
    if match["detail"] and not _is_telling(name, value):
        return None
    if not value.quoted and (phrase := phrase_at(text, match.end(), name.meaning)):
        return phrase
    if _counts_something(text, value):
        return None
    return _accepted(name, value, Way.SAID)


def _is_telling(name: Name, value: Value) -> bool:
    """Say whether *value* is more than a word; other words stand before it already."""
    return (
        name.meaning is Meaning.CODE
        or is_mixed(value.text, 4)
        or (value.text.isdigit() and len(value.text) >= _SHORTEST_PIN)
    )


def _after_to(text: str, name: Name) -> Secret | None:
    for pattern in (ENGLISH.changed_from, ENGLISH.changed_to):
        if match := pattern.match(text, name.end):
            value = read_value(text, match.end(), match["quote"])
            if found := _accepted(name, value, Way.BESIDE):
                return found
    return None


def _in_brackets(text: str, name: Name) -> Secret | None:
    if name.meaning not in {Meaning.PASSWORD, Meaning.PASSPHRASE}:
        return None
    if match := ENGLISH.in_brackets.match(text, name.end):
        value = read_value(text, match.end(), None)
        if value and is_numbered_word(value.text):
            return None
        return _accepted(name, value, Way.BESIDE)
    comma = ENGLISH.after_comma.match(text, name.end)
    value = read_value(text, comma.end(), comma["quote"]) if comma else None
    # Lists of names have commas too, so only what has a digit and a sign counts here.
    if value and ENGLISH.digit_and_sign.match(value.text):
        return _accepted(name, value, Way.BESIDE)
    return None


def _beside(text: str, name: Name) -> Secret | None:
    match = ENGLISH.beside.match(text, name.end)
    value = value_of(text, name, match.end(), match["quote"]) if match else None
    if value and (is_numbered_word(value.text) or _counts_something(text, value)):
        return None
    return _accepted(name, value, Way.BESIDE)


def _login(text: str, name: Name) -> Secret | None:
    match = ENGLISH.pair.match(text, name.end) if name.word.lower() in _LOGINS else None
    value = read_value(text, match.end(), match["quote"]) if match else None
    if value and is_mixed(value.text):
        return Secret(value.start, value.end, "secret:password")
    return None


def _accepted(name: Name, value: Value | None, way: Way) -> Secret | None:
    if value and is_secret(name.meaning, value.text, way):
        return Secret(value.start, value.end, KINDS[name.meaning])
    return None


def _counts_something(text: str, value: Value) -> bool:
    return (
        value.text.rstrip("+").isdigit()
        and ENGLISH.unit.match(text, value.end) is not None
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
    if later := said_later(text, name, found.end if found else name.end):
        yield later
