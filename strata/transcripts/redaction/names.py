"""What the name of a setting, a header or a field says about its value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.transcripts.redaction.tables import Patterns, phrases, words
from strata.transcripts.redaction.values import (
    is_a,
    is_hash,
    is_mixed,
    is_ordinary_word,
    is_random,
    is_token,
    stands_for_value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = Patterns("told", "names")
# What a code is for, if it opens something, and whose key it is, if it is a secret one.
_CODE_OWNERS, _KEY_OWNERS = words("told", "code_owners"), words("told", "key_owners")
# What stands before the key of a table, a cache or a dictionary.
_KEY_STRANGERS = words("told", "key_strangers")
# What a name ends in that only speaks about a secret, or that does not change its meaning.
_ENDINGS_OF_ORDINARY_NAMES = words("told", "endings_of_ordinary_names")
_QUALIFIERS_AT_END = words("told", "qualifiers_at_end")
_PASSWORDS = phrases("told", "passwords")
_SHORT_PASSWORDS = words("told", "short_passwords")
_PASSPHRASES = phrases("told", "passphrases")
_TOKENS = phrases("told", "tokens")
_SHORT_TOKENS = words("told", "short_tokens")
_NETWORKS = words("told", "networks")
_CODES = phrases("told", "codes")
_SESSION_NAMES = words("told", "session_names")
FUNCTION_WORDS = words("told", "function_words")
_PUNCTUATION = ".,;:!?()'"
_FEWEST_LETTERS_OF_TOKEN = 16
# A sentence that long has a function word.
_WORDS_OF_SENTENCE = 4
_CHECKSUM_LENGTH, _SHORTEST_DIGITS = 32, 6


class Meaning(Enum):
    """How sure a name makes us that its value is secret."""

    NOTHING = auto()
    PASSWORD = auto()
    """Whatever a person chose, even one plain word."""
    PASSPHRASE = auto()
    """The same, and it may be several words."""
    TOKEN = auto()
    """Made by a machine: letters and digits, eight or more."""
    KEY = auto()
    """Perhaps a key, perhaps the key of a dictionary: only what looks random counts."""
    CODE = auto()
    """A few digits, or what a password would be."""


@dataclass(frozen=True, slots=True)
class Name:
    """The name *word* at *start* to *end* of a text, and what it says about its value."""

    start: int
    end: int
    word: str
    meaning: Meaning


@lru_cache(maxsize=4096)
def meaning_of(name: str) -> Meaning:
    """Say what *name*, as in ``SLACK_BOT_TOKEN`` or ``"apiKey"``, says about its value."""
    if NAMES.payment_names.fullmatch(name) or NAMES.login_cookies.fullmatch(name):
        return Meaning.TOKEN
    if name.lower() in _SESSION_NAMES:
        return Meaning.KEY
    words = _words(name)
    if not words or words[-1] in _ENDINGS_OF_ORDINARY_NAMES:
        hashed = words[-1:] == ["hash"] and "password" in words
        return Meaning.PASSWORD if hashed else Meaning.NOTHING
    meaning = _meaning_of_words(words)
    # DATADOG_KEY in capitals is a setting; "the Datadog key" may be anything.
    setting = meaning is Meaning.KEY and name.isupper() and "_" in name
    return Meaning.TOKEN if setting else meaning


def _words(name: str) -> list[str]:
    words = [word.lower() for word in NAMES.word.findall(name)]
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _QUALIFIERS_AT_END):
        words.pop()
    return words


def _meaning_of_words(words: list[str]) -> Meaning:
    if words[-1] in _SHORT_PASSWORDS:
        return Meaning.PASSWORD
    for at in range(len(words) - 1, -1, -1):
        meaning = _meaning_of_word(words[at], words[:at])
        if meaning is not Meaning.NOTHING or words[at] == "key":
            return meaning
    return Meaning.NOTHING


def _meaning_of_word(word: str, before: list[str]) -> Meaning:
    if word.endswith(_PASSWORDS):
        return Meaning.PASSWORD
    if word.endswith(_PASSPHRASES) or (word == "phrase" and before[-1:] == ["pass"]):
        return Meaning.PASSPHRASE
    if word.endswith(_TOKENS) or word in _SHORT_TOKENS:
        return Meaning.TOKEN
    if word in {"key", "keys"}:
        return _meaning_of_key(before)
    code = word in {"code", "codes"} and not _CODE_OWNERS.isdisjoint(before)
    return Meaning.CODE if code or word in _CODES else Meaning.NOTHING


def _meaning_of_key(before: list[str]) -> Meaning:
    if not _KEY_STRANGERS.isdisjoint(before[-1:]):
        return Meaning.NOTHING
    if not _NETWORKS.isdisjoint(before):
        return Meaning.PASSWORD
    return Meaning.TOKEN if not _KEY_OWNERS.isdisjoint(before) else Meaning.KEY


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
    short = value.rstrip("+%").isdigit() and len(value) < 4  # noqa: PLR2004 - the shortest PIN
    if is_ordinary_word(value) or is_a("crypto", value) or short:
        return False
    if way is Way.BESIDE:
        checksum = is_hash(value) and len(value) >= _CHECKSUM_LENGTH
        digits = value.isdigit() and len(value) >= _SHORTEST_DIGITS
        return (is_mixed(value) or digits) and not checksum
    dated = way is Way.SAID and is_a("measure", value) and not value.isdigit()
    return way is Way.SET or not (dated or is_a("expression", value))


def _is_quoted_password(value: str) -> bool:
    if any(is_mixed(word.strip(_PUNCTUATION)) for word in value.split()):
        return True
    words = value.lower().split()
    return is_phrase(words, Meaning.PASSPHRASE) or (
        FUNCTION_WORDS.isdisjoint(words) and is_mixed(value)
    )


def _is_token(value: str, way: Way) -> bool:
    if way is Way.BESIDE:
        return is_random(value, 16) or (is_token(value, 32) and " " not in value)
    if is_a("expression", value) or " " in value:
        return False
    letters = value.isalpha() and len(value) >= _FEWEST_LETTERS_OF_TOKEN
    return is_token(value) or (
        letters and way is Way.SET and not is_ordinary_word(value)
    )


def _is_code(value: str, way: Way) -> bool:
    mixed = is_mixed(value, 4) and not is_a("measure", value)
    return is_a("code_digits", value) or (way is not Way.BESIDE and mixed)


def _is_random(value: str, way: Way) -> bool:
    return is_random(value, 24 if way is Way.BESIDE else 20)


_JUDGES: dict[Meaning, Callable[[str, Way], bool]] = {
    Meaning.PASSWORD: _is_password,
    Meaning.PASSPHRASE: _is_password,
    Meaning.TOKEN: _is_token,
    Meaning.KEY: _is_random,
    Meaning.CODE: _is_code,
}
