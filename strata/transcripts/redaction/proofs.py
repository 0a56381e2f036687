"""What the rules of the tables ask of a value, by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from strata.transcripts.redaction import checksums
from strata.transcripts.redaction.assigned import is_code
from strata.transcripts.redaction.encoded import decoded
from strata.transcripts.redaction.locks import turns_dial
from strata.transcripts.redaction.names import (
    FUNCTION_WORDS,
    Meaning,
    Way,
    is_secret,
    meaning_of,
)
from strata.transcripts.redaction.recovery import speaks_of_phrase
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import (
    ORDINARY_WORDS,
    is_a,
    is_hash,
    is_mixed,
    is_ordinary_word,
    is_random,
    is_token,
    stands_for_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.transcripts.redaction.reading import Value

ENGLISH = Patterns("told", "english")
CHINESE = Patterns("told", "chinese")
CHINESE_TALK = Patterns("told", "chinese_talk")
_SHORTEST = 6
_SEPARATORS = re.compile(r"[ \t.()/-]")
_FEWEST_DIGITS, _FEWEST_SIGNS = 5, 7
_NAME_OF_COOKIE = re.compile(r"[\w.%-]{1,80}(?==\Z)")


def is_chinese_phrase(phrase: str) -> bool:
    """Say whether *phrase* is what somebody says at a door, not a remark about it."""
    return (
        len(phrase) > 1
        and CHINESE_TALK.chinese.search(phrase) is not None
        and not CHINESE_TALK.talks_at_start.match(phrase)
        and not CHINESE_TALK.talks_inside.search(phrase)
        and not CHINESE_TALK.talks_at_end.search(phrase)
    )


def _is_counted(text: str, value: Value) -> bool:
    """Say whether an English unit makes *value* a number of things."""
    digits = value.text.rstrip("+").isdigit()
    return digits and ENGLISH.unit.match(text, value.end) is not None


def _is_counted_in_chinese(text: str, value: Value) -> bool:
    digit = value.text[:1].isdigit()
    return digit and CHINESE.unit.match(text, value.end) is not None


def _is_password(value: str, way: Way) -> bool:
    return len(value) >= _SHORTEST and is_secret(Meaning.PASSWORD, value, way)


def _is_answer(value: str) -> bool:
    words = value.split()
    if not FUNCTION_WORDS.isdisjoint(map(str.lower, words)):
        return False
    # How a word ends says nothing of a name: Wackelpudding.
    return all(
        word.lower() not in ORDINARY_WORDS
        if word.istitle()
        else not is_ordinary_word(word)
        for word in words
    )


def _is_cookie(text: str, value: Value) -> bool:
    name = _NAME_OF_COOKIE.search(text[max(0, value.start - 81) : value.start])
    named = name and meaning_of(name[0]) is not Meaning.NOTHING
    random = is_random(value.text, 24) and not is_hash(value.text)
    return random or bool(named and is_token(value.text))


def _is_identity(value: str) -> bool:
    signs = _SEPARATORS.sub("", value)
    many = sum(map(str.isdigit, signs)) >= _FEWEST_DIGITS
    return many and len(signs) >= _FEWEST_SIGNS and not is_a("date", value)


_OF_VALUES: dict[str, Callable[[str], bool]] = {
    "Chinese phrase": is_chinese_phrase,
    "answer": _is_answer,
    "digits": str.isdigit,
    "encoded login": lambda value: ":" in decoded(value),
    "four digits": lambda value: value.isdigit() and len(value) >= 4,  # noqa: PLR2004
    "hash": is_hash,
    "identity": _is_identity,
    "letters": str.isalpha,
    "long token": lambda value: is_token(value, 12),
    "mixed": is_mixed,
    "mixed, if short": lambda value: is_mixed(value, 4),
    "password beside": lambda value: _is_password(value, Way.BESIDE),
    "password said": lambda value: _is_password(value, Way.SAID),
    "stand-in": stands_for_value,
}
_IN_TEXT: dict[str, Callable[[str, Value, int], bool]] = {
    "code": lambda text, value, at: is_code(text, at, value, loose=True),
    "cookie": lambda text, value, _: _is_cookie(text, value),
    "counted": lambda text, value, _: _is_counted(text, value),
    "counted in Chinese": lambda text, value, _: _is_counted_in_chinese(text, value),
    "dial": lambda text, value, _: turns_dial(text, value.start, value.end),
    "quoted": lambda _, value, __: value.quoted,
    "talk of a phrase": lambda text, *_: speaks_of_phrase(text),
}
_OF_NUMBERS: dict[str, Callable[[str], bool]] = {
    "brazilian": checksums.is_brazilian,
    "canadian": checksums.is_canadian,
    "card_length": checksums.has_card_length,
    "french": checksums.is_french,
    "hong_kong": checksums.is_hong_kong,
    "iban": checksums.is_bank_account,
    "indian": checksums.is_indian,
}
_FORMS = frozenset(rows("told", "values"))
KNOWN = frozenset([*_FORMS, *_OF_VALUES, *_IN_TEXT, *_OF_NUMBERS])
"""The tests by name, besides the sums of `personal.toml`."""


def passes(
    text: str, value: Value, at: int, needs: Sequence[str], unless: Sequence[str]
) -> bool:
    """
    Say whether *value* in *text* has one of *needs*, if any, and none of *unless*.

    What announces it begins *at*.
    """
    if any(_holds(test, text, value, at) for test in unless):
        return False
    return not needs or any(_holds(test, text, value, at) for test in needs)


def _holds(test: str, text: str, value: Value, at: int) -> bool:
    if test in _IN_TEXT:
        return _IN_TEXT[test](text, value, at)
    if test in _OF_VALUES:
        return _OF_VALUES[test](value.text)
    if test in _FORMS:
        return is_a(test, value.text)
    number = _SEPARATORS.sub("", value.text).upper()
    if test in _OF_NUMBERS:
        return _OF_NUMBERS[test](number)
    return checksums.adds_up(test, number)
