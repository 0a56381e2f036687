"""Keys and tokens that are told by their own format: plain, folded, in armour, encoded."""

from __future__ import annotations

import binascii
import re
import string
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import Patterns, rows
from strata.transcripts.redaction.values import end_of_folds
from strata.transcripts.redaction.view import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from strata.transcripts.redaction.view import View

# Some formats have a part in front of the long one: "SG.", "8585841574:", "….atlasv1.".
_LEAD_CHARACTERS = 40

# A few made-up letters are enough to tell "ghp_xxxxxxxx" or "sk-your-key" from a key.
_MADE_UP = re.compile(
    r"(?i)x{5}|your|\.\.\.|\*\*\*|0{9}|1234567890?abcdef|placeholder|iosfodnn7"
)
_FEWEST_DIFFERENT = 6


_FORMATS = rows("formats", "keys")["formats"]


def vendor_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that known services make."""
    text, done = view.text, 0
    for run_start, run_end in view.runs:
        lead = _LEAD_CHARACTERS if text[run_start - 1 : run_start] in ".:/~" else 0
        first = max(done, run_start - lead)
        # A beginning such as that of a signed token ends with the dot behind the run.
        for beginning in _beginnings().finditer(text, first, run_end + 1):
            key = _keys().match(text, beginning.start())
            if beginning.start() < done or not key:
                continue
            body = text[beginning.end() : key.end()]
            if not _is_made_up(body if len(body) > _FEWEST_DIFFERENT else key[0]):
                kind = _FORMATS[(key.lastindex or 0) - 1][0]
                yield Secret(*key.span(), f"secret:{kind}")
            done = key.end()


def _is_made_up(body: str) -> bool:
    return (
        len(set(body[:64].lower())) < _FEWEST_DIFFERENT
        or _MADE_UP.search(body[:64]) is not None
    )


# Compiled when first needed: most commands never redact, and compiling takes a while.
@cache
def _beginnings() -> re.Pattern[str]:
    starts = (start for _, start, *_ in _FORMATS)
    return re.compile(f"(?<![A-Za-z0-9])(?:{'|'.join(starts)})")


@cache
def _keys() -> re.Pattern[str]:
    return re.compile("|".join(f"({start}{rest})" for _, start, rest, _ in _FORMATS))


# A line break, what may stand around it within a key, and the next line's first run.
_BREAK = re.compile(rb"\n(?<=[a\\+\"'`\r \t.:/~]\n)[ \t>|\"'`]*(a+)")
_FOLD = re.compile("((?<![ \\t\\r\\\\+\"'`])[ \\t\\r\\\\+\"'`]*\\n[ \\t\\r>|\"'`]*)")
_AT_END = b" \t\r\\+\"'`"
_SHORTEST_KEY, _LONGEST_FOLDED = 16, 3000
_LONGEST_LINE, _MOST_LINES = 200, 24


def folded_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that appear once its lines are joined."""
    text, done = view.text, 0
    for line_break in _BREAK.finditer(view.shape):
        # Count what a key can be made of before the break, signs of folding included.
        before = view.shape[
            max(0, line_break.start() - _LONGEST_LINE) : line_break.start()
        ]
        run = len(before) - len(before.rstrip(_AT_END + b".:/~").rstrip(b"a"))
        start = line_break.start() - run
        if run + len(line_break[1]) < _SHORTEST_KEY or start < done:
            continue
        # The end of one line and the beginning of the next as one word.
        far = _LEAD_CHARACTERS if text[start - 1 : start] in ".:/~" else 1
        left = text[max(0, start - far) : line_break.start()].rstrip(_AT_END.decode())
        first = line_break.start(1)
        right = text[first : first + _LEAD_CHARACTERS].partition("\n")[0]
        if _beginnings().search(left + right):
            for secret in _in_joined(text, start):
                yield secret
                done = secret.end


def _in_joined(text: str, start: int) -> Iterator[Secret]:
    """Yield the key that begins in the line of *start* and ends in a later one."""
    start = max(text.rfind("\n", 0, start) + 1, start - _LEAD_CHARACTERS)
    parts = _FOLD.split(text[start : start + _LONGEST_FOLDED], _MOST_LINES - 1)
    # All lines, for a long key; two or three, for one that the next words would spoil.
    for many in (len(parts), 3, 5):
        joined = rewritten(parts[:many], lambda _: "")
        if found := _folded_key(joined, [*accumulate(map(len, parts[:many:2]))]):
            begin, end = joined.original(found.start, found.end)
            yield Secret(start + begin, start + end, found.kind)
            return


def _folded_key(joined: View, ends: list[int]) -> Secret | None:
    for key in vendor_keys(joined):
        # The key ends with the line that completes it: the next word is another matter.
        lines = (at for at in ends if _keys().fullmatch(joined.text, key.start, at))
        end = min(key.end, next(lines, key.end))
        if key.start < ends[0] < end:
            return Secret(key.start, end, key.kind)
    return None


# 40 signs of three sorts are a secret access key; digests have two sorts.
_SORTS = "".join(rf"(?=[^\s]{{0,39}}{sort})" for sort in ("[A-Z]", "[a-z]", "[0-9]"))
_KEY = re.compile(
    rf"(?<![A-Za-z0-9/+=_-]){_SORTS}[A-Za-z0-9/+]{{40}}(?![A-Za-z0-9/+=_-])"
)
_SIGNS = bytes.maketrans(b"/+", b"aa")
_LENGTH = b"a" * 40
_RUN = re.compile(_LENGTH + b"a*")


def access_keys(view: View) -> Iterator[Secret]:
    """Yield the secret access keys in *view*."""
    signs = view.shape.translate(_SIGNS)
    for run in _RUN.finditer(signs) if _LENGTH in signs else ():
        if found := _KEY.match(view.text, run.start()):
            yield Secret(*found.span(), "secret:token")


ARMOUR = Patterns("formats", "armour")
ENCODED = Patterns("formats", "encoded")
_LONGEST_ARMOURED, _LONGEST_ENCODED, _LONGEST_PADDED = 40_000, 20_000, 2_000
_LONGEST_ROW, _MOST_ROWS, _LONGEST_DASHES = 400, 400, 12
_HEXADECIMAL = frozenset(string.hexdigits)
_PROBE, _LONGEST_LEAD = 16, 200
_LINES = str.maketrans("", "", "\n\r\t")
_ALPHABET = string.ascii_letters + string.digits + "+/_-"
_URL_ALPHABET = str.maketrans("-_", "+/")


def private_keys(view: View) -> Iterator[Secret]:
    """Yield the private keys in *view*, armour included."""
    text, done = view.text, 0
    for header in ARMOUR.header.finditer(text) if "BEGIN" in text else ():
        start = header.start()
        before = text[max(0, start - _LONGEST_DASHES) : start]
        if dashes := ARMOUR.dashes.search(before):
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
    footer = ARMOUR.footer.search(text, start, start + _LONGEST_ARMOURED)
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
        run = view.text[run_start:run_end]
        # Names in small letters are common, text in base64 without a capital is not.
        if run_start < done or (run.islower() and not ENCODED.hex.match(run)):
            continue
        before = view.text[max(done, run_start - _LONGEST_LEAD) : run_start]
        start = run_start - len(before) + len(before.rstrip(_ALPHABET))
        code = ENCODED.base64.match(view.text, start)
        done = end_of_folds(view.text, code.end()) if code else run_end
        plain = decoded(ENCODED.between_lines.sub("", view.text[start:done]))
        if plain and is_secret(plain):
            yield Secret(start, done, "secret:encoded")
    yield from _padded(view, is_secret)


def _padded(view: View, is_secret: Callable[[str], bool]) -> Iterator[Secret]:
    """Look into what ends as base64 does, where a plus or a slash cuts it into runs."""
    for end in ENCODED.padding.finditer(view.text):
        first = max(0, end.end() - _LONGEST_PADDED)
        match = ENCODED.padded.search(view.text, first, end.end())
        if match and (plain := decoded(match[0])) and is_secret(plain):
            yield Secret(*match.span(), "secret:encoded")


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
