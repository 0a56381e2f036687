"""Today: what was learned since the last look, and what waits for the owner's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.visits import Done, Page, Screen, require_seal, seal
from strata.history.statements import MASKED_KINDS
from strata.jobs.deciding.outcomes import outcome, told_text
from strata.jobs.deciding.reasons import reason_in
from strata.jobs.deciding.verdict_list import find_statement, statements
from strata.jobs.digest import news
from strata.notes.long_term import MOST_LINES, bare_lines
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.dashboard.visits import Reply, Visit
    from strata.history.statements import Statement
    from strata.jobs.report import Item

# More than anybody reads at once; `review` by kind has the rest.
_MOST = 100
_KEPT_OUT = ("quarantined", *MASKED_KINDS)


def show(visit: Visit) -> Reply:
    """Show what is new and what waits; of what was masked never more than its place."""
    say = visit.say("dashboard-today")
    found = news(visit.standing, visit.since)
    known = {each.id: each for each in statements(visit.standing)}
    groups = {
        name: [_new(visit, item, known[item.id]) for item in items if item.id in known]
        for name, items in found.groups.items()
    }
    apart = [each for each in known.values() if each.kind in _KEPT_OUT]
    page = bare_lines(visit.memory.workspace.read(LONG_TERM))
    values = {
        "today": say,
        "since": visit.since[:16].replace("T", " "),
        "waiting": _rows(visit, found.waiting),
        "groups": {name: rows[:_MOST] for name, rows in groups.items() if rows},
        "apart": _rows(visit, apart),
        "more": max(len(found.waiting) - _MOST, 0) + max(len(apart) - _MOST, 0),
        "lines": len(page),
        "most_lines": MOST_LINES,
    }
    return Page("today", "today", say("title"), values)


def decide(visit: Visit) -> Reply:
    """Accept, decline, pin, unpin or reword a statement, as `strata review` does."""
    from strata.jobs.review import review  # noqa: PLC0415 - judges, for this alone

    action, name, text = visit.need("action"), visit.need("id"), visit.text("text")
    found = find_statement(visit.memory, name)
    require_seal(visit, name[:8], *_state(found))
    report = review(visit.memory, action, [name], text if action == "edit" else "")
    visit.changed(report.paths)
    say = visit.say("review")
    told = tuple(outcome(each, say) for each in report.statements)
    vain = (visit.say("dashboard-today")("in-vain"),) if report.in_vain else ()
    return Done(visit.back("/"), told + vain)


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
        "seal": seal(*_state(each)),
        "actions": _actions(each),
    }


def _rows(visit: Visit, found: Iterable[Statement]) -> list[dict[str, object]]:
    return [row(visit, each) for each in found][:_MOST]


def _new(visit: Visit, item: Item, each: Statement) -> dict[str, object]:
    return {**row(visit, each), "by": item.by, "where": item.where}


def _state(each: Statement) -> tuple[str, ...]:
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


SCREENS = (Screen("/", show), Screen("/review", act=decide))
