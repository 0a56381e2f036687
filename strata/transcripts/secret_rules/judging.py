"""Whether a value is secret, given what its name means and how the two stand together."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.names import Meaning
from strata.transcripts.secret_rules.values import (
    is_crypto,
    is_expression,
    is_hash,
    is_measure,
    is_mixed,
    is_ordinary_word,
    is_random,
    is_token,
    stands_for_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Way(Enum):
    """How a value stands by its name; the earlier, the surer."""

    SET = auto()
    """``NAME=value`` without blanks, or a value in quotes."""
    ASSIGNED = auto()
    """``name: value`` or ``name = value``."""
    SAID = auto()
    """The name is value."""
    BESIDE = auto()
    """The name, a blank, the value."""


KINDS = {
    Meaning.PASSWORD: "secret:password",
    Meaning.PASSPHRASE: "secret:password",
    Meaning.TOKEN: "secret:token",
    Meaning.KEY: "secret:key",
    Meaning.CODE: "secret:passcode",
}
"""What placeholder a name asks for."""

DIGITS = re.compile(r"[*#]?[0-9][0-9*#-]{2,10}[0-9]?[*#]?")
"""Matches a code of digits as it is typed at a door: ``4821#``, ``18-22-36``."""
_CAPITALS_ONLY = re.compile(r"[A-Z][A-Z_]+")
FUNCTION_WORDS = frozenset(
    """
    a an and any are as at be by can could did do does for from had has have how i
    if in is it its may must never no not of on only or our please should so that
    the their then there they this to too up use using want was we were what when
    where which will with would you your must's don't isn't can't won't
    """.split()  # noqa: SIM905 - a list of words is read as words
)
_PUNCTUATION = ".,;:!?()'"
_FEWEST_LETTERS_OF_TOKEN = 16
# A sentence that long has a function word.
_WORDS_OF_SENTENCE = 4
_CHECKSUM_LENGTH, _SHORTEST_DIGITS = 32, 6


def is_secret(meaning: Meaning, value: str, way: Way) -> bool:
    """Say whether *value* is secret where its name has *meaning* and stands by in *way*."""
    if stands_for_value(value) or (way is Way.BESIDE and "=" in value.rstrip("=")):
        return False
    judge = _JUDGES.get(meaning)
    return judge is not None and judge(value, way)


def is_phrase(words: list[str], meaning: Meaning) -> bool:
    """Say whether *words* are a pass phrase and not a sentence about one."""
    if not FUNCTION_WORDS.isdisjoint(words):
        return False
    ordinary = sum(map(is_ordinary_word, words))
    if len(words) < _WORDS_OF_SENTENCE:
        return meaning is Meaning.PASSPHRASE and not ordinary
    # "Correct horse battery staple" has one that is ordinary elsewhere.
    most = len(words) // 2 if meaning is Meaning.PASSPHRASE else 1
    return ordinary <= most


def _is_password(value: str, way: Way) -> bool:
    if " " in value:
        return _is_quoted_password(value)
    if is_ordinary_word(value) or is_crypto(value) or _is_short_number(value):
        return False
    match way:
        case Way.SET:
            return True
        case Way.ASSIGNED:
            return not is_expression(value)
        case Way.SAID:
            dated = is_measure(value) and not value.isdigit()
            return not dated and not is_expression(value)
        case Way.BESIDE:
            checksum = is_hash(value) and len(value) >= _CHECKSUM_LENGTH
            digits = value.isdigit() and len(value) >= _SHORTEST_DIGITS
            return (is_mixed(value) or digits) and not checksum


def _is_quoted_password(value: str) -> bool:
    if any(is_mixed(word.strip(_PUNCTUATION)) for word in value.split()):
        return True
    words = value.lower().split()
    return is_phrase(words, Meaning.PASSPHRASE) or (
        FUNCTION_WORDS.isdisjoint(words) and is_mixed(value)
    )


def _is_short_number(value: str) -> bool:
    return value.rstrip("+%").isdigit() and len(value) < 4  # noqa: PLR2004 - the shortest PIN


def _is_token(value: str, way: Way) -> bool:
    if way is Way.BESIDE:
        return is_random(value, 16) or (is_token(value, 32) and " " not in value)
    if is_expression(value) or " " in value:
        return False
    letters = value.isalpha() and len(value) >= _FEWEST_LETTERS_OF_TOKEN
    return is_token(value) or (
        letters and way is Way.SET and not is_ordinary_word(value)
    )


def _is_code(value: str, way: Way) -> bool:
    if DIGITS.fullmatch(value):
        return True
    return way is not Way.BESIDE and is_mixed(value, 4) and not is_measure(value)


def _is_random(value: str, way: Way) -> bool:
    return is_random(value, 24 if way is Way.BESIDE else 20)


def is_metavariable(value: str) -> bool:
    """Say whether *value* is what a manual writes for a value, as in ``--token TOKEN``."""
    return _CAPITALS_ONLY.fullmatch(value) is not None


_JUDGES: dict[Meaning, Callable[[str, Way], bool]] = {
    Meaning.PASSWORD: _is_password,
    Meaning.PASSPHRASE: _is_password,
    Meaning.TOKEN: _is_token,
    Meaning.KEY: _is_random,
    Meaning.CODE: _is_code,
}
