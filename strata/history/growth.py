"""How MEMORY.md filled and what left it, day by day, as the journal tells it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.history.ledger import Ledger
from strata.history.names import OF_RUNS
from strata.history.records import undone_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date


@dataclass(slots=True)
class PageDay:
    """
    What a day did to the page: *lines* stand at its end, *came* are new.

    *left* are those that went, by the event that took them out.
    """

    lines: int = 0
    came: int = 0
    left: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Growth:
    """The *days* on which the page changed, in order, and the runs that were *undone*."""

    days: dict[date, PageDay]
    undone: frozenset[str]


def growth(
    records: Sequence[dict[str, Any]], day_of: Callable[[str], date | None]
) -> Growth:
    """
    Return what *records* tell, those of the ledger's `EVENTS` that can change the page.

    *day_of* tells the day of a moment.

    What an undone run did counts as if it had never been. Of a line it matters only
    whether there is one.
    """
    undone = undone_runs(records)
    held = (
        each
        for each in records
        if each.get("run") not in undone and each["event"] not in OF_RUNS
    )
    return Growth(_days(held, day_of), undone)


def _days(
    records: Iterable[dict[str, Any]], day_of: Callable[[str], date | None]
) -> dict[date, PageDay]:
    ledger = Ledger()
    days: dict[date, PageDay] = {}
    for record in records:
        name, day = record.get("id"), day_of(str(record.get("at", "")))
        if not (isinstance(name, str) and name and day):
            continue
        stood = name in ledger.standing
        ledger.place(name, record)
        if _declines(record):
            ledger.standing.pop(name, None)
        stands = name in ledger.standing
        if stood != stands:
            told = days.setdefault(day, PageDay())
            told.came += stands
            told.left.update([] if stands else [str(record["event"])])
            told.lines = len(ledger.standing)
    return dict(sorted(days.items()))


def _declines(record: Mapping[str, Any]) -> bool:
    """Say whether the owner's word takes a line out; what follows only does it."""
    # Who declines that it leaves keeps it.
    keeps = record.get("wanted", "promoted") != "promoted"
    return str(record["event"]) == "declined" and not keeps
