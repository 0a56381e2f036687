"""Undo: the runs of Strata, what each changed, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.differences import Room, difference
from strata.dashboard.visits import Done, Page, Screen
from strata.dashboard.wording import Rewording
from strata.errors import Moved, NotFound
from strata.jobs.undo import known_runs, undo
from strata.jobs.undoing.differences import changes_of
from strata.jobs.undoing.telling import told_lines
from strata.jobs.undoing.way_back import way_back
from strata.messages import Notice, minute, worded
from strata.templates import Exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.undo import KnownRun
    from strata.jobs.undoing.differences import FileChange

_MOST_FILES = 50
# Of a page of 150 KB, what is left for the texts.
_MOST_BYTES = 90_000


def show(visit: Visit) -> Reply:
    """Show the runs that are recorded, the newest first, as `strata undo --list` does."""
    say = _words(visit)
    rows = [_row(each, say) for each in known_runs(visit.memory)]
    return Page("runs", "runs", say("title"), {"runs": say, "rows": rows})


def show_run(visit: Visit) -> Reply:
    """Show what one run changed, and whether the way back is free."""
    return _page(visit, _named(visit))


def take_back(visit: Visit) -> Reply:
    """Undo a run, as `strata undo --run` does, with *force* over what is in the way."""
    known, seen = _named(visit), visit.need("seal")
    force = bool(visit.text("force"))
    if not force and way_back(visit.memory, known.run).obstacles:
        return _page(visit, known, Notice("dashboard-runs.needs-force"), 409)
    try:
        report = undo(visit.memory, known.run.id, force=force, seen=seen)
    except Moved:
        why = Notice("dashboard.moved", place=known.run.id)
        return _page(visit, _named(visit), why, 409)
    visit.changed(report.paths)
    told = (each.strip() for each in told_lines(report, _words(visit)))
    return Done(f"/runs/run?id={report.by or known.run.id}", tuple(told))


def _words(visit: Visit) -> Rewording:
    return Rewording("dashboard-runs", "undo", visit.language)


def _named(visit: Visit) -> KnownRun:
    name = visit.need("id")
    for each in known_runs(visit.memory):
        if each.run.id == name:
            return each
    raise NotFound.of("dashboard-runs.gone", start=name)


def _row(known: KnownRun, say: Rewording) -> dict[str, object]:
    run = known.run
    kind = f"kind-{run.kind}"
    return {
        "id": run.id,
        "kind": say(kind) if kind in say else run.kind,
        "at": minute(run.at),
        "files": known.files,
        "undoes": run.undoes,
        "by": known.by,
        "finished": known.finished,
    }


def _page(
    visit: Visit, known: KnownRun, why: Notice | None = None, status: int = 200
) -> Reply:
    say, row = _words(visit), _row(known, _words(visit))
    # Looked at before the texts: what changes between is noticed by the seal.
    way = way_back(visit.memory, known.run)
    changes = changes_of(visit.memory, known.run)
    in_the_way = {each.path for each in way.obstacles}
    values = {
        "runs": say,
        "run": row,
        "why": worded(why, visit.language) if why else "",
        "changes": list(_shown(changes[:_MOST_FILES], in_the_way, visit, say)),
        "rest": len(changes[_MOST_FILES:]),
        "can_undo": way.is_open and not known.by,
        "in_the_way": bool(in_the_way),
        "seal": Exact(way.fingerprint),
    }
    title = say("run-title", kind=row["kind"], at=row["at"])
    return Page("run", "runs", title, values, status)


def _shown(
    changes: Sequence[FileChange], in_the_way: set[str], visit: Visit, say: Rewording
) -> Iterator[dict[str, object]]:
    """Yield *changes* as a page shows them, and what was changed in each since."""
    room = Room(_MOST_BYTES)
    for each in changes:
        after = each.after if each.knows_after else each.now
        differs = each.step and each.step.obstacle and each.now != each.after
        since = differs and each.knows_after
        yield {
            "path": each.path,
            "target": each.target,
            "is_new": each.before is None,
            "is_gone": after is None,
            "is_back": each.step is None,
            "knows_after": each.knows_after,
            "difference": difference(each.before, after, room),
            "obstacle": _obstacle(each, visit, say) if each.path in in_the_way else "",
            "since": difference(each.after, each.now, room) if since else None,
        }


def _obstacle(change: FileChange, visit: Visit, say: Rewording) -> str:
    if change.by and not change.target:
        return say("by-run", path=change.path)
    return worded(change.step.obstacle, visit.language) if change.step else ""


SCREENS = (
    Screen("/runs", show),
    Screen("/runs/run", show_run),
    Screen("/runs/undo", show, take_back),
)
