"""Secrets that a name announces, in English or in Chinese."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import TYPE_CHECKING

from strata.transcripts.redaction.names import Meaning, Name, meaning_of, meant_by
from strata.transcripts.redaction.proofs import CHINESE, is_chinese_phrase
from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.telling import (
    COMMON_WORDS,
    assigned,
    changes_told,
    first_told,
)
from strata.transcripts.redaction.values import is_mixed
from strata.transcripts.redaction.view import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from strata.transcripts.redaction.spans import Verdict
    from strata.transcripts.redaction.view import View

KEYWORDS = Patterns("told", "keywords")
_KEYWORDS = tuple(
    (word, re.compile(pattern)) for word, pattern in rows("told", "announcing")["names"]
)
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_LONGEST_NAME, _LONGEST_WORDS, _LONGEST_FIRST_WORD = 60, 42, 5
_NAMES_OF_TWO_WORDS = ("key", "keys", "code", "codes", "phrase")
_LOGINS = frozenset({"creds", "credentials", "cred", "credential"})
_LOOK_BACK = 80


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


def _judge(text: str, start: int, end: int) -> Verdict:
    name = _name_around(text, start, end)
    secret = name.meaning is not Meaning.NOTHING
    return _verdict(name.end, _values_of(text, name) if secret else ())


def _verdict(end: int, found: Iterable[Secret]) -> Verdict:
    secrets = tuple(found)
    return max((end, *(secret.end for secret in secrets))), secrets


def _name_around(text: str, start: int, end: int) -> Name:
    before = text[max(0, start - _LONGEST_NAME) : start]
    start -= len(before) - len(before.rstrip(_NAME_CHARACTERS))
    if rest := KEYWORDS.rest_of_name.match(text, end):
        end += len(rest[0].rstrip(".-"))
    phrase = KEYWORDS.pass_phrase.match(text, end)
    end = phrase.end() if phrase and text[start:end].lower() == "pass" else end
    word = text[start:end]
    return Name(start, end, word, _meaning_in_text(text, start, word))


def _meaning_in_text(text: str, start: int, word: str) -> Meaning:
    if word.lower() not in _NAMES_OF_TWO_WORDS:
        return meaning_of(word)
    if KEYWORDS.code_opens.match(text, start):
        return Meaning.CODE
    words = KEYWORDS.words_before.search(text[max(0, start - _LONGEST_WORDS) : start])
    return meaning_of(words[0] + word if words else word)


def _values_of(text: str, name: Name) -> Iterator[Secret]:
    found = assigned(text, name) or first_told(text, name, "assigned after")
    found = found or _said(text, name)
    if found is None and text[name.start - 1 : name.start] == " ":
        found = first_told(text, name, "english before")
    if found:
        yield found
        name = replace(name, end=found.end)
    yield from filter(None, [first_told(text, name, "english later")])


def _said(text: str, name: Name) -> Secret | None:
    """Return the secret that a sentence about *name* goes on to tell."""
    word = name.word.lower()
    if word in COMMON_WORDS:
        found = first_told(text, name, "english says")
        return found if found and is_mixed(text[found.start : found.end]) else None
    login = replace(name, meaning=Meaning.PASSWORD)
    pair = first_told(text, login, "english pair") if word in _LOGINS else None
    return pair or first_told(text, name, "english says", "english after")


def chinese_sentences(view: View) -> Iterator[Secret]:
    """Yield the values in *view* that a Chinese word announces."""
    verdicts = Verdicts(_judge_chinese)
    for sign in () if view.text.isascii() else CHINESE.sign.finditer(view.text):
        if keyword := CHINESE.keyword.match(view.text, sign.start()):
            yield from verdicts.on(view.text, *keyword.span())[1]


def _judge_chinese(text: str, start: int, end: int) -> Verdict:
    keyword = CHINESE.keyword.match(text, start)
    name = _chinese_name(text, keyword) if keyword else None
    return _verdict(end, _values_in_chinese(text, name) if name else ())


def _chinese_name(text: str, keyword: re.Match[str]) -> Name | None:
    meaning = meant_by(keyword)
    name = Name(*keyword.span(), keyword[0], meaning)
    if meaning is not Meaning.CODE:
        return name
    owner = CHINESE.code_owner.search(text, max(0, name.start - 4), name.start)
    if not owner:
        return None
    meaning = Meaning.PASSWORD if owner["key"] else Meaning.CODE
    return replace(name, start=owner.start(), meaning=meaning)


def _values_in_chinese(text: str, name: Name) -> Iterator[Secret]:
    if name.word.startswith("登"):
        yield from filter(None, [first_told(text, name, "chinese login")])
        return
    found = None
    # Account and password may come together, the account first.
    if CHINESE.account.search(text[max(0, name.start - _LOOK_BACK) : name.start]):
        pair = CHINESE.pair.match(text, name.end)
        if pair and text.startswith(PLACEHOLDER, pair.end()):
            return
        login = replace(name, meaning=Meaning.PASSWORD)
        found = first_told(text, login, "chinese pair")
    if found := found or first_told(text, name, "chinese after", "chinese before"):
        yield _with_chinese_rest(text, found)
    yield from changes_told(text, replace(name, end=found.end) if found else name)


def _with_chinese_rest(text: str, secret: Secret) -> Secret:
    """Extend a word such as "fake" in "fake青城山": a pass phrase of two scripts."""
    word = text[secret.start : secret.end]
    if not word.isalpha() or len(word) > _LONGEST_FIRST_WORD:
        return secret
    match = CHINESE.phrase.match(text, secret.start)
    if match and is_chinese_phrase(match[0]):
        return Secret(secret.start, match.end(), secret.kind)
    return secret
