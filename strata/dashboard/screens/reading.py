"""Reading: any memory file with its lines numbered, each to be reworded or deleted."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from strata.dashboard.lines import (
    changeable_from,
    frame_bytes,
    line_row,
    stretch,
)
from strata.dashboard.places import address_of, note_named, story_of
from strata.dashboard.visits import Done, Page, Screen, require_seal
from strata.errors import Moved, NotFound, UsageError
from strata.messages import Notice
from strata.notes.headings import monday_of
from strata.notes.weekly import weekly_path
from strata.search.answering.citations import get, names_a_line
from strata.search.indexing.scanning import day_of, tier_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from strata.dashboard.visits import Reply, Visit
    from strata.jobs.change_entry import Changed
    from strata.memory import Memory
    from strata.search.answering.citations import Passage

# As the bank names a note, or a week, and the line that it rests on.
_SOURCE = re.compile(
    r"\(src: (?P<name>(?:weekly/)?\d{4}-\d\d-\d\d[\w.-]*)#L(?P<line>\d+)"
)


def show(visit: Visit) -> Reply:
    """Show the file that is named, or the part of it in which a line stands."""
    say = visit.say("dashboard-memory")
    named = get(visit.memory.workspace.root, visit.need("path"))
    whole = get(visit.memory.workspace.root, named.path)
    change = visit.number("change")
    meant = change or visit.number("line") or named.start_line
    lines = whole.text.split("\n")
    first, last = stretch(lines, min(meant, len(lines)), frame_bytes(whole.path))
    visit.memory.saw(f"{whole.path}#L{first}-L{last}")
    values = {
        "memory": say,
        "path": whole.path,
        "tier": tier_of(whole.path).value,
        "rows": _rows(visit.memory, whole, lines, range(first, last + 1)),
        "change": change,
        "changeable": changeable_from(whole.text),
        "first": first,
        "last": last,
        "count": len(lines),
        "before": address_of(whole.path, first - 1) if first > 1 else "",
        "after": address_of(whole.path, last + 1) if last < len(lines) else "",
        "beside": _beside(visit.memory, whole.path),
    }
    return Page("read", "memory", whole.path, values)


def edit(visit: Visit) -> Reply:
    """Let a line say what the owner says, as `strata edit` does."""
    from strata.jobs.change_entry import edit as run  # noqa: PLC0415 - judges

    place, seen = _seen(visit)
    return _done(visit, run(visit.memory, place, visit.text("text"), seen=seen))


def delete(visit: Visit) -> Reply:
    """Take a line out of its file, as `strata delete` does."""
    from strata.jobs.change_entry import delete as run  # noqa: PLC0415 - judges

    place, seen = _seen(visit)
    return _done(visit, run(visit.memory, place, seen=seen))


def _seen(visit: Visit) -> tuple[str, str]:
    """Return the place that a form names, and its line, if that is what its page showed."""
    named = visit.need("of")
    if not names_a_line(named):
        raise UsageError.of("dashboard.nothing-named")
    try:
        found = get(visit.memory.workspace.root, named, 1)
    except NotFound:
        raise Moved(Notice("dashboard.moved", place=named)) from None
    place = f"{found.path}:{found.start_line}"
    require_seal(visit, place, found.path, str(found.start_line), found.text)
    return place, found.text


def _done(visit: Visit, done: Changed) -> Done:
    from strata.jobs.change_entry import outcome_lines  # noqa: PLC0415 - judges

    visit.changed(done.paths)
    say = visit.say("dashboard-memory")
    told = [*outcome_lines(done, visit.say("inspect")), say("undo")]
    told += [say("not-forgotten")] if done.event == "deleted" else []
    return Done(address_of(done.place.path, done.place.line), tuple(told))


def _rows(
    memory: Memory, whole: Passage, lines: Sequence[str], shown: Iterable[int]
) -> list[dict[str, object]]:
    rows = [line_row(whole.path, number, lines[number - 1]) for number in shown]
    made = changeable_from(whole.text)
    for row, number in zip(rows, shown, strict=True):
        if number < made:
            # What Strata put together tells where it took it from, and has no story.
            source = _source(memory, lines[number - 1])
            row |= {"says": bool(source), "story": story_of(source)}
    return rows


def _source(memory: Memory, raw: str) -> str:
    """Return the place that a line of the bank names as its source, or ""."""
    found = _SOURCE.search(raw)
    if found is None:
        return ""
    return f"{note_named(memory, found['name'])}:{found['line']}"


def _beside(memory: Memory, path: str) -> dict[str, tuple[str, str]]:
    """Return the notes before and after *path*, and its week, each with its address."""
    day = day_of(path)
    layout = memory.workspace.layout
    weeks = list(layout.weekly_notes())
    if path in weeks or day is None:
        return _neighbours(path, weeks)
    found = _neighbours(path, [each for _, each in sorted(layout.daily_notes())])
    week = weekly_path(day)
    if week in weeks:
        found["week"] = (str(monday_of(day)), address_of(week))
    return found


def _neighbours(path: str, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    found = {}
    for before, after in pairwise(paths):
        if after == path:
            found["earlier"] = (str(day_of(before)), address_of(before))
        if before == path:
            found["later"] = (str(day_of(after)), address_of(after))
    return found


SCREENS = (
    Screen("/read", show),
    Screen("/edit", act=edit),
    Screen("/delete", act=delete),
)
