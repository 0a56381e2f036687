"""What one machine forgot is forgotten on all, and comes back with no late file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from strata.jobs.forgetting.scrubbing import scrub_records
from strata.jobs.forgetting.striking import without
from strata.workspace.machines import BURIED, NOTE, TOLD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.jobs.forgetting.recognition import Recogniser
    from strata.memory import Memory
    from strata.workspace.machines import Log

    # Any: it is what JSON holds.
    Record = dict[str, Any]


def bury(memory: Memory, log: Log) -> None:
    """Take over the tombstones in *log*: what it forgot is to be forgotten here."""
    told = [each["record"] for each in log.of(BURIED)]
    memory.tombstones.take(told, memory.now.isoformat(timespec="seconds"))


def buried_records(memory: Memory) -> list[Record]:
    """Return the tombstones of *memory*, and what was said anew since, to tell others."""
    return memory.tombstones.records() if memory.tombstones.exist else []


def without_forgotten(
    logs: Sequence[Log], known: Recogniser, others: Iterable[Log] = ()
) -> list[Log]:
    """
    Return *logs* without what is *known*; what the *others* tell supports it.

    A log whose machine has not heard of a forgetting says nothing anew, whatever its clock.
    """
    named = {each.machine for each in logs}
    rest = [each for each in others if each.machine not in named]
    told = [each["record"] for log in (*logs, *rest) for each in log.of(TOLD)]
    left = iter(scrub_records(told, known))
    return [replace(each, records=tuple(_left(each, known, left))) for each in logs]


def leave_logs(memory: Memory, known: Recogniser) -> int:
    """
    Take what is *known* out of the logs here, and out of this machine's in the folder.

    Return how many changed. The others let go of theirs when they hear of it.
    """
    machines = memory.machines
    if machines is None:
        return 0
    logs = list(machines.logs().values())
    changed = 0
    for before, after in zip(logs, without_forgotten(logs, known), strict=True):
        if after.records != before.records:
            is_own = before.machine == machines.own
            # Others take a new generation whole.
            grown = before.generation + int(is_own)
            machines.keep(replace(after, generation=grown))
            changed += 1
    if machines.is_there:
        machines.push()
    return changed


def _left(
    log: Log, known: Recogniser, told: Iterator[Record | None]
) -> Iterator[Record]:
    heard = {str(each["record"].get("id")) for each in log.of(BURIED)}
    for_notes = known.unheard(heard)
    for each in log.records:
        if each["event"] == TOLD:
            record = next(told)
            # One that is gone leaves its number: others are named by theirs.
            if record:
                yield {**each, "record": record}
        elif each["event"] == NOTE:
            text = without(str(each["note"]), str(each["text"]), for_notes)
            yield {**each, "text": text}
        else:
            yield each
