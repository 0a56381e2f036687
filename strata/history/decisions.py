"""What the owner decided about memory, as the journal tells it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from strata.history.ledger import statement_id
from strata.history.names import (
    ADOPTED,
    BY_HAND,
    DELETED,
    DEPARTURES,
    RESTORED,
    REWORDED,
    UNDONE,
)
from strata.history.records import undone_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.history.records import Records

_EVENTS = (
    *("accepted", "declined", "remembered", "edited", "waiting"),
    *(REWORDED, DELETED, RESTORED, ADOPTED),
)
_PLACES = ("pinned", "unpinned")
# What keeps a statement out, by the owner's latest word on it.
_REFUSALS = {
    "declined": ("declined", "you declined it"),
    DELETED: ("declined", "you declined it"),
    "waiting": (UNDONE, "you undid it, and it waits for your word"),
    REWORDED: ("reworded", "you chose another wording"),
}
BY_OWNER = frozenset(dimension for dimension, _ in _REFUSALS.values())


@dataclass(frozen=True, slots=True)
class Remembered:
    """
    A statement that the owner wants in long-term memory, in the owner's own wording.

    *day* is the day of the note that holds it, *at* the moment of the decision; *replaces*
    is the id of the statement of which this is a new wording, or "". *told* is false where
    only the wording of what the notes say is the owner's choice.
    """

    id: str
    text: str
    section: str
    day: date
    at: str
    importance: int | None = None
    replaces: str = ""
    told: bool = True


@dataclass(frozen=True, slots=True)
class Decisions:
    """
    The owner's latest word on each statement, by its id.

    *declined* must not enter (again), in no wording: the owner said so, or undid the run
    that promoted it. *pinned* must not leave by itself. *released* may leave though a run
    that took it away was undone, or tidy asks first. *days* must not be compressed or
    archived, because the owner undid that. *refusals* are the
    dimension and the reason of what is declined; *deleted* has the moment (ISO 8601, local)
    of what a hand took out. *wanted* and *refused* are the words of what the owner took and
    declined, from which the local judge learns.
    """

    accepted: frozenset[str] = frozenset()
    declined: Mapping[str, str] = field(default_factory=dict)
    refusals: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    deleted: Mapping[str, str] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    remembered: tuple[Remembered, ...] = ()
    released: frozenset[str] = frozenset()
    days: frozenset[date] = frozenset()
    wanted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def decisions(journal: Records) -> Decisions:
    """Return what holds after all of *journal*, in which later words replace earlier."""
    records = list(journal.records(*_EVENTS, *_PLACES, UNDONE))
    undone = undone_runs(records)
    decided = _Decided()
    for record in records:
        if isinstance(record.get("id"), str) and record.get("run") not in undone:
            decided.add(record)
    return decided.decisions()


class _Decided:
    """The latest record on whether a statement enters, on whether it stays, on a day."""

    def __init__(self) -> None:
        self._enters: dict[str, dict[str, Any]] = {}
        self._stays: dict[str, dict[str, Any]] = {}
        self._days: dict[str, dict[str, Any]] = {}
        self._wordings: dict[str, dict[str, Any]] = {}

    def add(self, record: dict[str, Any]) -> None:
        event, wanted = record["event"], record.get("wanted", "promoted")
        if event == "waiting" and record.get("dimension") != UNDONE:
            return
        if wanted == "merged":
            chosen = self._wordings
        elif event in _PLACES or wanted in DEPARTURES:
            chosen = self._stays
        elif wanted == "compressed":
            chosen = self._days
        else:
            chosen = self._enters
        # A later record also moves to the end: what is remembered last comes last.
        chosen.pop(record["id"], None)
        if event == RESTORED:
            return
        chosen[record["id"]] = record
        if event == "edited":
            self._replace(record)
        if chosen is self._enters and event in _REFUSALS and event != "waiting":
            self._stays.pop(record["id"], None)
            self._refuse_sources(record)

    def decisions(self) -> Decisions:
        declined = {
            name: self._enters[name] for name in _ids(self._enters, {*_REFUSALS})
        }
        return Decisions(
            accepted=frozenset(_ids(self._enters, {"accepted"})),
            declined={
                name: str(each.get("text", "")) for name, each in declined.items()
            },
            refusals={
                name: _REFUSALS[each["event"]] for name, each in declined.items()
            },
            deleted={
                name: str(each.get("saved_at") or each.get("at", ""))
                for name, each in declined.items()
                if each["event"] == DELETED
                or (each["event"] == "declined" and each.get("dimension") == BY_HAND)
            },
            pinned=frozenset(_ids(self._stays, {"pinned", "declined", "waiting"})),
            remembered=tuple(self._remembered()),
            released=frozenset(_ids(self._stays, {"accepted", "unpinned"})),
            days=frozenset(self._held_days()),
            wanted=tuple(self._words({"accepted", "remembered", "edited", ADOPTED})),
            refused=tuple(self._words({"declined"})),
        )

    def _words(self, events: set[str]) -> Iterator[str]:
        for name in _ids(self._enters, events):
            record = self._enters[name]
            text = record.get("text")
            # What a hand merely added says nothing of what memory should have taken.
            learned = record["event"] != ADOPTED or record.get("sources")
            if isinstance(text, str) and text and learned:
                yield text

    def _refuse_sources(self, record: dict[str, Any]) -> None:
        """Refuse the entries as well on which a line rested that a hand took out."""
        for source in record.get("sources") or ():
            text = str(source.get("entry", "")) if isinstance(source, dict) else ""
            name = statement_id(text)
            if text and name != record["id"]:
                event = REWORDED if record["event"] == REWORDED else DELETED
                when = {key: record[key] for key in ("at", "saved_at") if key in record}
                words = {"event": event, "id": name, "text": text}
                self._enters[name] = words | when

    def _replace(self, record: dict[str, Any]) -> None:
        """Take an edited statement's old wording out."""
        before = record.get("replaces")
        if before and before != record["id"]:
            text = record.get("before", "")
            self._enters[before] = {"event": "reworded", "id": before, "text": text}

    def _remembered(self) -> Iterator[Remembered]:
        for name in _ids(self._enters, {"remembered", "edited"}):
            found = _remembered(self._enters[name])
            if found:
                yield found
        for name in _ids(self._wordings, {"waiting", "declined"}):
            found = _remembered(self._wordings[name])
            if found:
                yield replace(found, told=False)

    def _held_days(self) -> Iterator[date]:
        for name in _ids(self._days, {"waiting", "declined"}):
            day = _day(self._days[name].get("day"))
            if day:
                yield day


def _ids(latest: Mapping[str, dict[str, Any]], events: set[str]) -> Iterator[str]:
    return (name for name, record in latest.items() if record["event"] in events)


def _remembered(record: dict[str, Any]) -> Remembered | None:
    day = _day(record.get("day"))
    text, importance = record.get("text"), record.get("importance")
    if day is None or not isinstance(text, str) or not text:
        return None
    return Remembered(
        id=record["id"],
        text=text,
        section=str(record.get("section") or "Key Decisions"),
        day=day,
        at=str(record.get("at", "")),
        importance=importance if isinstance(importance, int) else None,
        replaces=str(record.get("replaces") or ""),
    )


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None
