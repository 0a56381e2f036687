"""Secrets that somebody tells in a Chinese sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.transcripts.redaction.names import JUDGING, KINDS, Meaning, Way, is_secret
from strata.transcripts.redaction.reading import Value, read_value, unfolded
from strata.transcripts.redaction.spans import Secret, Verdicts
from strata.transcripts.redaction.tables import Patterns
from strata.transcripts.redaction.telling import (
    CHINESE,
    is_counted_in_chinese,
    tellings,
)
from strata.transcripts.redaction.values import (
    is_crypto,
    is_mixed,
    is_numbered_word,
)
from strata.transcripts.redaction.view import PLACEHOLDER

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from strata.transcripts.redaction.spans import Verdict
    from strata.transcripts.redaction.view import View

CHINESE_TALK = Patterns("told", "chinese_talk")
_PAIR, _LOGIN, _CHANGED = (
    tellings("chinese", place=place)[0] for place in ("pair", "login", "changed")
)
(_DETAIL,) = tellings("chinese")
_BEFORE = tellings("chinese", place="before")


def is_chinese_phrase(phrase: str) -> bool:
    """Say whether *phrase* is what somebody says at a door, not a remark about it."""
    return (
        len(phrase) > 1
        and CHINESE_TALK.chinese.search(phrase) is not None
        and not CHINESE_TALK.talks_at_start.match(phrase)
        and not CHINESE_TALK.talks_inside.search(phrase)
        and not CHINESE_TALK.talks_at_end.search(phrase)
    )


_MEANINGS = {
    "password": Meaning.PASSWORD,
    "phrase": Meaning.PASSPHRASE,
    "token": Meaning.TOKEN,
    "code": Meaning.CODE,
}
_PARTICLES = "吧啊呀哦喔哈噢哟嘛"
_LONGEST_FIRST_WORD = 5
_WINDOW = 60
_LOOK_BACK = 80


def chinese_sentences(view: View) -> Iterator[Secret]:
    """Yield the values in *view* that a Chinese word announces."""
    if view.text.isascii():
        return
    verdicts = Verdicts(_judge)
    done = 0
    for sign in CHINESE.sign.finditer(view.text):
        keyword = (
            CHINESE.keyword.match(view.text, sign.start())
            if sign.start() >= done
            else None
        )
        if keyword:
            done = keyword.end()
            yield from verdicts.on(view.text, *keyword.span())[1]


def _judge(text: str, start: int, end: int) -> Verdict:
    keyword = CHINESE.keyword.match(text, start)
    secrets = tuple(_values_of(text, keyword)) if keyword else ()
    return max((end, *(secret.end for secret in secrets))), secrets


def _values_of(text: str, keyword: re.Match[str]) -> Iterator[Secret]:
    start, end = keyword.span()
    if keyword.lastgroup == "login":
        if found := _LOGIN.after(text, end, Meaning.PASSWORD):
            yield found
        return
    meaning = _MEANINGS[keyword.lastgroup or "password"]
    if meaning is Meaning.CODE:
        owner = CHINESE.code_owner.search(text, max(0, start - 4), start)
        if not owner:
            return
        start = owner.start()
        if owner["key"]:
            meaning = Meaning.PASSWORD
            yield from _short_code(text, end)
    account = _pair_of_account(text, start, end)
    if account and text.startswith(PLACEHOLDER, account.end()):
        return
    found = (
        (account and _PAIR.behind(text, account, Meaning.PASSWORD))
        or _linked(text, end, meaning)
        or _DETAIL.after(text, end, meaning)
        or _beside(text, end, meaning)
        or next(filter(None, (b.before(text, start, meaning) for b in _BEFORE)), None)
    )
    if found:
        yield found
    first = found.end if found else end
    for lead in CHINESE.changed.finditer(text, first, min(len(text), first + _WINDOW)):
        if changed := _CHANGED.behind(text, lead, meaning):
            yield changed


def _linked(text: str, end: int, meaning: Meaning) -> Secret | None:
    match = CHINESE.link.match(text, end)
    if not match:
        return None
    value = _value_of(text, match, meaning)
    if value and not value.quoted and is_counted_in_chinese(text, value):
        return None
    plain = not (value and match["newline"].strip(" \t") and not is_mixed(value.text))
    if plain and (secret := _accepted(value, meaning, Way.SAID)):
        return _with_chinese_rest(text, secret)
    if "\n" in match["newline"] or meaning not in {
        Meaning.PASSWORD,
        Meaning.PASSPHRASE,
    }:
        return None
    return _chinese_phrase(text, value, match.end(), meaning)


def _short_code(text: str, end: int) -> Iterator[Secret]:
    if match := CHINESE.short_code.match(text, end):
        yield Secret(*match.span("code"), KINDS[Meaning.CODE])


def _value_of(text: str, match: re.Match[str], meaning: Meaning) -> Value | None:
    value = read_value(text, match.end(), match["quote"])
    return unfolded(text, value) if value and meaning is Meaning.TOKEN else value


def _chinese_phrase(
    text: str, value: Value | None, start: int, meaning: Meaning
) -> Secret | None:
    if value and value.quoted:
        return (
            _secret(value.start, value.end, meaning)
            if is_chinese_phrase(value.text)
            else None
        )
    match = CHINESE.phrase.match(text, start)
    if not match or not is_chinese_phrase(phrase := match[0].rstrip(_PARTICLES)):
        return None
    end = start + len(phrase)
    behind = CHINESE.spelled_out.match(text, end)
    if behind and is_mixed(behind["value"]):
        end = behind.end()
    return _secret(start, end, meaning)


def _with_chinese_rest(text: str, secret: Secret) -> Secret:
    """Extend a word such as "fake" in "fake青城山": a pass phrase of two scripts."""
    word = text[secret.start : secret.end]
    if not word.isalpha() or len(word) > _LONGEST_FIRST_WORD:
        return secret
    match = CHINESE.phrase.match(text, secret.start)
    if match and is_chinese_phrase(match[0]):
        return Secret(secret.start, match.end(), secret.kind)
    return secret


def _beside(text: str, end: int, meaning: Meaning) -> Secret | None:
    match = CHINESE.blank.match(text, end)
    value = _value_of(text, match, meaning) if match else None
    if not value or is_counted_in_chinese(text, value) or is_numbered_word(value.text):
        return None
    if value.quoted and meaning is Meaning.PASSPHRASE and is_chinese_phrase(value.text):
        return _secret(value.start, value.end, meaning)
    if meaning is not Meaning.TOKEN and JUDGING.digits.fullmatch(value.text):
        meaning = Meaning.CODE
    return _accepted(value, meaning, Way.BESIDE)


def _pair_of_account(text: str, start: int, end: int) -> re.Match[str] | None:
    """Match what stands before the password where account and password come together."""
    if not CHINESE.account.search(text[max(0, start - _LOOK_BACK) : start]):
        return None
    return CHINESE.pair.match(text, end)


def _accepted(value: Value | None, meaning: Meaning, way: Way) -> Secret | None:
    if not value or is_crypto(value.text) or not is_secret(meaning, value.text, way):
        return None
    return _secret(value.start, value.end, meaning)


def _secret(start: int, end: int, meaning: Meaning) -> Secret:
    return Secret(start, end, KINDS[meaning])
