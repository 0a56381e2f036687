"""What became of each statement that memory has judged, as the journal tells it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from strata.history.decisions import decisions
from strata.history.entities import MERGE
from strata.history.names import ENTITY, OFFERED, PROPOSED, SHARED, UNDONE, UNSHARED
from strata.history.records import undone_runs
from strata.notes.long_term import bare_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from strata.history.records import Records

KINDS = (
    "waiting",
    "promoted",
    "rejected",
    "superseded",
    "merged",
    "expired",
    "evicted",
    "declined",
    "quarantined",
    "redacted",
    "allowed",
)
# Values that look secret: what is masked, and what the owner took back.
MASKED_KINDS = KINDS[-2:]

_JUDGED = {
    "promoted": "promoted",
    "merged": "promoted",
    "remembered": "promoted",
    "edited": "promoted",
    "superseded": "superseded",
    "expired": "expired",
    "evicted": "evicted",
    "rejected": "rejected",
    "waiting": "waiting",
    "declined": "declined",
    "deleted": "declined",
    "reworded": "superseded",
    "quarantined": "quarantined",
    "redacted": "redacted",
    "disallowed": "redacted",
    "allowed": "allowed",
    PROPOSED: "waiting",
    OFFERED: "waiting",
}
# What becomes of a line that was proposed to be shared among agents.
_OF_OFFERS = {SHARED: "promoted", UNSHARED: "declined"}
# What tidy finds without the owner.
_BY_ITSELF = {"rejected", "waiting", "superseded", "expired", "evicted"}


@dataclass(frozen=True, slots=True)
class Statement:
    """
    A statement by its id, with the latest record about it.

    *kind* is one of `KINDS`; *line* is its number in MEMORY.md, 0 where it has none.
    """

    id: str
    text: str
    kind: str
    record: dict[str, Any]
    line: int = 0
    pinned: bool = False

    @property
    def wanted(self) -> str:
        """What would happen to a waiting statement if the owner accepts."""
        return str(self.record.get("wanted") or "promoted")


def read_statements(journal: Records, page: str) -> list[Statement]:
    """Return every statement that was judged, the latest first; *page* is MEMORY.md."""
    records = list(journal.records(*_JUDGED, *_OF_OFFERS, "accepted", ENTITY, UNDONE))
    undone = undone_runs(records)
    latest: dict[str, Statement] = {}
    lines: dict[str, str] = {}
    for record in records:
        name = record.get("id")
        if not isinstance(name, str) or not name or record["event"] == UNDONE:
            continue
        if record.get("line"):
            lines[str(record["line"])] = name
        if record.get("run") not in undone:
            _take(latest, name, record)
    return _placed(latest, lines, page, decisions(journal).pinned)


def _take(latest: dict[str, Statement], name: str, record: dict[str, Any]) -> None:
    event = record["event"]
    before = latest.get(name)
    if event == "accepted":
        # It no longer waits; the next verdict on it tells what came of that.
        if before and before.kind == "waiting":
            latest[name] = replace(before, kind="promoted", record=record)
        return
    if event == ENTITY:
        # Of names that nobody proposed there is nothing to review.
        if before:
            kind = "merged" if record.get("action") == MERGE else "declined"
            latest[name] = replace(before, kind=kind, record=before.record | record)
        return
    if event in _OF_OFFERS:
        # As of names: what the owner shared unasked has waited for nothing.
        if before:
            kind = _OF_OFFERS[event]
            latest[name] = replace(before, kind=kind, record=before.record | record)
        return
    if before and _is_held(before, record):
        return
    text = str(record.get("text") or (before.text if before else ""))
    latest.pop(name, None)
    if record.get("ended"):
        # A question about names that nobody asks any more.
        return
    # A line may merge with another, or just get one more source.
    merged = event == "merged" and not record.get("line")
    kind = "merged" if merged else _JUDGED[event]
    latest[name] = Statement(name, text, kind, record)


def _is_held(before: Statement, record: dict[str, Any]) -> bool:
    """Say whether a verdict of tidy changes nothing about what the owner has said."""
    if record["event"] not in _BY_ITSELF:
        return False
    if before.kind == "declined" and record.get("dimension") == "declined":
        return True
    waits = before.kind == "waiting" and before.record.get("dimension") == UNDONE
    again = record["event"] == "waiting" and record.get("dimension") == UNDONE
    return waits and not again and not record.get("left")


def _placed(
    latest: dict[str, Statement],
    lines: dict[str, str],
    page: str,
    pinned: AbstractSet[str],
) -> list[Statement]:
    standing: dict[str, int] = {}
    for number, line in enumerate(bare_lines(page), 1):
        if line in lines:
            standing[lines[line]] = number
    # Most have neither, and to make them anew takes longest.
    placed: Sequence[Statement] = [
        replace(each, line=standing.get(each.id, 0), pinned=each.id in pinned)
        if each.id in standing or each.id in pinned
        else each
        for each in latest.values()
    ]
    return sorted(placed, key=lambda each: str(each.record.get("at", "")), reverse=True)
