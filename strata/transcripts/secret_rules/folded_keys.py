"""Keys of known formats that a line break cut so early that the half is no key."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from strata.transcripts.secret_rules.found import Secret
from strata.transcripts.secret_rules.vendor_keys import keys_in, whole_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.transcripts.secret_rules.view import View

_AT_START = " \t\r>|\"'`"
_AT_END = " \t\r\\+\"'`"


def folded_keys(view: View) -> Iterator[Secret]:
    """Yield the keys in *view* that appear once its lines are joined."""
    if "\n" not in view.text:
        return
    lines = view.text.split("\n")
    stripped = [line.lstrip(_AT_START).rstrip(_AT_END) for line in lines]
    joined = "".join(stripped)
    places: _Places | None = None
    for start, end, kind in keys_in(joined, anywhere=True):
        places = places or _Places(lines, stripped)
        if secret := places.secret(joined, start, end, kind):
            yield secret


class _Places:
    """Where each line of the joined text stands in the view."""

    def __init__(self, lines: list[str], stripped: list[str]) -> None:
        self._joined_at = [0, *accumulate(map(len, stripped))]
        line_at = accumulate((len(line) + 1 for line in lines), initial=0)
        self._text_at = [
            at + len(line) - len(line.lstrip(_AT_START))
            for at, line in zip(line_at, lines, strict=False)
        ]

    def secret(self, joined: str, start: int, end: int, kind: str) -> Secret | None:
        """Return the key at *start* to *end* of *joined* if a line break cuts it."""
        first = self._line_of(start)
        begins_a_word = start == self._joined_at[first] or not joined[start - 1].isalnum()
        last = self._line_of(end - 1)
        if first == last or not begins_a_word:
            return None
        end = self._where_it_is_whole(joined, start, first, last, end)
        if self._line_of(end - 1) == first:
            return None
        return Secret(self._place(start), self._place(end - 1) + 1, f"secret:{kind}")

    def _where_it_is_whole(
        self, joined: str, start: int, first: int, last: int, end: int
    ) -> int:
        # The key ends with the line that completes it: the next word is another matter.
        for line in range(first + 1, last + 1):
            if whole_key(joined[start : self._joined_at[line]]):
                return self._joined_at[line]
        return end

    def _line_of(self, position: int) -> int:
        return bisect_right(self._joined_at, position) - 1

    def _place(self, position: int) -> int:
        line = self._line_of(position)
        return self._text_at[line] + position - self._joined_at[line]
