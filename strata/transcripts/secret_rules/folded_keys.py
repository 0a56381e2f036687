"""Keys of known formats that a line break cut so early that the half is no key."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.vendor_keys import keys_in, whole_key
from strata.transcripts.secret_rules.view import view_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

# A line break, what may stand around it within a key, and the next line's first run.
_BREAK = re.compile(rb"\n(?<=[a\\+\"'`\r \t.:/~]\n)[ \t>|\"'`]*(a+)")
_AT_START = " \t\r>|\"'`"
_AT_END = b" \t\r\\+\"'`"
_LONGEST_LINE = 200
_SHORTEST_KEY, _HALF = 16, 8
_LONGEST_KEY, _LONGEST_LEAD = 3000, 40
_MADE_BY_MACHINE = re.compile(r"[0-9]|[a-z][A-Z]|_")
_KEY_BYTE = ord("a")
_MOST_LINES = 24


def folded_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that appear once its lines are joined."""
    shape, done = view.shape, 0
    for line_break in _BREAK.finditer(shape):
        at = line_break.start()
        if len(line_break[1]) < _HALF and shape[at - 1] == _KEY_BYTE:
            if shape[at - _HALF : at] != b"a" * _HALF:
                continue
        start = _start_of_run(shape, at)
        if start < done or not _may_be_key(view.text, start, line_break):
            continue
        for secret in _in_joined(view.text, start):
            yield secret
            done = secret.end


def _start_of_run(shape: bytes, line_break: int) -> int:
    before = shape[max(0, line_break - _LONGEST_LINE) : line_break].rstrip(_AT_END + b".:/~")
    run = len(before) - len(before.rstrip(b"a"))
    return line_break - min(line_break, _LONGEST_LINE) + len(before) - run


def _may_be_key(text: str, start: int, line_break: re.Match[bytes]) -> bool:
    both = text[start : line_break.start()] + text[slice(*line_break.span(1))]
    return len(both) >= _SHORTEST_KEY and _MADE_BY_MACHINE.search(both) is not None


def _in_joined(text: str, start: int) -> Iterator[Secret]:
    """Yield the keys that begin in the line of *start* and end in a later one."""
    start = max(text.rfind("\n", 0, start) + 1, start - _LONGEST_LEAD)
    lines = text[start : start + _LONGEST_KEY].split("\n", _MOST_LINES)[:_MOST_LINES]
    cores = [line.lstrip(_AT_START).rstrip(_AT_END.decode()) for line in lines]
    joined = "".join(cores)
    ends = list(accumulate(map(len, cores)))
    for begin, end, kind in keys_in(view_of(joined)):
        whole = next((at for at in ends if at > begin and whole_key(joined[begin:at])), end)
        end = min(end, whole)
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
