"""Secrets that were encoded: base64 or hexadecimal text that says something secret."""

from __future__ import annotations

import binascii
import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.reading import end_of_folds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.secret_rules.view import View

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
# "Basic" of an HTTP header, "auth" of Docker's settings, and what follows them.
_LOGIN_NAMES = (re.compile("basic"), re.compile('"auth"'))
_LOGIN = re.compile(
    r"""[ \t]{0,4}[:=]?\s{0,4}["']?(?P<value>[A-Za-z0-9+/_-]{8,400}={0,2})"""
)
_BETWEEN_LINES = re.compile(r"[\s\\+\"'`>|]*\n[\s\"'`>|]*")
_PADDING = re.compile("=(?<=[A-Za-z0-9+/]{15}=)=?(?![A-Za-z0-9=])")
_PADDED = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{15,}={1,2}\Z")
_LONGEST_PADDED = 2_000
_HEX = re.compile(r"[0-9a-f]{16}")
_HEXADECIMAL = frozenset(string.hexdigits)
_LONGEST_ENCODED = 20_000
_PROBE, _LONGEST_LEAD = 16, 200
_ALPHABET = string.ascii_letters + string.digits + "+/_-"
_URL_ALPHABET = str.maketrans("-_", "+/")


def encoded_secrets(view: View, is_secret: Callable[[str], bool]) -> Iterator[Secret]:
    """Yield the encoded stretches of *view* whose plain text *is_secret* recognises."""
    done = 0
    for run_start, run_end in view.runs:
        if run_start < done or _is_name(view.text[run_start:run_end]):
            continue
        before = view.text[max(done, run_start - _LONGEST_LEAD) : run_start]
        start = run_start - len(before) + len(before.rstrip(_ALPHABET))
        run = _BASE64.match(view.text, start)
        done = end_of_folds(view.text, run.end()) if run else run_end
        plain = _decoded(_BETWEEN_LINES.sub("", view.text[start:done]))
        if plain and is_secret(plain):
            yield Secret(start, done, "secret:encoded")
    yield from _padded(view, is_secret)
    yield from _logins(view)


def _padded(view: View, is_secret: Callable[[str], bool]) -> Iterator[Secret]:
    """Look into what ends as base64 does, where a plus or a slash cuts it into runs."""
    for end in _PADDING.finditer(view.text):
        first = max(0, end.end() - _LONGEST_PADDED)
        match = _PADDED.search(view.text, first, end.end())
        cut = match and ("+" in match[0] or "/" in match[0])
        plain = _decoded(match[0]) if match and cut else ""
        if match and plain and is_secret(plain):
            yield Secret(*match.span(), "secret:encoded")


def _is_name(run: str) -> bool:
    # Names in small letters are common, text in base64 without a capital is not.
    return run.islower() and not _HEX.match(run)


def _logins(view: View) -> Iterator[Secret]:
    for name in _LOGIN_NAMES:
        for called in name.finditer(view.lowered):
            match = _LOGIN.match(view.text, called.end())
            if match and ":" in _decoded(match["value"]):
                yield Secret(*match.span("value"), "secret:password")


def _decoded(encoded: str) -> str:
    """Return the printable text that *encoded* spells, or nothing."""
    if len(encoded) > _LONGEST_ENCODED:
        return ""
    if _HEXADECIMAL.issuperset(encoded[:_PROBE]) and _HEXADECIMAL.issuperset(encoded):
        return _printable(bytes.fromhex(encoded[: len(encoded) // 2 * 2]))
    try:
        return _from_base64(encoded.rstrip("=").translate(_URL_ALPHABET))
    except binascii.Error:
        return ""


def _from_base64(plain: str) -> str:
    # One character too many cannot be base64; it was cut off somewhere.
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    # A glance at the beginning tells pictures, hashes and random keys from text.
    glance = binascii.a2b_base64(plain[: min(_PROBE, len(plain) // 4 * 4)])
    if not (glance.isascii() or _printable(glance)):
        return ""
    return _printable(binascii.a2b_base64(plain + "=" * (-len(plain) % 4)))


def _printable(raw: bytes) -> str:
    text = raw.decode(errors="ignore")
    if len(text.encode()) < len(raw) - 3:
        return ""
    return (
        text
        if text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable()
        else ""
    )
