"""The owner's decisions about names, as coreference takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.bank.directory import Choices
from strata.bank.names import key_of
from strata.history.entities import (
    MERGE,
    RENAME,
    SPLIT,
    answered_by,
    standing_decisions,
)

if TYPE_CHECKING:
    from strata.history.records import Records


def choices_of(journal: Records) -> Choices:
    """Return what the owner decided about names; the latest word on a pair counts."""
    pairs: dict[frozenset[str], str] = {}
    called: dict[str, str] = {}

    def meant(name: str) -> str:
        """Return the key of *name*, which may be what the owner wanted it called."""
        key = key_of(name)
        return next((old for old, new in called.items() if key_of(new) == key), key)

    decisions = standing_decisions(journal)
    for each in decisions:
        action, name, other = (str(each.get(n)) for n in ("action", "name", "other"))
        if action == RENAME:
            called[meant(name)] = other
        elif action in {MERGE, SPLIT}:
            pairs[frozenset((meant(name), meant(other)))] = action
    one = [tuple(sorted(pair)) for pair, action in pairs.items() if action == MERGE]
    return Choices(
        one=tuple((pair[0], pair[-1]) for pair in one),
        apart=frozenset(pair for pair, action in pairs.items() if action == SPLIT),
        called=called,
        answered=answered_by(decisions),
    )
