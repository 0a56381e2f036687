"""Whether a value can be a secret, or only stands for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.transcripts.redaction.tables import Patterns, phrases, words

if TYPE_CHECKING:
    import re

VALUES = Patterns("told", "values")
ORDINARY_WORDS = words("told", "ordinary_words")

ORDINARY_ENDINGS = phrases("told", "ordinary_endings")

STAND_INS = words("told", "stand_ins")


_LONGEST_COUNTER = 3


def stands_for_value(value: str) -> bool:
    """Say whether *value* is empty, a placeholder, a variable or a reference."""
    lowered = value.lower()
    return (
        not value
        or lowered in STAND_INS
        or is_a("no_value", value)
        or VALUES.reference.match(lowered) is not None
    )


def is_a(form: str, value: str) -> bool:
    """Say whether *value* has this *form* of ``[values]``: a measure, a part, a hash."""
    pattern: re.Pattern[str] = getattr(VALUES, form)
    return pattern.fullmatch(value) is not None


def is_ordinary_word(value: str) -> bool:
    """Say whether *value* is a word that people put after "the password is"."""
    lowered = value.lower().strip("'\"*_.,;:!?-")
    if lowered in ORDINARY_WORDS:
        return True
    return lowered.replace("-", "").replace("'", "").isalpha() and (
        lowered.endswith(ORDINARY_ENDINGS)
        or lowered.partition("-")[0] in ORDINARY_WORDS
    )


def is_hash(value: str) -> bool:
    """Say whether *value* is a checksum, a commit or a UUID."""
    return is_a("hash", value) or is_a("uuid", value)


def is_mixed(value: str, shortest: int = 6) -> bool:
    """Say whether *value* mixes letters with digits or signs as made-up passwords do."""
    if len(value) < shortest or stands_for_value(value) or is_a("expression", value):
        return False
    if is_a("measure", value) or is_a("crypto", value):
        return False
    if is_a("file", value) or is_a("address", value):
        return False
    letters = any(sign.isalpha() for sign in value)
    digits = any(sign.isdigit() for sign in value)
    signs = any(sign in "!@#$%^&*+=~?" for sign in value[1:].rstrip("="))
    return letters and (digits or signs)


def is_token(value: str, shortest: int = 8) -> bool:
    """
    Say whether *value* is what a machine would make as a key.

    Words joined by hyphens, as in ``github-token-2``, are names of secrets.
    """
    if not is_mixed(value, shortest) or not value.isascii():
        return False
    parts = VALUES.split.split(value)
    named = all(
        part.isalpha() or (part.isdigit() and len(part) <= _LONGEST_COUNTER) or not part
        for part in parts
    )
    return not named and any(sign.isdigit() for sign in value)


def is_random(value: str, shortest: int = 20) -> bool:
    """Say whether *value* looks drawn from capitals, small letters and digits alike."""
    return (
        is_token(value, shortest)
        and not is_hash(value)
        and any(sign.isupper() for sign in value)
        and any(sign.islower() for sign in value)
        and len(set(value)) * 5 >= min(len(value), 60) * 2
        and "/" not in value.strip("/")[:3]
    )
