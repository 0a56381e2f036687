"""Today: what was learned since the last look, and what waits for the owner's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.statements import row, state
from strata.dashboard.visits import Done, Page, Screen, require_seal
from strata.history.statements import MASKED_KINDS
from strata.jobs.deciding.outcomes import outcome
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
    require_seal(visit, name[:8], *state(found))
    report = review(visit.memory, action, [name], text if action == "edit" else "")
    visit.changed(report.paths)
    say = visit.say("review")
    told = tuple(outcome(each, say) for each in report.statements)
    vain = (visit.say("dashboard-today")("in-vain"),) if report.in_vain else ()
    return Done(visit.back("/"), told + vain)


def _rows(visit: Visit, found: Iterable[Statement]) -> list[dict[str, object]]:
    return [row(visit, each) for each in found][:_MOST]


def _new(visit: Visit, item: Item, each: Statement) -> dict[str, object]:
    return {**row(visit, each), "by": item.by, "where": item.where}


SCREENS = (Screen("/", show), Screen("/review", act=decide))
