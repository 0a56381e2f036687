"""Secrets that a name announces, in English or in Chinese."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.redaction.assigned import COMMON_WORDS, assigned
from strata.transcripts.redaction.names import KINDS, Meaning, Name, meaning_of
from strata.transcripts.redaction.proofs import CHINESE
from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.telling import tellings, with_chinese_rest
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
_LONGEST_NAME, _LONGEST_WORDS = 60, 42
_NAMES_OF_TWO_WORDS = ("key", "keys", "code", "codes", "phrase")
_LOGINS = frozenset({"creds", "credentials", "cred", "credential"})
_GIVEN = tellings("assigned")
_SAYS, _AFTER, _BEFORE, _LATER, _PAIR = (
    tellings("english", place=place)
    for place in ("says", "after", "before", "later", "pair")
)


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
    if name.meaning is Meaning.NOTHING:
        return name.end, ()
    secrets = tuple(_values_of(text, name))
    return max((name.end, *(secret.end for secret in secrets))), secrets


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
    if word.lower().startswith("code") and KEYWORDS.code_opens.match(
        text, start + len("code")
    ):
        return Meaning.CODE
    words = KEYWORDS.words_before.search(text[max(0, start - _LONGEST_WORDS) : start])
    return meaning_of(words[0] + word if words else word)


def _values_of(text: str, name: Name) -> Iterator[Secret]:
    given = (each.after(text, name) for each in _GIVEN)
    found = assigned(text, name) or _first(given) or _said(text, name)
    if found is None and text[name.start - 1 : name.start] == " ":
        found = _first(each.before(text, name) for each in _BEFORE)
    if found:
        yield found
    end = found.end if found else name.end
    behind = Name(name.start, end, name.word, name.meaning)
    if later := _first(each.after(text, behind) for each in _LATER):
        yield later


def _said(text: str, name: Name) -> Secret | None:
    """Return the secret that a sentence about *name* goes on to tell."""
    word = name.word.lower()
    if word in COMMON_WORDS:
        found = _first(each.after(text, name) for each in _SAYS)
        return found if found and is_mixed(text[found.start : found.end]) else None
    login = Name(name.start, name.end, word, Meaning.PASSWORD)
    pair = (each.after(text, login) for each in _PAIR if word in _LOGINS)
    return _first(pair) or _first(each.after(text, name) for each in (*_SAYS, *_AFTER))


def _first(found: Iterable[Secret | None]) -> Secret | None:
    return next(filter(None, found), None)


_PAIR_ZH, _LOGIN_ZH, _TOLD_ZH, _BEFORE_ZH, _CHANGED_ZH = (
    tellings("chinese", place=place)
    for place in ("pair", "login", "after", "before", "changed")
)
_MEANINGS = {
    "password": Meaning.PASSWORD,
    "phrase": Meaning.PASSPHRASE,
    "token": Meaning.TOKEN,
    "code": Meaning.CODE,
    "login": Meaning.PASSWORD,
}
_WINDOW, _LOOK_BACK = 60, 80


def chinese_sentences(view: View) -> Iterator[Secret]:
    """Yield the values in *view* that a Chinese word announces."""
    done, verdicts = 0, Verdicts(_judge_chinese)
    for sign in () if view.text.isascii() else CHINESE.sign.finditer(view.text):
        at = sign.start()
        if at >= done and (keyword := CHINESE.keyword.match(view.text, at)):
            done = keyword.end()
            yield from verdicts.on(view.text, *keyword.span())[1]


def _judge_chinese(text: str, start: int, end: int) -> Verdict:
    keyword = CHINESE.keyword.match(text, start)
    secrets = tuple(_values_in_chinese(text, keyword)) if keyword else ()
    return max((end, *(secret.end for secret in secrets))), secrets


def _values_in_chinese(text: str, keyword: re.Match[str]) -> Iterator[Secret]:
    group = keyword.lastgroup or "password"
    name = Name(*keyword.span(), keyword[0], _MEANINGS[group])
    if group == "login":
        yield from filter(None, (each.after(text, name) for each in _LOGIN_ZH))
        return
    if group == "code":
        owner = CHINESE.code_owner.search(text, max(0, name.start - 4), name.start)
        if not owner:
            return
        meaning = Meaning.PASSWORD if owner["key"] else Meaning.CODE
        name = Name(owner.start(), name.end, keyword[0], meaning)
        short = CHINESE.short_code.match(text, name.end) if owner["key"] else None
        if short:
            yield Secret(*short.span("code"), KINDS[Meaning.CODE])
    found = None
    # Account and password may come together, the account first.
    if CHINESE.account.search(text[max(0, name.start - _LOOK_BACK) : name.start]):
        pair = CHINESE.pair.match(text, name.end)
        if pair and text.startswith(PLACEHOLDER, pair.end()):
            return
        login = Name(name.start, name.end, name.word, Meaning.PASSWORD)
        found = _first(each.after(text, login) for each in _PAIR_ZH)
    found = (
        found
        or _first(each.after(text, name) for each in _TOLD_ZH)
        or _first(each.before(text, name) for each in _BEFORE_ZH)
    )
    if found:
        yield with_chinese_rest(text, found)
    first = found.end if found else name.end
    for lead in CHINESE.changed.finditer(text, first, min(len(text), first + _WINDOW)):
        yield from filter(None, (each.behind(text, lead, name) for each in _CHANGED_ZH))
