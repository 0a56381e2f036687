"""What the rows of the tables ask of a value, by name."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from strata.transcripts.redaction import numbers
from strata.transcripts.redaction.entering import turns_dial
from strata.transcripts.redaction.keys import decoded
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
    is_code,
    is_hash,
    is_mixed,
    is_ordinary_word,
    is_random,
    is_token,
    stands_for_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strata.transcripts.redaction.values import Value

    Judge = Callable[[str], bool]
    Test = Callable[[str, Value, int], bool]

ENGLISH = Patterns("told", "english")
CHINESE = Patterns("told", "chinese")
CHINESE_TALK = Patterns("told", "chinese_talk")
_SHORTEST = 6
_FEWEST_DIGITS, _FEWEST_SIGNS = 5, 7
_NAME_OF_COOKIE = re.compile(r"[\w.%-]{1,80}(?==\Z)")


def passes(
    text: str, value: Value, at: int, needs: Sequence[str], unless: Sequence[str]
) -> bool:
    """
    Say whether *value* in *text* has one of *needs*, if any, and none of *unless*.

    What announces it begins *at*.
    """
    if needs and not any(TESTS[test](text, value, at) for test in needs):
        return False
    return not any(TESTS[test](text, value, at) for test in unless)


def is_chinese_phrase(phrase: str) -> bool:
    """Say whether *phrase* is what somebody says at a door, not a remark about it."""
    return (
        len(phrase) > 1
        and CHINESE_TALK.chinese.search(phrase) is not None
        and not CHINESE_TALK.talks_at_start.match(phrase)
        and not CHINESE_TALK.talks_inside.search(phrase)
        and not CHINESE_TALK.talks_at_end.search(phrase)
    )


def _is_password(way: Way, value: str) -> bool:
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


def _is_cookie(text: str, value: Value, _: int) -> bool:
    name = _NAME_OF_COOKIE.search(text[max(0, value.start - 81) : value.start])
    named = name and meaning_of(name[0]) is not Meaning.NOTHING
    random = is_random(value.text, 24) and not is_hash(value.text)
    return random or bool(named and is_token(value.text))


def _is_identity(value: str) -> bool:
    signs = numbers.signs_of(value)
    many = sum(map(str.isdigit, signs)) >= _FEWEST_DIGITS
    return many and len(signs) >= _FEWEST_SIGNS and not is_a("date", value)


def _is_counted(text: str, value: Value, _: int) -> bool:
    """Say whether a unit makes *value* a number of things."""
    digits = value.text.rstrip("+").isdigit()
    return digits and ENGLISH.unit.match(text, value.end) is not None


def _is_counted_in_chinese(text: str, value: Value, _: int) -> bool:
    digit = value.text[:1].isdigit()
    return digit and CHINESE.unit.match(text, value.end) is not None


def _of_value(judge: Judge) -> Test:
    return lambda _, value, __: judge(value.text)


def _of_number(judge: Judge) -> Test:
    return lambda _, value, __: judge(numbers.signs_of(value.text))


_OF_VALUES: dict[str, Judge] = {
    **{form: partial(is_a, form) for form in rows("told", "values")},
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
    "password beside": partial(_is_password, Way.BESIDE),
    "password said": partial(_is_password, Way.SAID),
    "stand-in": stands_for_value,
}
_OF_NUMBERS: dict[str, Judge] = {
    **{kind: partial(numbers.adds_up, kind) for kind in rows("personal", "sums")},
    "canadian": numbers.is_canadian,
    "french": numbers.is_french,
    "iban": numbers.is_bank_account,
    "indian": numbers.is_indian,
}
TESTS: dict[str, Test] = {
    **{name: _of_value(judge) for name, judge in _OF_VALUES.items()},
    **{name: _of_number(judge) for name, judge in _OF_NUMBERS.items()},
    "card here": numbers.is_card_here,
    "citizen here": numbers.is_citizen,
    "code": lambda text, value, at: is_code(text, at, value, loose=True),
    "cookie": _is_cookie,
    "counted": _is_counted,
    "counted in Chinese": _is_counted_in_chinese,
    "dial": lambda text, value, _: turns_dial(text, value.start, value.end),
    "joined": numbers.is_joined,
    "ordinary number": numbers.is_ordinary,
    "quoted": lambda _, value, __: value.quoted,
    "talk of a phrase": lambda text, *_: speaks_of_phrase(text),
}
"""What a row may ask, by name."""
