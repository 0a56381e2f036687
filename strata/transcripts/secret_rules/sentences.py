"""Secrets that somebody tells in an English sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.assignments import (
    COMMON_WORDS,
    is_code,
    phrase_at,
    value_of,
)
from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.judging import KINDS, Way, is_secret
from strata.transcripts.secret_rules.names import Meaning
from strata.transcripts.secret_rules.reading import QUOTE, Value, read_value
from strata.transcripts.secret_rules.values import (
    is_mixed,
    is_numbered_word,
)

if TYPE_CHECKING:
    from strata.transcripts.secret_rules.names import Name

_LITTLE_WORDS = (
    r"(?:[ \t]+(?:now|still|just|currently|actually|simply|literally|always|again|called|"
    r"either|maybe|perhaps|probably|apparently|basically|to|as|"
    r"(?:been )?(?:set|changed|reset|updated) to|follows|both|like|not|no longer)\b)*"
)
_IS = re.compile(
    r"s?(?P<detail>[ \t]+(?:for|of|to|on|at|in|i|we|you|he|she|they|that|the|again|there|"
    r"below|here)"
    r"\b[^.,;:=\n!?\"'⟦\ue000]{0,60}?)?"
    r"(?:[ \t]+(?:is|was|are|will be|remains|stays|became|becomes|has been|would be|"
    r"should be|equals)\b|['’]s\b|:|[ \t]+="
    r"|[ \t]{0,3}(?:还|就|现在|已经|我?已?)?(?:是|为|[改换设填][成为]|填[写入]?)了?)"
    + _LITTLE_WORDS
    + r"[ \t]{0,4}[:=]?\s{0,4}(?:>[ \t])?"
    + QUOTE,
    re.IGNORECASE,
)
_TO = re.compile(
    r"s?(?:[ \t]+(?:for|of|on)[ \t]+[^.,;:=\n!?\"'⟦\ue000]{0,40}?)?"
    r"[ \t]+(?:from[ \t]+\S{1,80}[ \t]+)?(?:to|as|with|using|via|into)[ \t]+" + QUOTE,
    re.IGNORECASE,
)
_FROM = re.compile(r"s?[ \t]+from[ \t]+" + QUOTE, re.IGNORECASE)
_BESIDE = re.compile(
    r"""s?["'`*)?]{0,3}(?:[ \t]?\([^()\n]{1,20}\))?[ \t]{1,4}\(?""" + QUOTE
)
_IN_BRACKETS = re.compile(r"[^.,;:=!?\n()\ue000]{0,40}\([ \t]?(?=[^()\n]{1,80}\))")
_AFTER_COMMA = re.compile(r",[ \t]" + QUOTE)
_LATER = re.compile(
    r"[^\n]{0,100}?\b(?:it['’]?s|it is|that['’]s|new one is|new one|now is|use|try|"
    r"instead)\b"
    r"(?:[ \t]+(?:now|currently|still|this|just|rather))*[ \t]*:?[ \t]+" + QUOTE,
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"""(?P<value>[^\s"'`“”]{4,80})["'`”]?[ \t]+(?:is|as|=|was|for)[ \t]+"""
    r"(?:my|the|our|your|his|her|a)[ \t]+(?:[\w-]{1,20}[ \t]+){0,2}\Z",
    re.IGNORECASE,
)
_AS_PASSWORD = re.compile(
    r"""(?P<value>[^\s"'`“”]{4,80})["'`”]?[ \t]+as[ \t]+\Z""", re.IGNORECASE
)
_DIGITS_BEFORE = re.compile(
    r"""(?<![\w.-])(?P<value>(?:[A-Z]-)?[0-9]{4,8})["'`*”]{0,2}[ \t]+(?:is|as|=)[ \t]+"""
    r"(?:my|the|our|your|his|her|a)[ \t]+(?:[\w-]{1,20}[ \t]+){0,3}\Z",
    re.IGNORECASE,
)
_DIGIT_AND_SIGN = re.compile(r"(?=.*[0-9])(?=.*[!@#$%^&*+~?_-])(?=.*[A-Za-z])")
_PAIR = re.compile(
    r"""[ \t]*(?::|are|is|=|[ \t])[ \t]*["'`]?[\w.@+-]{1,60}["'`]?"""
    r"[ \t]*(?:/|:|\||,|and)[ \t]*" + QUOTE,
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[ \t-]{0,2}(?:chars?|characters?|digits?|letters?|symbols?|words?|bytes?|bits?|days?|"
    r"hours?|minutes?|seconds?|weeks?|months?|years?|times?|users?|people|attempts?|tokens?|%|"
    r"or more|different|more|of|and up|\+)(?![A-Za-z])",
    re.IGNORECASE,
)
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
    pattern = _DIGITS_BEFORE if name.meaning is Meaning.CODE else _BEFORE
    match = (
        (pattern.search(before) or _AS_PASSWORD.search(before))
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
    match = _LATER.match(text, start)
    value = read_value(text, match.end(), match["quote"]) if match else None
    return _accepted(name, value, Way.BESIDE)


def _after_is(text: str, name: Name) -> Secret | None:
    match = _IS.match(text, name.end)
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
    for pattern in (_FROM, _TO):
        if match := pattern.match(text, name.end):
            value = read_value(text, match.end(), match["quote"])
            if found := _accepted(name, value, Way.BESIDE):
                return found
    return None


def _in_brackets(text: str, name: Name) -> Secret | None:
    if name.meaning not in {Meaning.PASSWORD, Meaning.PASSPHRASE}:
        return None
    if match := _IN_BRACKETS.match(text, name.end):
        value = read_value(text, match.end(), None)
        if value and is_numbered_word(value.text):
            return None
        return _accepted(name, value, Way.BESIDE)
    comma = _AFTER_COMMA.match(text, name.end)
    value = read_value(text, comma.end(), comma["quote"]) if comma else None
    # Lists of names have commas too, so only what has a digit and a sign counts here.
    if value and _DIGIT_AND_SIGN.match(value.text):
        return _accepted(name, value, Way.BESIDE)
    return None


def _beside(text: str, name: Name) -> Secret | None:
    match = _BESIDE.match(text, name.end)
    value = value_of(text, name, match.end(), match["quote"]) if match else None
    if value and (is_numbered_word(value.text) or _counts_something(text, value)):
        return None
    return _accepted(name, value, Way.BESIDE)


def _login(text: str, name: Name) -> Secret | None:
    match = _PAIR.match(text, name.end) if name.word.lower() in _LOGINS else None
    value = read_value(text, match.end(), match["quote"]) if match else None
    if value and is_mixed(value.text):
        return Secret(value.start, value.end, "secret:password")
    return None


def _accepted(name: Name, value: Value | None, way: Way) -> Secret | None:
    if value and is_secret(name.meaning, value.text, way):
        return Secret(value.start, value.end, KINDS[name.meaning])
    return None


def _counts_something(text: str, value: Value) -> bool:
    return value.text.rstrip("+").isdigit() and _UNIT.match(text, value.end) is not None
