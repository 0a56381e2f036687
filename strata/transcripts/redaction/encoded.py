"""Secrets in armour or in another alphabet: private keys, base64, hexadecimal."""

from __future__ import annotations

import binascii
import re
import string
from collections import deque
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns
from strata.transcripts.redaction.values import end_of_folds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.redaction.view import View

ARMOUR = Patterns("formats", "armour")
ENCODED = Patterns("formats", "encoded")
_FOLD = r"[\s\"'+\\>|*#]"
_DASHES, _LONGEST_DASHES = "- \t\r\n", 12
_SHORTEST_KEY, _LONGEST_KEY = 16, 40_000

_LONGEST_ROW = 400
_MOST_ROWS = 400


def private_keys(view: View) -> Iterator[Secret]:
    """Yield the private keys in *view*, armour included."""
    if "BEGIN" in view.text:
        yield from _armoured(view.text)
    if "Private-Lines:" in view.text:
        for match in ARMOUR.putty.finditer(view.text):
            end = _end_of_rows(view.text, match.end() - 1)
            yield Secret(match.end(), max(end, match.end() + 1), "secret:private-key")


def _armoured(text: str) -> Iterator[Secret]:
    headers = [
        match for match in ARMOUR.header.finditer(text) if _is_private(match["label"])
    ]
    footers = (
        deque(match.span() for match in ARMOUR.footer.finditer(text))
        if headers
        else deque()
    )
    done = 0
    for header in headers:
        before = text[max(0, header.start() - _LONGEST_DASHES) : header.start()]
        dashes = before[len(before.rstrip(_DASHES)) :].lstrip(_DASHES[1:])
        start = header.start() - len(dashes)
        if start < done:
            continue
        while footers and footers[0][0] < header.end():
            footers.popleft()
        done = _end_of_key(text, header.end(), footers)
        # Documentation names the armour without a key in it.
        if len(re.sub(_FOLD, "", text[header.end() : done])) >= _SHORTEST_KEY:
            yield Secret(start, done, "secret:private-key")


def _is_private(label: str) -> bool:
    return "PRIVATEKEY" in re.sub(_FOLD, "", label)


def _end_of_key(text: str, start: int, footers: deque[tuple[int, int]]) -> int:
    if footers and footers[0][0] - start < _LONGEST_KEY:
        end = footers[0][1]
        inside = re.sub(_FOLD, "", text[start : footers[0][0]])
        return end if len(inside) >= _SHORTEST_KEY else start
    return _end_of_rows(text, start)


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


_LONGEST_PADDED = 2_000
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
