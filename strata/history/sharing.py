"""Which lines the owner shared among agents, as the journal of their memory tells it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.history.names import SHARED, UNDONE, UNSHARED
from strata.history.records import undone_runs
from strata.notes.marks import folded

if TYPE_CHECKING:
    from strata.history.records import Records

VERSION = 1
_ID_LENGTH = 12


@dataclass(frozen=True, slots=True)
class Share:
    """
    A line that the owner shared: what it says, and where it stood then.

    *day* is the ISO date on which it was said, *source* is ``path:line``. *in_clear* is
    set where the owner wants it shared although its memory is encrypted.
    """

    text: str
    day: str
    source: str
    in_clear: bool = False

    @property
    def id(self) -> str:
        """The name under which it is shared, which is not that of the statement."""
        return share_id(self.text)

    def record(self, event: str, *, at: str, run: str) -> dict[str, Any]:
        """Return what the journal is told when *event* becomes of it."""
        return {
            "event": event,
            "version": VERSION,
            "at": at,
            "run": run,
            "id": self.id,
            "text": self.text,
            "day": self.day,
            "source": self.source,
            "wanted": SHARED,
            **({"in_clear": True} if self.in_clear else {}),
        }


def share_id(text: str) -> str:
    """Return the id under which *text* is shared, or proposed: twelve hex digits."""
    key = f"shared\x1f{folded(text)}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(key).hexdigest()[:_ID_LENGTH]


def shares(journal: Records) -> list[Share]:
    """Return what is shared by now, in the order in which it was."""
    records = list(journal.records(SHARED, UNSHARED, UNDONE))
    undone = undone_runs(records)
    found: dict[str, Share] = {}
    for record in records:
        if record["event"] == UNDONE or record.get("run") in undone:
            continue
        share = share_of(record)
        found.pop(share.id, None)
        if record["event"] == SHARED and share.text:
            found[share.id] = share
    return list(found.values())


def share_of(record: dict[str, Any]) -> Share:
    """Return the line that *record* is about."""
    text, day, source = (str(record.get(n) or "") for n in ("text", "day", "source"))
    return Share(text, day, source, record.get("in_clear") is True)
