"""How a block names its conversation: the first characters of the session's id."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, insort
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SHORTEST = 8

_PLAIN = re.compile(r"[0-9A-Za-z_.-]+")


def shared_starts(session_ids: Iterable[str]) -> list[list[str]]:
    """Return the groups of ids whose labels would begin with the same characters."""
    groups: dict[str, list[str]] = {}
    for session_id in session_ids:
        groups.setdefault(_name(session_id)[:SHORTEST], []).append(session_id)
    return [group for group in groups.values() if len(group) > 1]


def labels(
    session_ids: Sequence[str], kept: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """
    Return the label of each of *session_ids*, given from the oldest conversation on.

    The oldest keeps eight characters, so that a label once written stays right; a later
    one with the same start gets as many more as tell it apart. *kept* are labels that
    conversations of the same start have already.
    """
    chosen = dict(kept)
    taken = set(kept.values())
    names = sorted(map(_name, kept))
    for session_id in session_ids:
        chosen[session_id] = _label(session_id, taken, names)
        taken.add(chosen[session_id])
        insort(names, _name(session_id))
    return chosen


def standing(session_ids: Iterable[str], long_labels: Iterable[str]) -> dict[str, str]:
    """
    Return the *long_labels* that stand in notes, by the one id that each can mean.

    A conversation keeps its label although the one that forced it to be long is gone.
    """
    owners = [(session_id, _name(session_id)) for session_id in session_ids]
    kept: dict[str, str] = {}
    for label in sorted(long_labels, key=len):
        meant = [each for each, name in owners if name.startswith(label)]
        if len(meant) == 1:
            kept[meant[0]] = label
    return kept


def _label(session_id: str, taken: set[str], names: Sequence[str]) -> str:
    name = _name(session_id)
    if name[:SHORTEST] not in taken:
        return name[:SHORTEST]
    place = bisect_left(names, name)
    neighbours = names[max(place - 1, 0) : place + 1]
    length = 1 + max(_shared(name, each) for each in neighbours)
    while length < len(name) and name[length - 1] == "-":
        length += 1
    label = name[: max(length, SHORTEST)]
    return f"{name}-{_digest(name)[:SHORTEST]}" if label in taken else label


def _name(session_id: str) -> str:
    """Return *session_id*, or what stands for one that a heading cannot hold."""
    return session_id if _PLAIN.fullmatch(session_id) else _digest(session_id)[:32]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shared(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    same = min(len(one), len(other))
    return next((at for at, (left, right) in pairs if left != right), same)
