"""Values that a sign gives to a name: settings, JSON, YAML, headers, tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.transcripts.redaction.names import (
    KINDS,
    Meaning,
    Way,
    is_phrase,
    is_secret,
)
from strata.transcripts.redaction.reading import read_value, unfolded
from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns
from strata.transcripts.redaction.values import is_a, is_mixed

if TYPE_CHECKING:
    import re

    from strata.transcripts.redaction.names import Name
    from strata.transcripts.redaction.reading import Value

ASSIGNED = Patterns("told", "assigned")
_COMPARISONS = frozenset({"==", "===", "::"})
# "12 pass: 3 fail", "the key: …": words too common to trust a plain word after them.
COMMON_WORDS = frozenset({"pass", "auth", "wpa", "wpa2", "wpa3"})
_LONGEST_LINE = 200
_TYPE_WORDS = (
    "password",
    "secret",
    "token",
    "string",
    "field",
    "input",
    "value",
    "param",
    "key",
)


def assigned(text: str, name: Name) -> Secret | None:
    """Return the secret that *text* gives to *name* with a sign."""
    match = ASSIGNED.sign.match(text, name.end)
    if not match or text.endswith("://", 0, name.start):
        return None
    start, sign, quote = match.end(), match["sign"], match["quote"]
    if name.meaning is Meaning.TOKEN and (scheme := ASSIGNED.scheme.match(text, start)):
        start, quote = scheme.end(), quote or scheme["quote"]
    if sign != "|" and not quote and (phrase := phrase_at(text, start, name)):
        return phrase
    value = read_value(text, start, quote)
    if value and name.meaning in {Meaning.TOKEN, Meaning.KEY}:
        value = unfolded(text, value)
    if value and _fits(text, name, match, value):
        return Secret(value.start, value.end, KINDS[name.meaning])
    return None


def phrase_at(text: str, start: int, name: Name) -> Secret | None:
    """Return the pass phrase of plain words that begins at *start*."""
    if name.meaning not in {Meaning.PASSWORD, Meaning.PASSPHRASE}:
        return None
    words = ASSIGNED.phrase.match(text, start + text.startswith("(", start))
    if words and is_phrase(words[0].lower().split(), name.meaning):
        return Secret(*words.span(), KINDS[name.meaning])
    return None


def _fits(text: str, name: Name, match: re.Match[str], value: Value) -> bool:
    sign, newline = match["sign"], match["newline"]
    if not value.quoted and (
        sign in _COMPARISONS
        or is_a("expression", value.text)
        or is_code(text, name.start, value, loose=bool(match["space"]))
    ):
        return False
    number = sign == "|" and name.meaning is Meaning.CODE and value.text.isdigit()
    doubtful = newline or sign == "|" or name.word.lower() in COMMON_WORDS
    if doubtful and not (number or is_mixed(value.text)):
        return False
    if sign == "|" and value.text.isupper() and is_a("identifier", value.text):
        return False
    if newline and text[value.end : value.end + 1] in {":", "="}:
        return False
    tight = sign == "=" and not match["space"] and value.start == match.end("sign")
    way = Way.SET if value.quoted or tight else Way.ASSIGNED
    return is_secret(name.meaning, value.text, way)


def is_code(text: str, start: int, value: Value, *, loose: bool) -> bool:
    """
    Say whether *value* is a variable or a type in a line of code.

    *start* is where its name begins; *loose* says that blanks stand before the sign.
    """
    if value.text.isalpha() and any(word in value.text.lower() for word in _TYPE_WORDS):
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
