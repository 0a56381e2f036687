"""The journals of several machines as one history, in one order on all of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from heapq import merge
from typing import TYPE_CHECKING, Any

from strata.history.names import ADOPTED, DEPARTED, MACHINE, REJECTED, SETTLED, WRITING
from strata.workspace import stored
from strata.workspace.journal import parse_record
from strata.workspace.machines import TOLD, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.memory import Memory
    from strata.workspace.machines import Log

    # Any: it is what JSON holds.
    Record = dict[str, Any]
    # When it was, on which machine, and which one of those there.
    Order = tuple[str, str, int]

# What tells of files as they lie on one machine, as of MEMORY.md: every one makes its own
# page, of the notes and decisions that all of them share.
_OF_ONE_MACHINE = frozenset(
    {"promoted", "merged", *DEPARTED, REJECTED, ADOPTED, WRITING, SETTLED, "rescanned"}
)


class History:
    """The journal of *memory*: what this machine wrote there, and what others did."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._file = memory.workspace.layout.journal_file
        self._content = stored.read(self._file) if self._file.exists() else b""
        self._lines = [
            (line, parse_record(line, json.loads))
            for line in self._content.splitlines()
        ]

    def told(self) -> list[Record]:
        """Return the records of this machine that are others' as well, the oldest first."""
        return [record for _, record in self._lines if _is_told(record)]

    def fold(self, own: Log, others: Sequence[Log]) -> bool:
        """
        Write the journal anew from what all machines told; say whether it differs.

        What two of them tell to the letter, as after a copied disk, is there once.
        """
        heard = {log.machine for log in others}
        mine = self._placed(own, heard)
        theirs = merge(*map(_theirs, others), key=lambda each: each[0])
        known = dict.fromkeys(map(_dumped, self.told()), own.machine)
        news = (
            (order, _dumped({**record, MACHINE: order[1]}))
            for order, record in theirs
            if known.setdefault(_dumped(record), order[1]) == order[1]
        )
        lines = [line for _, line in merge(mine, news, key=lambda each: each[0])]
        content = b"".join(line + b"\n" for line in lines)
        if content == self._content:
            return False
        self._memory.workspace.write_private(self._file, content)
        self._content = content
        return True

    def restore(self, own: Log) -> None:
        """Take what this machine's log tells beyond the journal, which was lost."""
        have = sum(1 for _ in self.told())
        for each in own.of(TOLD)[have:]:
            record = each["record"]
            self._lines.append((_dumped(record), record))

    def _placed(self, own: Log, heard: set[str]) -> Iterator[tuple[Order, bytes]]:
        """Yield what is not made anew: this machine's, and of machines nobody knows."""
        moments = iter(own.of(TOLD))
        at = ""
        for number, (line, record) in enumerate(self._lines):
            if record.get(MACHINE) in heard:
                continue
            if _is_told(record):
                at = str(next(moments, {"at": at})["at"])
            yield (at, own.machine, number), line


def of_all(memory: Memory) -> list[Record]:
    """Return the records of all machines in *memory*'s journal, without whose they are."""
    file = memory.workspace.layout.journal_file
    content = stored.read(file) if file.exists() else b""
    records = (parse_record(line, json.loads) for line in content.splitlines())
    return [
        {key: value for key, value in each.items() if key != MACHINE}
        for each in records
        if _travels(each)
    ]


def told_records(
    records: Sequence[Record], *, numbers: Iterator[int], at: str, timezone: Any
) -> list[Record]:
    """
    Return *records* of the journal for a log, each with the next of *numbers*.

    Each is of the moment that it names, but never of one before *at* or the one before it.
    """
    found = []
    for record in records:
        at = max(at, _moment(record, timezone))
        placed = {"n": next(numbers), "at": at, "record": record}
        found.append({"event": TOLD, "version": VERSION, **placed})
    return found


def in_utc(moment: datetime) -> str:
    """Return *moment* so that moments of all zones are in their order as texts."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _moment(record: Record, timezone: Any) -> str:  # Any: a tzinfo
    try:
        found = datetime.fromisoformat(str(record.get("at")))
    except ValueError:
        return ""
    return in_utc(found if found.tzinfo else found.replace(tzinfo=timezone))


def _travels(record: Record) -> bool:
    return bool(record) and record["event"] not in _OF_ONE_MACHINE


def _is_told(record: Record) -> bool:
    return _travels(record) and MACHINE not in record


def _theirs(log: Log) -> list[tuple[Order, Record]]:
    return [
        ((str(each["at"]), log.machine, number), each["record"])
        for number, each in enumerate(log.of(TOLD))
    ]


def _dumped(record: Record) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()
