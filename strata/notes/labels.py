"""How a block names its conversation: the first characters of the session's id."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHORTEST = 8


def shared_starts(session_ids: Iterable[str]) -> list[list[str]]:
    """Return the groups of ids whose first eight characters are the same."""
    groups: dict[str, list[str]] = {}
    for session_id in session_ids:
        groups.setdefault(session_id[:SHORTEST], []).append(session_id)
    return [group for group in groups.values() if len(group) > 1]


def labels(session_ids: Sequence[str]) -> dict[str, str]:
    """
    Return the label of each of *session_ids*, given from the oldest conversation on.

    The oldest keeps eight characters, so that a label once written stays right; a later
    one with the same start gets as many more as tell it apart.
    """
    chosen: dict[str, str] = {}
    for position, session_id in enumerate(session_ids):
        earlier = session_ids[:position]
        longest = max((_shared(session_id, other) for other in earlier), default=0)
        length = SHORTEST if longest < SHORTEST else longest + 1
        while length < len(session_id) and session_id[length - 1] == "-":
            length += 1
        chosen[session_id] = session_id[:length]
    return chosen


def _shared(one: str, other: str) -> int:
    """Return how many characters both ids begin with."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
