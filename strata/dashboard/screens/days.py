"""Time: what happened on which day, and how the page grew."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from strata.dashboard.calendars import calendar_of
from strata.dashboard.charts import KINDS, charts, month_name
from strata.dashboard.nights import night_of
from strata.dashboard.places import address_of
from strata.dashboard.spans import month_of, told_day, told_span, year_of
from strata.dashboard.tallies import kinds_noted, notes_by_day
from strata.dashboard.visits import Page, Screen
from strata.jobs.report import date_in
from strata.notes.noted import noted_lines
from strata.notes.weekly import weekly_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strata.dashboard.visits import Reply, Visit
    from strata.notes.noted import Noted

_MOST_NOTED = 60


class _Placed(NamedTuple):
    """A line of the note *path*, at *place* among all lines of the notes of its day."""

    path: str
    place: int
    noted: Noted


def show(visit: Visit) -> Reply:
    """Show the days of a month or a year, and the charts of it."""
    say, memory = visit.say("dashboard-time"), visit.memory
    today = memory.now.date()
    span = told_span(visit.text("month"), visit.text("year"), today)
    notes = notes_by_day(memory)
    ends = [*list(notes)[:1], *list(notes)[-1:], today]
    kinds = {day: kinds_noted(memory, notes[day]) for day in notes if day in span}
    calendar = calendar_of(memory, span, kinds)
    values = {
        "time": say,
        "span": span,
        "today": today,
        "is_first": span.first <= min(ends),
        "is_last": span.last >= max(ends),
        "other": month_of(min(max(today, span.first), span.last))
        if span.is_year
        else year_of(span.first),
        "weekdays": [say(f"weekday-{number}") for number in range(7)],
        "months": [
            (month_name(say, each.first), list(calendar.weeks(each)))
            for each in span.months
        ],
        "charts": charts(visit, span, kinds),
        "total": calendar.total,
    }
    named = span.name if span.is_year else month_name(say, span.first)
    return Page("time", "time", say("title-of", name=named), values)


def show_day(visit: Visit) -> Reply:
    """Show what was noted on one day, and what memory did with it by the next morning."""
    say, memory = visit.say("dashboard-time"), visit.memory
    day = told_day(visit.need("date"))
    notes = notes_by_day(memory)
    days = list(notes)
    at, after = bisect_left(days, day), bisect_right(days, day)
    paths = notes.get(day, [])
    counts = kinds_noted(memory, paths)
    start = visit.number("from", 1)
    *lines, after_them = _page_of(_noted(visit, paths, start))
    night = night_of(visit, day)
    weekly = weekly_path(day)
    values = {
        "time": say,
        "day": day,
        "earlier": days[at - 1] if at else None,
        "later": days[after] if after < len(days) else None,
        "month": month_of(day),
        "weekly": weekly if (memory.workspace.root / weekly).is_file() else "",
        "paths": paths,
        "kinds": [(kind, counts[kind]) for kind in KINDS if counts[kind]],
        "total": counts.total(),
        "blocks": list(_blocks(each for each in lines if each)),
        "before": max(start - _MOST_NOTED, 1) if start > 1 else 0,
        "next": after_them.place if after_them else 0,
        "groups": night.groups,
        "runs": night.runs,
    }
    named = say("day", date=date_in(visit.language, day), year=day.year)
    return Page("day", "time", named, values)


def _noted(visit: Visit, paths: Sequence[str], start: int) -> Iterator[_Placed]:
    """Yield what is noted from line *start* on, as if *paths* were one note."""
    before = 0
    for path in paths:
        text = visit.memory.workspace.read(path)
        for each in noted_lines(text, start - before):
            yield _Placed(path, before + each.number, each)
        before += text.count("\n") + 1


def _page_of(lines: Iterator[_Placed]) -> list[_Placed | None]:
    """Return so many of *lines* as a page has, and then the next one, None without one."""
    return [*islice(lines, _MOST_NOTED), next(lines, None)]


def _blocks(
    lines: Iterable[_Placed],
) -> Iterator[tuple[str, str, list[dict[str, object]]]]:
    """Yield each note, a heading in it, and the lines below that."""
    for (path, under), found in groupby(lines, lambda at: (at.path, at.noted.under)):
        yield path, under, [_row(each) for each in found]


def _row(placed: _Placed) -> dict[str, object]:
    each, to = placed.noted, address_of(placed.path, placed.noted.number)
    return {"number": each.number, "to": to, "text": each.text, "tag": each.tag}


SCREENS = (Screen("/time", show), Screen("/time/day", show_day))
