"""Health: what doctor finds, what there is in figures, what the language model costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.screens import health_audit, health_settings
from strata.dashboard.visits import Done, Page, Screen
from strata.jobs.checks.findings import Level, named
from strata.jobs.connection.model_use import model_cost
from strata.jobs.doctor import examine
from strata.jobs.status import status
from strata.jobs.status_rows import rows_of
from strata.jobs.undo import known_runs, run_remarks
from strata.messages import minute, worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.checks.findings import Finding
    from strata.jobs.connection.model_use import Cost, ModelCost
    from strata.jobs.undo import KnownRun
    from strata.messages import Voice

_PLACE = "/health"
_RUNS = 5


def show(visit: Visit) -> Reply:
    """Show what is wrong first; a closer look asks OpenClaw too, and reads every note."""
    say, closer = visit.say("dashboard-health"), bool(visit.text("closer"))
    # Machine, OpenClaw and model are the owner's, whatever scope is looked at.
    findings = examine(visit.standing.private, ask_gateway=closer)
    found = status(visit.standing, thorough=closer)
    words = visit.say("status")
    by_level = {
        level: [_row(each, visit.language) for each in findings if each.level is level]
        for level in Level
    }
    values = {
        "health": say,
        "closer": closer,
        "problems": by_level[Level.PROBLEM],
        "notes": by_level[Level.NOTE],
        "fine": by_level[Level.OK],
        "figures": [
            (words(label), worded(told, visit.language))
            for label, told in rows_of(found, words)
        ],
        "cost": _cost(model_cost(visit.memory.private), say),
        "runs": [_run(each, visit) for each in known_runs(visit.memory)[:_RUNS]],
    }
    return Page("health", "health", say("title"), values)


def mend(visit: Visit) -> Reply:
    """Mend what is safe to mend, as `strata doctor --fix` does."""
    from strata.gateway.mending import mend_and_go_on  # noqa: PLC0415 - plugins, for this

    closer = bool(visit.text("closer"))
    owner = visit.memory.private
    said = mend_and_go_on(owner, examine(owner, ask_gateway=closer))
    told = tuple(worded(line, visit.language) for line in said)
    nothing = visit.say("dashboard-health")("nothing-to-mend")
    return Done(f"{_PLACE}?closer=1" if closer else _PLACE, told or (nothing,))


def _row(each: Finding, language: str) -> dict[str, object]:
    return {
        "name": named(each.name, language),
        "says": worded(each.says, language),
        "remedy": "" if each.level is Level.OK else worded(each.remedy, language),
        "mendable": each.fix is not None,
    }


def _run(known: KnownRun, visit: Visit) -> dict[str, object]:
    run, notes = known.run, run_remarks(known, visit.say("undo"))
    files = visit.say("count")("files", count=known.files)
    at = minute(run.at)
    return {"at": at, "kind": run.kind, "remarks": [files, *notes]}


def _cost(cost: ModelCost, say: Voice) -> dict[str, object] | None:
    """Return the cost as a table, None where no model is asked, and none was."""
    if not (cost.name or cost.month.calls):
        return None
    limit = cost.tokens_per_day
    return {
        "name": cost.name,
        "rows": list(_costs(cost, say)),
        "sum": _figures(cost.today, cost.month),
        "today": f"{cost.today.tokens:,}",
        "limit": f"{limit:,}",
        "part": min(round(100 * cost.today.tokens / limit), 100),
    }


def _costs(cost: ModelCost, say: Voice) -> Iterator[tuple[str, list[str]]]:
    for purpose, month in cost.purposes.items():
        key = f"for-{purpose.replace('_', '-')}"
        today = cost.purposes_today.get(purpose)
        yield say(key) if key in say else purpose, _figures(today, month)


def _figures(today: Cost | None, month: Cost) -> list[str]:
    first = [f"{today.calls:,}", f"{today.tokens:,}"] if today else ["–", "–"]
    return [*first, f"{month.calls:,}", f"{month.tokens:,}"]


SCREENS = (
    Screen(_PLACE, show),
    Screen(f"{_PLACE}/mend", act=mend),
    *health_settings.SCREENS,
    *health_audit.SCREENS,
)
