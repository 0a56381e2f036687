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


def vendor_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that known services make."""
    for start, end, kind in keys_in(view):
        yield Secret(start, end, f"secret:{kind}")


def keys_in(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each key in *view*."""
    text, done = view.text, 0
    for run_start, run_end in view.runs:
        lead = _LEAD_CHARACTERS if text[run_start - 1 : run_start] in ".:/~" else 0
        first = max(done, run_start - lead)
        # A beginning such as that of a signed token ends with the dot behind the run.
        for beginning in _beginnings().finditer(text, first, run_end + 1):
            if beginning.start() < done:
                continue
            if key := _keys().match(text, beginning.start()):
                body = text[beginning.end() : key.end()]
                if not _is_made_up(body if len(body) > _FEWEST_DIFFERENT else key[0]):
                    yield key.start(), key.end(), _kinds()[key.lastindex or 0]
                done = key.end()


def may_begin_key(text: str) -> bool:
    """Say whether a key of a known format begins somewhere in *text*."""
    return _beginnings().search(text) is not None


def whole_key(text: str) -> bool:
    """Say whether *text* is one complete key and nothing else."""
    return _keys().fullmatch(text) is not None


def _is_made_up(body: str) -> bool:
    return (
        len(set(body[:64].lower())) < _FEWEST_DIFFERENT
        or _MADE_UP.search(body[:64]) is not None
    )


# Compiled when first needed: most commands never redact, and compiling takes a while.
@cache
def _beginnings() -> re.Pattern[str]:
    starts = (start for _, start, *_ in rows("formats", "keys")["formats"])
    return re.compile(f"(?<![A-Za-z0-9])(?:{'|'.join(starts)})")


@cache
def _keys() -> re.Pattern[str]:
    formats = rows("formats", "keys")["formats"]
    return re.compile("|".join(f"({start}{rest})" for _, start, rest, _ in formats))


@cache
def _kinds() -> tuple[str, ...]:
    return ("", *(kind for kind, *_ in rows("formats", "keys")["formats"]))


# A line break, what may stand around it within a key, and the next line's first run.
_BREAK = re.compile(rb"\n(?<=[a\\+\"'`\r \t.:/~]\n)[ \t>|\"'`]*(a+)")
_FOLD = re.compile("((?<![ \\t\\r\\\\+\"'`])[ \\t\\r\\\\+\"'`]*\\n[ \\t\\r>|\"'`]*)")
_AT_END = b" \t\r\\+\"'`"
_LONGEST_LINE = 200
_SHORTEST_KEY = 16
_LONGEST_KEY, _LONGEST_LEAD = 3000, 40
_JOINTS, _LEADS = b".:/~", frozenset(".:/~")
_MOST_LINES = 24


def folded_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that appear once its lines are joined."""
    done = 0
    for line_break in _BREAK.finditer(view.shape):
        run = _run_before(view.shape, line_break.start())
        start = line_break.start() - run
        if run + len(line_break[1]) < _SHORTEST_KEY or start < done:
            continue
        if may_begin_key(_glance(view.text, start, line_break)):
            for secret in _in_joined(view.text, start):
                yield secret
                done = secret.end


def _run_before(shape: bytes, line_break: int) -> int:
    """Count what a key can be made of before *line_break*, signs of folding included."""
    before = shape[max(0, line_break - _LONGEST_LINE) : line_break]
    end = before.rstrip(_AT_END + _JOINTS)
    return len(before) - len(end.rstrip(b"a"))


def _glance(text: str, start: int, line_break: re.Match[bytes]) -> str:
    """Return the end of one line and the beginning of the next as one word."""
    far = _LONGEST_LEAD if text[start - 1 : start] in _LEADS else 1
    lead = text[max(0, start - far) : start].rpartition("\n")[2]
    first = line_break.start(1)
    right = text[first : first + _LONGEST_LEAD].partition("\n")[0]
    return lead + text[start : line_break.start()].rstrip(_AT_END.decode()) + right


def _in_joined(text: str, start: int) -> Iterator[Secret]:
    """Yield the key that begins in the line of *start* and ends in a later one."""
    start = max(text.rfind("\n", 0, start) + 1, start - _LONGEST_LEAD)
    parts = _FOLD.split(text[start : start + _LONGEST_KEY], _MOST_LINES - 1)
    # All lines, for a long key; two or three, for one that the next words would spoil.
    for many in (len(parts), 3, 5):
        joined = rewritten(parts[:many], lambda _: "")
        if found := _folded_key(joined, [*accumulate(map(len, parts[:many:2]))]):
            begin, end = joined.original(*found[:2])
            yield Secret(start + begin, start + end, f"secret:{found[2]}")
            return


def _folded_key(joined: View, ends: list[int]) -> tuple[int, int, str] | None:
    for begin, stop, kind in keys_in(joined):
        # The key ends with the line that completes it: the next word is another matter.
        whole = (at for at in ends if at > begin and whole_key(joined.text[begin:at]))
        end = min(stop, next(whole, stop))
        if begin < ends[0] < end:
            return begin, end, kind
    return None


# 40 signs of three sorts are a secret access key; digests have two sorts.
_KEY = re.compile(r"(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_SIGNS = bytes.maketrans(b"/+", b"aa")
_LENGTH = b"a" * 40
_RUN = re.compile(_LENGTH + b"a*")
_SORTS = tuple(re.compile(sort) for sort in ("[A-Z]", "[a-z]", "[0-9]"))


def access_keys(view: View) -> Iterator[Secret]:
    """Yield the secret access keys in *view*."""
    signs = view.shape.translate(_SIGNS)
    for run in _RUN.finditer(signs) if _LENGTH in signs else ():
        found = _KEY.match(view.text, run.start())
        if found and all(sort.search(found[0]) for sort in _SORTS):
            yield Secret(*found.span(), "secret:token")
