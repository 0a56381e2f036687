"""What memory did on one day and in the night after it: what it learned and let go, why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from strata.dashboard.journal_days import (
    day_of,
    journal_days,
    moment_of,
    rejected_on,
)
from strata.history.names import (
    ADOPTED,
    DELETED,
    DEPARTED,
    REJECTED,
    RESTORED,
    REWORDED,
)
from strata.history.statements import Statement
from strata.jobs.deciding.outcomes import told_text
from strata.jobs.deciding.reasons import event_in, reason_in
from strata.jobs.report import shares
from strata.jobs.undo import known_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from strata.dashboard.visits import Visit
    from strata.jobs.undo import KnownRun

_GROUPS = {
    "learned": ("promoted", "remembered", "edited", ADOPTED),
    "changed": ("merged", REWORDED),
    "gone": (*DEPARTED, "declined", DELETED),
    "waiting": ("waiting",),
    "decided": ("accepted", "pinned", "unpinned", RESTORED),
    "rejected": (REJECTED,),
}
_GROUP_OF = {event: name for name, events in _GROUPS.items() for event in events}
_OTHERS = [event for event in _GROUP_OF if event != REJECTED]


# More than anybody reads of one night; each kind has its share of them.
_MOST = 40


@dataclass(frozen=True, slots=True)
class Happened:
    """
    What memory did with a statement: its *event*, as *told* to people, at *time*.

    *by* is what took its place; *undone* says that the run was taken back since.
    """

    time: str
    event: str
    told: str
    text: str
    why: str
    by: str
    undone: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Things of one kind, and how *many* there are with those for which is no room."""

    name: str
    many: int
    items: list[Happened]


@dataclass(frozen=True, slots=True)
class Night:
    """What happened, by `learned`, `changed`, `gone` …, and the runs there were."""

    groups: list[Group]
    runs: list[KnownRun]


def night_of(visit: Visit, day: date) -> Night:
    """Return what memory did on *day* and until the next morning."""
    memory = visit.memory
    # Nine of ten are verdicts of which the page shows a few: the others say how many.
    records = [*_told_on(visit, day), *islice(rejected_on(memory, day), _MOST)]
    texts = {str(each.get("id")): str(each.get("text") or "") for each in records}
    grouped = {name: found for name, found in _grouped(records).items() if found}
    counts = {name: len(found) for name, found in grouped.items()}
    if "rejected" in counts:
        counts["rejected"] = journal_days(memory).rejected[day]
    fair = shares(list(counts.values()), _MOST)
    groups = [
        Group(
            name,
            counts[name],
            [_happened(visit, each, texts) for each in found[:share]],
        )
        for (name, found), share in zip(grouped.items(), fair, strict=True)
    ]
    zone = memory.timezone
    runs = [each for each in known_runs(memory) if day_of(each.run.at, zone) == day]
    return Night(groups, runs[::-1])


def _told_on(visit: Visit, day: date) -> Iterator[dict[str, Any]]:
    """Yield what was more than rejected on *day*, with its night."""
    zone = visit.memory.timezone
    # Wherever it was written, its clock was within a day of ours.
    around = [str(day + timedelta(days=each)) for each in (-1, 2)]
    for record in visit.standing.journal.records(*_OTHERS):
        at = str(record.get("at", ""))
        if around[0] <= at[:10] <= around[1] and day_of(at, zone) == day:
            yield record


def _grouped(records: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, dict[tuple[str, str], dict[str, Any]]]
    groups = {name: {} for name in _GROUPS}
    for record in records:
        # A declined line goes because of that, which the journal tells as well.
        key = (str(record.get("id")), str(record.get("run")))
        groups[_GROUP_OF[str(record["event"])]].setdefault(key, record)
    return {name: list(each.values()) for name, each in groups.items()}


def _happened(
    visit: Visit, record: Mapping[str, Any], texts: Mapping[str, str]
) -> Happened:
    memory, event = visit.memory, str(record["event"])
    moment = moment_of(str(record.get("at", "")), memory.timezone)
    name, heir = str(record.get("id")), str(record.get("by") or "")
    text = str(record.get("text") or texts.get(name) or name)
    said = told_text(Statement(name, text, event, dict(record)), visit.say("review"))
    return Happened(
        f"{moment:%H:%M}" if moment else "",
        event,
        event_in(visit.language, event),
        said,
        reason_in(visit.language, record),
        texts.get(heir, "") if heir != name else "",
        str(record.get("run")) in journal_days(memory).page.undone,
    )
