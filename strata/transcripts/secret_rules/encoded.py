"""Secrets that were encoded: base64 or hexadecimal text that says something secret."""

from __future__ import annotations

import binascii
import re
import string
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.vendor_keys import long_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.secret_rules.view import View

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_LOGIN = re.compile(
    r"(?:\bbasic[ \t]{1,4}|\"auth\"\s{0,4}[:=]\s{0,4}\")(?P<value>[a-z0-9+/_-]{8,400}={0,2})"
)
_HEXADECIMAL = frozenset(string.hexdigits)
_LONGEST_ENCODED = 20_000
_PROBE = 16
_URL_ALPHABET = str.maketrans("-_", "+/")


def encoded_secrets(view: View, is_secret: Callable[[str], bool]) -> Iterator[Secret]:
    """Yield the encoded stretches of *view* whose plain text *is_secret* recognises."""
    text, done = view.text, 0
    for start, _ in long_runs(text):
        if start < done:
            continue
        while start > done and text[start - 1] in "+/":
            start -= 1
        run = _BASE64.match(text, start)
        done = run.end() if run else start + 1
        if run and (plain := _decoded(run[0])) and is_secret(plain):
            yield Secret(*run.span(), "secret:encoded")
    if "basic" in view.lowered or '"auth"' in view.lowered:
        for match in _LOGIN.finditer(view.lowered):
            if ":" in _decoded(text[slice(*match.span("value"))]):
                yield Secret(*match.span("value"), "secret:password")


def _decoded(encoded: str) -> str:
    """Return the printable text that *encoded* spells, or nothing."""
    if len(encoded) > _LONGEST_ENCODED:
        return ""
    if _HEXADECIMAL.issuperset(encoded[:_PROBE]) and _HEXADECIMAL.issuperset(encoded):
        return _printable(bytes.fromhex(encoded[: len(encoded) // 2 * 2]))
    plain = encoded.rstrip("=").translate(_URL_ALPHABET)
    # One character too many cannot be base64; it was cut off somewhere.
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    # A glance at the beginning tells pictures, hashes and random keys from text.
    if not _printable(binascii.a2b_base64(plain[: min(_PROBE, len(plain) // 4 * 4)])):
        return ""
    return _printable(binascii.a2b_base64(plain + "=" * (-len(plain) % 4)))


def _printable(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        # A glance may end within a character.
        if error.start < len(raw) - 3:
            return ""
        text = raw[: error.start].decode()
    return text if text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable() else ""
