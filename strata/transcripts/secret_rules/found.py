"""A stretch of text that must not be kept, and how overlapping finds become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A name says only that something is secret; a format says what it is, so it wins.
_VAGUE = frozenset({"secret:password", "secret:token", "secret:key", "secret:encoded"})


@dataclass(frozen=True, slots=True, order=True)
class Secret:
    """
    A secret or personal number at characters *start* to *end* of a text.

    *kind* is the class and the type, such as ``secret:aws-access-key`` or
    ``personal:card-number``; the placeholder shows it.
    """

    start: int
    end: int
    kind: str


def merge(found: Iterable[Secret]) -> list[Secret]:
    """Order *found* by position and unite what overlaps."""
    merged: list[Secret] = []
    for secret in sorted(found):
        if merged and secret.start < merged[-1].end:
            merged[-1] = _united(merged[-1], secret)
        else:
            merged.append(secret)
    return merged


def _united(first: Secret, second: Secret) -> Secret:
    kind = second.kind if first.kind in _VAGUE else first.kind
    return Secret(first.start, max(first.end, second.end), kind)
