"""Keys and tokens that can be told by their own format, on one line or folded."""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from strata.transcripts.redaction.spans import Secret
from strata.transcripts.redaction.tables import rows
from strata.transcripts.redaction.view import rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_SHORTEST_KEY, _LONGEST_KEY = 16, 3000
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
    parts = _FOLD.split(text[start : start + _LONGEST_KEY], _MOST_LINES - 1)
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
