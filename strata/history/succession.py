"""Which statements took the place of which, as the journal tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.history.names import DEPARTURES, REWORDED, UNDONE
from strata.history.records import undone_runs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from strata.history.records import Records

_EVENTS = (*sorted(DEPARTURES), "edited", REWORDED)


@dataclass(slots=True)
class Succession:
    """The texts of what went *before* a statement and of what came *after* it, by id."""

    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)


def succession(journal: Records, ids: AbstractSet[str]) -> Succession:
    """Return what the statement *ids* took the place of, and what took theirs."""
    found, unworded = Succession(), set[str]()
    for old, new, text in _changes(journal):
        if new in ids and old not in ids:
            found.before[old] = text
        elif old in ids and new not in ids:
            found.after[new] = ""
            unworded.add(new)
    for record in journal.records("promoted", "edited", "remembered"):
        if record.get("id") in unworded:
            found.after[record["id"]] = str(record.get("text") or "")
    return found


def _changes(journal: Records) -> Iterator[tuple[str, str, str]]:
    """Yield an id, the id that took its place, and the text that gave way."""
    undone = undone_runs(journal.records(UNDONE))
    for record in journal.records(*_EVENTS):
        names = ("id", "text", "by", "replaces", "before")
        name, text, by, replaces, before = (str(record.get(n) or "") for n in names)
        if record.get("run") in undone:
            continue
        if replaces:
            yield replaces, name, before
        elif by:
            yield name, by, text
