"""Keys of known formats that a line break cut so early that the half is no key."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.vendor_keys import (
    keys_in,
    may_begin_key,
    whole_key,
)
from strata.transcripts.secret_rules.view import view_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

# A line break, what may stand around it within a key, and the next line's first run.
_BREAK = re.compile(rb"\n(?<=[a\\+\"'`\r \t.:/~]\n)[ \t>|\"'`]*(a+)")
_AT_START = " \t\r>|\"'`"
_AT_END = b" \t\r\\+\"'`"
_LONGEST_LINE = 200
_HALF = 8
_LONGEST_KEY, _LONGEST_LEAD = 3000, 40
_KEY_BYTE = ord("a")
_MOST_LINES = 24


def folded_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that appear once its lines are joined."""
    done = 0
    for line_break in _BREAK.finditer(view.shape):
        if not _has_half(view.shape, line_break):
            continue
        start = _start_of_run(view.shape, line_break.start())
        if start < done or not may_begin_key(_glance(view.text, start, line_break)):
            continue
        for secret in _in_joined(view.text, start):
            yield secret
            done = secret.end


def _has_half(shape: bytes, line_break: re.Match[bytes]) -> bool:
    """Say whether one side of *line_break* has enough characters to be half a key."""
    at = line_break.start()
    if len(line_break[1]) >= _HALF or shape[at - 1] != _KEY_BYTE:
        return True
    return shape[at - _HALF : at] == b"a" * _HALF


def _start_of_run(shape: bytes, line_break: int) -> int:
    before = shape[max(0, line_break - _LONGEST_LINE) : line_break].rstrip(
        _AT_END + b".:/~"
    )
    run = len(before) - len(before.rstrip(b"a"))
    return line_break - min(line_break, _LONGEST_LINE) + len(before) - run


def _glance(text: str, start: int, line_break: re.Match[bytes]) -> str:
    """Return the end of one line and the beginning of the next as one word."""
    lead = text[max(0, start - _LONGEST_LEAD) : start].rpartition("\n")[2]
    first = line_break.start(1)
    right = text[first : first + _LONGEST_LEAD].partition("\n")[0]
    return lead + text[start : line_break.start()].rstrip(_AT_END.decode()) + right


def _in_joined(text: str, start: int) -> Iterator[Secret]:
    """Yield the keys that begin in the line of *start* and end in a later one."""
    start = max(text.rfind("\n", 0, start) + 1, start - _LONGEST_LEAD)
    lines = text[start : start + _LONGEST_KEY].split("\n", _MOST_LINES)[:_MOST_LINES]
    cores = [line.lstrip(_AT_START).rstrip(_AT_END.decode()) for line in lines]
    joined = "".join(cores)
    ends = list(accumulate(map(len, cores)))
    for begin, stop, kind in keys_in(view_of(joined)):
        # The key ends with the line that completes it: the next word is another matter.
        whole = (at for at in ends if at > begin and whole_key(joined[begin:at]))
        end = min(stop, next(whole, stop))
        if begin < ends[0] < end:
            places = _places(lines, cores, start)
            yield Secret(places[begin], places[end - 1] + 1, f"secret:{kind}")


def _places(lines: list[str], cores: list[str], start: int) -> list[int]:
    """Say for each character of the joined lines where it stands in the text."""
    places: list[int] = []
    for line, core in zip(lines, cores, strict=True):
        first = start + len(line) - len(line.lstrip(_AT_START))
        places.extend(range(first, first + len(core)))
        start += len(line) + 1
    return places
