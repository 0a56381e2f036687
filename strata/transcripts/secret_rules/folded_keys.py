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
    lines = text[start : start + _LONGEST_KEY].split("\n", _MOST_LINES)[:_MOST_LINES]
    cores = [line.lstrip(_AT_START).rstrip(_AT_END.decode()) for line in lines]
    # All lines, for a long key; two or three, for one that the next words would spoil.
    for many in (len(cores), 2, 3):
        if found := _folded_key("".join(cores[:many]), cores[:many]):
            places = _places(lines, cores, start)
            begin, end, kind = found
            yield Secret(places[begin], places[end - 1] + 1, f"secret:{kind}")
            return


def _folded_key(joined: str, cores: list[str]) -> tuple[int, int, str] | None:
    ends = list(accumulate(map(len, cores)))
    for begin, stop, kind in keys_in(view_of(joined)):
        # The key ends with the line that completes it: the next word is another matter.
        whole = (at for at in ends if at > begin and whole_key(joined[begin:at]))
        end = min(stop, next(whole, stop))
        if begin < ends[0] < end:
            return begin, end, kind
    return None


def _places(lines: list[str], cores: list[str], start: int) -> list[int]:
    """Say for each character of the joined lines where it stands in the text."""
    places: list[int] = []
    for line, core in zip(lines, cores, strict=True):
        first = start + len(line) - len(line.lstrip(_AT_START))
        places.extend(range(first, first + len(core)))
        start += len(line) + 1
    return places
