"""A statement as the pages show it, with what may be done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.visits import seal
from strata.jobs.deciding.outcomes import told_text
from strata.jobs.deciding.reasons import reason_in

if TYPE_CHECKING:
    from strata.dashboard.visits import Visit
    from strata.history.statements import Statement


def row(visit: Visit, each: Statement) -> dict[str, object]:
    """Return *each* as the pages show it, with what may be done to it."""
    why = reason_in(visit.language, each.record)
    return {
        "id": each.id,
        "text": told_text(each, visit.say("review")),
        "own": each.text,
        "kind": each.kind,
        "day": str(each.record.get("at", ""))[:10],
        "why": why,
        "line": each.line,
        "pinned": each.pinned,
        "judge": each.record.get("model") or "",
        "seal": seal(*state(each)),
        "actions": _actions(each),
    }


def state(each: Statement) -> tuple[str, ...]:
    """Return what a page showed of *each*, and what a decision rests on."""
    return each.id, each.text, each.kind, str(each.line), str(each.pinned)


def _actions(each: Statement) -> tuple[str, ...]:
    if each.kind == "redacted":
        return ("accept",)
    # What others order is taken in by nobody; who means it says it in words of their own.
    if each.kind in {"allowed", "quarantined"}:
        return ("decline",)
    if each.line:
        return ("unpin" if each.pinned else "pin", "edit", "decline")
    rewords = ("edit",) if each.wanted == "promoted" else ()
    return ("accept", *rewords, *(("decline",) if each.kind != "declined" else ()))
