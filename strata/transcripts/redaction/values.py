"""Whether a value can be a secret, or only stands for one."""

from __future__ import annotations

from strata.transcripts.redaction.tables import Patterns, phrases, words

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
        or VALUES.no_value.fullmatch(value) is not None
        or VALUES.reference.match(lowered) is not None
    )


def is_expression(value: str) -> bool:
    """Say whether *value* is program code that will yield a value."""
    return VALUES.expression.match(value) is not None


def is_identifier(value: str) -> bool:
    """Say whether *value* could be the name of a variable."""
    return VALUES.identifier.fullmatch(value) is not None


def is_ordinary_word(value: str) -> bool:
    """Say whether *value* is a word that people put after "the password is"."""
    lowered = value.lower().strip("'\"*_.,;:!?-")
    if lowered in ORDINARY_WORDS:
        return True
    return lowered.replace("-", "").replace("'", "").isalpha() and (
        lowered.endswith(ORDINARY_ENDINGS)
        or lowered.partition("-")[0] in ORDINARY_WORDS
    )


def is_measure(value: str) -> bool:
    """Say whether *value* is a number, an amount, a date or a version."""
    return VALUES.measure.fullmatch(value) is not None


def is_crypto(value: str) -> bool:
    """Say whether *value* is the name of an algorithm or an encoding."""
    return VALUES.crypto.fullmatch(value) is not None


def is_numbered_word(value: str) -> bool:
    """Say whether *value* is a word with a number, such as ``step2`` or ``PR-812``."""
    return VALUES.numbered_word.fullmatch(value) is not None


def is_part(value: str) -> bool:
    """Say whether *value* is written as a component is: ``ESP32-C3``, ``RTL8812AU``."""
    return VALUES.part.fullmatch(value) is not None


def is_hash(value: str) -> bool:
    """Say whether *value* is a checksum, a commit or a UUID."""
    return (VALUES.hash.fullmatch(value) or VALUES.uuid.fullmatch(value)) is not None


def is_mixed(value: str, shortest: int = 6) -> bool:
    """Say whether *value* mixes letters with digits or signs as made-up passwords do."""
    if len(value) < shortest or stands_for_value(value) or is_expression(value):
        return False
    if is_measure(value) or is_crypto(value):
        return False
    if VALUES.file.fullmatch(value) or VALUES.address.fullmatch(value):
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
