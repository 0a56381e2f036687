"""Where the records of the journal are asked for, and which were taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from strata.history.names import UNDONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Records(Protocol):
    """The journal on the disk, or a history that has read it."""

    def records(self, *events: str) -> Iterator[dict[str, Any]]:
        """Yield the records of *events* from the oldest on."""
        ...


def undone_runs(records: Iterable[dict[str, Any]]) -> frozenset[str]:
    """Return the runs that *records* take back; an undoing may be undone as well."""
    cancelled: set[str] = set()
    for record in reversed(list(records)):
        if record["event"] == UNDONE and record.get("run") not in cancelled:
            cancelled.add(str(record.get("undoes")))
    return frozenset(cancelled)
