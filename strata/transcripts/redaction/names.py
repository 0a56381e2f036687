"""What the name of a setting, a header or a field says about its value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from strata.transcripts.redaction.tables import Patterns, words
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
    import re

NAMES = Patterns("told", "names")
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

    @property
    def kind(self) -> str:
        """What placeholder such a name asks for."""
        return f"secret:{_KINDS.get(self, self.name.lower())}"


_KINDS = {Meaning.PASSPHRASE: "password", Meaning.CODE: "passcode"}
CHOSEN = {Meaning.PASSWORD, Meaning.PASSPHRASE}
MADE = {Meaning.TOKEN, Meaning.KEY}


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
    if whole := NAMES.whole.fullmatch(name):
        return meant_by(whole)
    # The last word that says something decides, so they are read from there.
    words = "".join(f"{word.lower()} " for word in NAMES.word.findall(name)[::-1])
    found = NAMES.meaning.search(NAMES.qualifiers.sub("", words))
    meaning = meant_by(found) if found else Meaning.NOTHING
    # DATADOG_KEY in capitals is a setting; "the Datadog key" may be anything.
    setting = meaning is Meaning.KEY and name.isupper() and "_" in name
    return Meaning.TOKEN if setting else meaning


def meant_by(found: re.Match[str]) -> Meaning:
    """Return what the group of *found* that matched is named after."""
    return Meaning[str(found.lastgroup).upper()]


def is_secret(meaning: Meaning, value: str, way: Way) -> bool:
    """Say whether *value* is secret where its name has *meaning* and stands by in *way*."""
    beside = way is Way.BESIDE
    if stands_for_value(value) or (beside and "=" in value.rstrip("=")):
        return False
    if meaning in CHOSEN:
        return _is_password(value, way)
    if meaning is Meaning.TOKEN:
        return _is_token(value, way)
    if meaning is Meaning.KEY:
        return is_random(value, 24 if beside else 20)
    mixed = is_mixed(value, 4) and not is_a("measure", value)
    code = is_a("code_digits", value) or (not beside and mixed)
    return meaning is Meaning.CODE and code


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
