"""Names that mean one, joined one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.bank.names import differ_in_number

if TYPE_CHECKING:
    from collections.abc import Collection


class Groups:
    """Keys that are joined; none whose numbers differ, and none that are to be *apart*."""

    def __init__(self, keys: Collection[str], apart: frozenset[frozenset[str]]) -> None:
        self._keys = keys
        self._apart = apart
        self._of: dict[str, list[str]] = {}

    def join(self, one: str, other: str) -> None:
        """Let *one* and *other* mean the same, unless they cannot."""
        first, second = self._group(one), self._group(other)
        if first is second:
            return
        if any(
            frozenset((a, b)) in self._apart or differ_in_number(a, b)
            for a in first
            for b in second
        ):
            return
        first += second
        for key in second:
            self._of[key] = first

    def all(self) -> list[list[str]]:
        """Return every group, single names too."""
        found = {id(group): group for key in self._keys if (group := self._group(key))}
        return [sorted(each) for each in found.values()]

    def _group(self, key: str) -> list[str]:
        return self._of.setdefault(key, [key])
