"""Secrets in armour or in another alphabet: private keys, base64, hexadecimal."""

from __future__ import annotations

import binascii
import string
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns
from strata.transcripts.redaction.values import end_of_folds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.redaction.view import View

ARMOUR = Patterns("formats", "armour")
ENCODED = Patterns("formats", "encoded")
_SHORTEST_KEY, _LONGEST_KEY = 16, 40_000
_LONGEST_ROW, _MOST_ROWS, _LONGEST_DASHES = 400, 400, 12
_LONGEST_PADDED = 2_000
_HEXADECIMAL = frozenset(string.hexdigits)
_LONGEST_ENCODED = 20_000
_PROBE, _LONGEST_LEAD = 16, 200
_LINES = str.maketrans("", "", "\n\r\t")
_ALPHABET = string.ascii_letters + string.digits + "+/_-"
_URL_ALPHABET = str.maketrans("-_", "+/")


def private_keys(view: View) -> Iterator[Secret]:
    """Yield the private keys in *view*, armour included."""
    text, done = view.text, 0
    for header in ARMOUR.header.finditer(text) if "BEGIN" in text else ():
        start = header.start()
        if dashes := ARMOUR.dashes.search(
            text[max(0, start - _LONGEST_DASHES) : start]
        ):
            start -= len(dashes[0])
        if start < done or "PRIVATEKEY" not in _unfolded(header["label"]):
            continue
        done = _end_of_key(text, header.end())
        # Documentation names the armour without a key in it.
        if len(_unfolded(text[header.end() : done])) >= _SHORTEST_KEY:
            yield Secret(start, done, "secret:private-key")
    for match in ARMOUR.putty.finditer(text) if "Private-Lines:" in text else ():
        end = _end_of_rows(text, match.end() - 1)
        yield Secret(match.end(), max(end, match.end() + 1), "secret:private-key")


def _unfolded(text: str) -> str:
    return ARMOUR.fold.sub("", text)


def _end_of_key(text: str, start: int) -> int:
    footer = ARMOUR.footer.search(text, start, start + _LONGEST_KEY)
    if not footer:
        return _end_of_rows(text, start)
    whole = len(_unfolded(text[start : footer.start()])) >= _SHORTEST_KEY
    return footer.end() if whole else start


def _end_of_rows(text: str, start: int) -> int:
    end, at = start, text.find("\n", start) + 1 or start
    for _ in range(_MOST_ROWS):
        row = text[at : at + _LONGEST_ROW].partition("\n")[0]
        if ARMOUR.row.search(row):
            end = at + len(row)
        elif not ARMOUR.header_row.match(row):
            break
        at += len(row) + 1
    last = ARMOUR.last_row.match(text, at) if start < end and at == end + 1 else None
    return last.end() if last else end


def encoded_secrets(view: View, is_secret: Callable[[str], bool]) -> Iterator[Secret]:
    """Yield the encoded stretches of *view* whose plain text *is_secret* recognises."""
    done = 0
    for run_start, run_end in view.runs:
        if run_start < done or _is_name(view.text[run_start:run_end]):
            continue
        before = view.text[max(done, run_start - _LONGEST_LEAD) : run_start]
        start = run_start - len(before) + len(before.rstrip(_ALPHABET))
        run = ENCODED.base64.match(view.text, start)
        done = end_of_folds(view.text, run.end()) if run else run_end
        plain = decoded(ENCODED.between_lines.sub("", view.text[start:done]))
        if plain and is_secret(plain):
            yield Secret(start, done, "secret:encoded")
    yield from _padded(view, is_secret)


def _padded(view: View, is_secret: Callable[[str], bool]) -> Iterator[Secret]:
    """Look into what ends as base64 does, where a plus or a slash cuts it into runs."""
    for end in ENCODED.padding.finditer(view.text):
        first = max(0, end.end() - _LONGEST_PADDED)
        match = ENCODED.padded.search(view.text, first, end.end())
        cut = match and ("+" in match[0] or "/" in match[0])
        plain = decoded(match[0]) if match and cut else ""
        if match and plain and is_secret(plain):
            yield Secret(*match.span(), "secret:encoded")


def _is_name(run: str) -> bool:
    # Names in small letters are common, text in base64 without a capital is not.
    return run.islower() and not ENCODED.hex.match(run)


def decoded(encoded: str) -> str:
    """Return the printable text that *encoded* spells, or nothing."""
    if len(encoded) > _LONGEST_ENCODED:
        return ""
    if _HEXADECIMAL.issuperset(encoded[:_PROBE]) and _HEXADECIMAL.issuperset(encoded):
        return _printable(bytes.fromhex(encoded[: len(encoded) // 2 * 2]))
    plain = encoded.rstrip("=").translate(_URL_ALPHABET)
    # One character too many cannot be base64; it was cut off somewhere.
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        # A glance at the beginning tells pictures, hashes and random keys from text.
        glance = binascii.a2b_base64(plain[: min(_PROBE, len(plain) // 4 * 4)])
        if not (glance.isascii() or _printable(glance)):
            return ""
        return _printable(binascii.a2b_base64(plain + "=" * (-len(plain) % 4)))
    except binascii.Error:
        return ""


def _printable(raw: bytes) -> str:
    text = raw.decode(errors="ignore")
    whole = len(text.encode()) >= len(raw) - 3
    return text if whole and text.translate(_LINES).isprintable() else ""
