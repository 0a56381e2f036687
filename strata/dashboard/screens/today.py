"""Today: what was learned since the last look, and what waits for the owner's word."""

from __future__ import annotations

from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING

from strata.dashboard.statements import row, state
from strata.dashboard.visits import Done, Page, Screen, require_seal
from strata.history.statements import MASKED_KINDS
from strata.jobs.deciding.outcomes import outcome
from strata.jobs.deciding.verdict_list import find_statement, statements
from strata.jobs.digest import news
from strata.messages import minute
from strata.notes.long_term import MOST_LINES, bare_lines
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from strata.dashboard.visits import Reply, Visit
    from strata.history.statements import Statement
    from strata.jobs.report import Item

    Row = dict[str, object]

# A page stays below 150 KB: so many bytes of statements, and around each its form. It
# shows as many letters of each as `parts.html.j2`, and of its name for each button.
_MOST_BYTES = 138_000
_FRAME_BYTES = 1_200
_MOST_LETTERS, _MOST_OF_NAME = 400, 120
_KEPT_OUT = ("quarantined", *MASKED_KINDS)


def show(visit: Visit) -> Reply:
    """Show what is new and what waits; of what was masked never more than its place."""
    say = visit.say("dashboard-today")
    found = news(visit.standing, visit.since)
    known = {each.id: each for each in statements(visit.standing)}
    told = {
        name: [item for item in items if item.id in known]
        for name, items in found.groups.items()
    }
    apart = [each for each in known.values() if each.kind in _KEPT_OUT]
    rows = _fitting(
        {
            "waiting": (row(visit, each) for each in found.waiting),
            **{
                name: (_new(visit, item, known[item.id]) for item in items)
                for name, items in told.items()
            },
            "apart": (row(visit, each) for each in apart),
        }
    )
    count = len(found.waiting) + len(apart) + sum(map(len, told.values()))
    page = bare_lines(visit.memory.workspace.read(LONG_TERM))
    visit.memory.saw(LONG_TERM)
    values = {
        "today": say,
        "since": minute(visit.since),
        "waiting": rows["waiting"],
        "groups": {name: rows[name] for name in told if rows[name]},
        "apart": rows["apart"],
        "more": count - sum(map(len, rows.values())),
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


def _fitting(groups: Mapping[str, Iterator[Row]]) -> dict[str, list[Row]]:
    """Take of each of *groups* one row after the other, in turn, while there is room."""
    found: dict[str, list[Row]] = {name: [] for name in groups}
    room = _MOST_BYTES
    for turn in zip_longest(*groups.values()):
        for name, each in zip(groups, turn, strict=True):
            room -= _size(each) if each else 0
            if room < 0:
                return found
            found[name] += [each] if each else []
    return found


def _size(shown: Row) -> int:
    """Return how many bytes *shown* takes on the page, at most."""
    text, actions = str(shown["text"]), shown["actions"]
    count = len(actions) if isinstance(actions, tuple) else 0
    own = str(shown["own"]) if count > 1 else ""
    others = (
        str(shown[name])[:_MOST_LETTERS] for name in ("why", "by") if name in shown
    )
    said = "".join((text[:_MOST_LETTERS], own, text[:_MOST_OF_NAME] * count, *others))
    return _FRAME_BYTES + len(escape(said).encode("utf-8", "replace"))


def _new(visit: Visit, item: Item, each: Statement) -> Row:
    return {**row(visit, each), "by": item.by, "where": item.where}


SCREENS = (Screen("/", show), Screen("/review", act=decide))
