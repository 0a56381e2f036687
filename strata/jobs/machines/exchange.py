"""The exchange: tell the other machines what happened here, and take in what they told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.forgetting.machine_logs import buried_records, bury, without_forgotten
from strata.jobs.forgetting.recognition import recogniser
from strata.jobs.machines.history import History, in_utc, told_records
from strata.jobs.machines.notes import (
    Comparing,
    digest,
    edits_in,
    record_of,
    seen_in,
    shared_notes,
    waiting_notes,
)
from strata.jobs.undoing.runs import recorded
from strata.notes.parts import Edit, folded_note
from strata.workspace.machines import BURIED, NOTE, TOLD, refuse_same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.machines.notes import Seen
    from strata.memory import Memory
    from strata.workspace.machines import Log, Machines, State

    # Any: it is what JSON holds.
    Record = dict[str, Any]

RUN = "machines"


@dataclass(slots=True)
class Exchanged:
    """What an exchange changed here: notes, by their paths, and whether the history."""

    paths: list[str] = field(default_factory=list)
    history: bool = False


def exchange(memory: Memory) -> Exchanged:
    """
    Take in what other machines told, and tell them what happened here.

    The caller lets no other job in. It may be killed anywhere and begun anew; where the
    shared folder is out of reach, what is told waits.
    """
    machines = memory.machines
    if machines is None:
        return Exchanged()
    state = machines.state()
    if machines.is_there:
        machines.renew()
        _take(memory, machines, state)
    keep_forgotten(memory)
    done = _Exchange(memory, machines, state).done()
    if machines.is_there:
        machines.push()
    return done


def _take(memory: Memory, machines: Machines, state: State) -> None:
    """Copy what is new in the shared folder, without what was forgotten anywhere."""
    here = machines.logs()
    news = [e for e in machines.pull(state) if _is_news(e, here.get(e.machine))]
    for log in news:
        bury(memory, log)
        if log.machine == machines.own and not _goes_on(here[machines.own], log):
            raise refuse_same(log.machine)
    known = recogniser(memory) if news and memory.tombstones.exist else None
    if known:
        kept = without_forgotten(news, known, here.values())
    for log in kept if known else news:
        machines.keep(log)
    for log in news:
        state.seen[log.machine] = list(log.length)
    machines.keep_state(state)


def _is_news(found: Log, own: Log | None) -> bool:
    """Say whether *found* tells more than the copy here does, which may have lost words."""
    return own is None or found.length > own.length


def _goes_on(own: Log, found: Log) -> bool:
    """Say whether *found* is this machine's *own* log, which may have been lost here."""
    return found.records[: len(own.records)] == own.records


class _Exchange:
    """One pass over journal and notes, on the copies of all logs that are here."""

    def __init__(self, memory: Memory, machines: Machines, state: State) -> None:
        self._memory, self._machines, self._state = memory, machines, state
        self._logs = machines.logs()
        self._numbers = count(self._own.last_number + 1)
        self._now = max(
            [in_utc(memory.now), *(str(each["at"]) for each in self._own.of(NOTE))]
        )

    @property
    def _own(self) -> Log:
        return self._logs[self._machines.own]

    def done(self) -> Exchanged:
        if not self._own.records:
            # From now on it has its name.
            self._machines.keep(self._own)
        self._bury()
        changed = Exchanged(history=self._fold_history())
        changed.paths = self._fold_notes()
        self._state.seen[self._own.machine] = list(self._own.length)
        self._machines.keep_state(self._state)
        return changed

    def _tell(self, records: Sequence[Record]) -> None:
        self._logs[self._own.machine] = self._machines.extend(self._own, records)

    def _bury(self) -> None:
        told = [each["record"] for each in self._own.of(BURIED)]
        new = [each for each in buried_records(self._memory) if each not in told]
        at = {"version": 1, "at": self._now}
        self._tell(
            [
                {"event": BURIED, "n": next(self._numbers), **at, "record": e}
                for e in new
            ]
        )

    def _fold_history(self) -> bool:
        """Tell what the journal has that the log has not, and write it as of all."""
        history = History(self._memory)
        told = self._own.of(TOLD)
        have, want = [each["record"] for each in told], history.told()
        if len(want) < len(have) and have[: len(want)] == want:
            history.restore(self._own)
        else:
            if have != want[: len(have)]:
                # A forgetting took something out, or a hand did.
                self._retell(want)
                have = want
            at = str(self._own.of(TOLD)[-1]["at"]) if have else ""
            new = told_records(
                want[len(have) :],
                numbers=self._numbers,
                at=at,
                timezone=self._memory.timezone,
            )
            self._tell(new)
        others = [log for log in self._logs.values() if log is not self._own]
        return history.fold(self._own, others)

    def _retell(self, records: Sequence[Record]) -> None:
        """Let the log tell *records* instead of what it told; the rest of it stays."""
        rest = tuple(each for each in self._own.records if each["event"] != TOLD)
        told = told_records(
            records,
            numbers=self._numbers,
            at="",
            timezone=self._memory.timezone,
        )
        longer = replace(
            self._own, generation=self._own.generation + 1, records=(*rest, *told)
        )
        self._machines.keep(longer)
        self._logs[longer.machine] = longer

    def _fold_notes(self) -> list[str]:
        """Tell what happened to each note here, and write it as all machines have it."""
        memory, places = self._memory, shared_notes(self._memory)
        waiting = waiting_notes(memory)
        edits = edits_in(self._logs.values())
        names = {*places, *edits, *self._state.notes} - waiting
        told: list[Record] = []
        seen: dict[str, Seen] = {}
        for name in sorted(names):
            text = memory.workspace.read(places.get(name, name))
            known = self._state.notes.get(name)
            if known and (known["digest"], known["edits"]) == (
                digest(text),
                len(edits[name]),
            ):
                continue
            comparing = Comparing(edits[name], known, self._own.machine, self._edit)
            seen[name] = comparing.seen(text)
            edits[name] += comparing.new
            told += [record_of(each, name) for each in comparing.new]
        self._tell(told)
        with recorded(memory, RUN):
            return [
                path
                for name, before in seen.items()
                for path in [places.get(name, name)]
                if self._write(name, path, before, edits[name])
            ]

    def _edit(self, text: str, replaces: tuple[str, ...], after: str) -> Edit:
        own, number = self._own.machine, next(self._numbers)
        return Edit(own, number, self._now, text, replaces, after)

    def _write(self, name: str, path: str, before: Seen, edits: Sequence[Edit]) -> bool:
        """Write what *edits* come to, unless somebody changed the note meanwhile."""
        made = seen_in(folded_note(edits))
        workspace = self._memory.workspace
        changed = False
        if made.text != before.text:
            if made.text:
                changed = workspace.update(
                    path, lambda text: made.text if text == before.text else text
                )
            elif before.text:
                changed = workspace.remove(path, text=before.text)
        stands = workspace.read(path) == made.text
        kept = (made if stands else before).record(edits, self._own.machine)
        if not stands:
            # What was said meanwhile is looked at the next time.
            kept["edits"] = -1
        self._state.notes[name] = kept
        return changed
