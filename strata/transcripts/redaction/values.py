"""Where a value begins and ends, and whether it can be a secret or only stands for one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from strata.transcripts.redaction.tables import Patterns, phrases, words
from strata.transcripts.redaction.view import PLACEHOLDER

READING = Patterns("told", "reading")
VALUES = Patterns("told", "values")
ORDINARY_WORDS = words("told", "ordinary_words")
_ORDINARY_ENDINGS = phrases("told", "ordinary_endings")
_STAND_INS = words("told", "stand_ins")
_CLOSING = dict(zip("“”‘’「『《【", "””’’」』》】", strict=True))
_OPENING = {")": "(", "]": "[", "}": "{"}
_QUOTED_LENGTH, _MOST_FOLDS, _SHORTEST_REST = 400, 40, 8
_LONGEST_COUNTER, _LONGEST_LINE = 3, 200


@dataclass(frozen=True, slots=True)
class Value:
    """A value at *start* to *end* of the text; *quoted* if quotes mark both ends."""

    text: str
    start: int
    end: int
    quoted: bool = False


def read_value(text: str, start: int, quote: str | None) -> Value | None:
    """Read the value that begins at *start*, after the opening *quote* if there is one."""
    if quote:
        closing = _CLOSING.get(quote, quote)
        end = text.find(closing, start, start + _QUOTED_LENGTH)
        inside = text[start:end]
        if end > start and "\n" not in inside and PLACEHOLDER not in inside:
            return Value(inside, start, end, quoted=True)
    start += text.startswith("(", start)
    if code := READING.split_code.match(text, start):
        return Value(code[0].replace(" ", ""), *code.span())
    match = READING.bare.match(text, start)
    value = _without_neighbours(match[0]) if match else ""
    return Value(value, start, start + len(value)) if value else None


def _without_neighbours(value: str) -> str:
    if cut := READING.next_pair.search(value):
        value = value[: cut.start()]
    # A call or an index keeps its brackets, so that it can be told from a value.
    while value and value[-1] in ".,;:)]}'\"*_?!|\\":
        last = value[-1]
        if last in _OPENING and value.count(_OPENING[last]) >= value.count(last):
            break
        if last in "!_*?" and len(value) > 1 and value[-2].isalnum():
            break
        value = value[:-1]
    return value


def unfolded(text: str, value: Value) -> Value:
    """Return *value* with what a line break cut off, if it was cut."""
    end = end_of_folds(text, value.end)
    if end == value.end:
        return value
    joined = re.sub(r"[\s\\+\"'`>|]", "", text[value.start : end])
    return Value(joined, value.start, end, value.quoted)


def end_of_folds(text: str, end: int) -> int:
    """
    Say where a key that stops at *end* goes on to, over the following lines.

    The next line must begin with what looks drawn at random, or a sign of continuation
    must stand at the end of this one.
    """
    for _ in range(_MOST_FOLDS):
        match = READING.fold.match(text, end)
        if not match or not (match["mark"] or _looks_random(match["rest"])):
            break
        end = match.end("rest")
    return end


def _looks_random(rest: str) -> bool:
    if len(rest) < _SHORTEST_REST or READING.path_or_pair.search(rest):
        return False
    digits = sum(map(str.isdigit, rest))
    small, capital = sum(map(str.islower, rest)), sum(map(str.isupper, rest))
    if not digits:
        return capital * 3 >= len(rest) <= small * 4
    return bool(small and capital) or (
        bool(small or capital) and digits * 5 > len(rest)
    )


def is_a(form: str, value: str) -> bool:
    """Say whether *value* has this *form* of ``[values]``: a measure, a part, a hash."""
    pattern: re.Pattern[str] = getattr(VALUES, form)
    return pattern.fullmatch(value) is not None


def stands_for_value(value: str) -> bool:
    """Say whether *value* is empty, a placeholder, a variable or a reference."""
    lowered = value.lower()
    return (
        not value
        or lowered in _STAND_INS
        or is_a("no_value", value)
        or VALUES.reference.match(lowered) is not None
    )


def is_ordinary_word(value: str) -> bool:
    """Say whether *value* is a word that people put after "the password is"."""
    lowered = value.lower().strip("'\"*_.,;:!?-")
    if lowered in ORDINARY_WORDS:
        return True
    return lowered.replace("-", "").replace("'", "").isalpha() and (
        lowered.endswith(_ORDINARY_ENDINGS)
        or lowered.partition("-")[0] in ORDINARY_WORDS
    )


def is_hash(value: str) -> bool:
    """Say whether *value* is a checksum, a commit or a UUID."""
    return is_a("hash", value) or is_a("uuid", value)


def is_mixed(value: str, shortest: int = 6) -> bool:
    """Say whether *value* mixes letters with digits or signs as made-up passwords do."""
    if len(value) < shortest or stands_for_value(value) or is_a("other", value):
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


def is_code(text: str, start: int, value: Value, *, loose: bool) -> bool:
    """
    Say whether *value* is a variable or a type in a line of code.

    *start* is where its name begins; *loose* says that blanks stand before the sign.
    """
    if VALUES.type_name.fullmatch(value.text):
        return True
    if not is_a("identifier", value.text) or any(sign.isdigit() for sign in value.text):
        return False
    line = text[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]
    if loose and line.endswith(", "):
        return True
    after = text[value.end : value.end + 1]
    if after in {")", ",", "}"} and ("(" in line or "{" in line):
        return True
    return loose and (after in {";", ".", "["} or "_" in value.text)
