"""What the owner decided about names: which are one, which are two, how one is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.history.names import ENTITY, UNDONE
from strata.history.records import undone_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from strata.history.records import Records

MERGE, SPLIT, RENAME = "merge", "split", "rename"


def name_decisions(journal: Records) -> list[tuple[str, str, str]]:
    """Return each decision that stands: what was done, and the two names of it."""
    return [
        (str(each.get("action")), str(each.get("name")), str(each.get("other")))
        for each in standing_decisions(journal)
    ]


def standing_decisions(journal: Records) -> list[dict[str, Any]]:
    """Return the record of each decision that stands."""
    records = list(journal.records(ENTITY, UNDONE))
    undone = undone_runs(records)
    return [
        each
        for each in records
        if each["event"] == ENTITY and each.get("run") not in undone
    ]


def answered_by(decisions: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the ids of the questions about names that *decisions* answer."""
    return frozenset(str(each["id"]) for each in decisions if each.get("id"))
