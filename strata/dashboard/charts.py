"""The charts of a month or a year: what was noted, how the page filled, what was asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.dashboard.drawing import Strip, draw
from strata.dashboard.journal_days import journal_days
from strata.dashboard.tallies import (
    AGENTS,
    OTHER,
    OWNER,
    questions_answered,
    times_shown,
)
from strata.jobs.deciding.reasons import event_in
from strata.models import Tag
from strata.notes.long_term import MOST_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from strata.dashboard.drawing import Drawing
    from strata.dashboard.spans import Span
    from strata.dashboard.visits import Visit
    from strata.messages import Voice

KINDS = (*Tag, OTHER)
_EVERY_WEEK = 7


@dataclass(frozen=True, slots=True)
class Chart:
    """
    A *drawing*, and what tells the same in words: a sentence (*told*), and a table.

    *rows* are those of the columns that have any figure, each with its name.
    """

    name: str
    title: str
    told: str
    drawing: Drawing
    rows: Sequence[tuple[str, Sequence[int]]]


def charts(
    visit: Visit, span: Span, kinds: Mapping[date, Mapping[str, int]]
) -> list[Chart]:
    """Return the charts of *span*; *kinds* are the lines of each of its days, by kind."""
    made = {
        "noted": _noted(visit, span, kinds),
        "page": _page(visit, span),
        "asked": _asked(visit, span),
    }
    say = visit.say("dashboard-time")
    return [_chart(name, strips, span, say) for name, strips in made.items()]


def month_name(say: Voice, day: date) -> str:
    """Return what the month of *day* is called, with its year."""
    return say("month", month=say(f"month-{day.month}"), year=day.year)


def _noted(
    visit: Visit, span: Span, kinds: Mapping[date, Mapping[str, int]]
) -> list[Strip]:
    say = visit.say("dashboard-time")
    columns = [[kinds[day] for day in days if day in kinds] for days in span.columns()]
    return [
        Strip(
            kind,
            say(f"kind-{kind}"),
            [sum(each.get(kind, 0) for each in days) for days in columns],
        )
        for kind in KINDS
    ]


def _page(visit: Visit, span: Span) -> list[Strip]:
    say = visit.say("dashboard-time")
    growth = journal_days(visit.memory).page.days
    columns = span.columns()
    changed = [[growth[day] for day in days if day in growth] for days in columns]
    left = [sum((each.left for each in days), Counter[str]()) for days in changed]
    came = [sum(each.came for each in days) for days in changed]
    events = dict.fromkeys(event for each in left for event in each)
    lines = list(_lines(visit, span, columns))
    top = max(MOST_LINES, *(each or 0 for each in lines))
    return [
        Strip("lines", say("lines", most=MOST_LINES), lines, level=True, top=top),
        Strip("came", say("came"), came),
        *(
            Strip(
                "left", event_in(visit.language, event), [each[event] for each in left]
            )
            for event in events
        ),
    ]


def _lines(
    visit: Visit, span: Span, columns: Sequence[Sequence[date]]
) -> Iterator[int | None]:
    """Yield how many lines stood on the page at the end of each column, until today."""
    growth, today = journal_days(visit.memory).page.days, visit.memory.now.date()
    stood = next(
        (each.lines for day, each in reversed(growth.items()) if day < span.first), 0
    )
    for days in columns:
        for day in days:
            stood = growth[day].lines if day in growth else stood
        yield stood if days[0] <= today else None


def _asked(visit: Visit, span: Span) -> list[Strip]:
    say = visit.say("dashboard-time")
    answered, shown = questions_answered(visit.memory), times_shown(visit.memory)
    columns = span.columns()
    found = [sum(answered[day.isoformat()] for day in days) for days in columns]
    return [
        Strip("answered", say("answered"), found),
        *(
            Strip(
                f"shown-{who}",
                say(f"shown-{who}"),
                [sum(shown[day, who] for day in days) for days in columns],
                beside=True,
            )
            for who in (AGENTS, OWNER)
        ),
    ]


def _chart(name: str, strips: Sequence[Strip], span: Span, say: Voice) -> Chart:
    names, ticks = zip(*_named(span, say), strict=True)
    figures = [
        [each.figures[place] or 0 for each in strips] for place in range(len(names))
    ]
    sums = [_added(strips, each) for each in figures]
    most, level = max(sums), sum(each.total for each in strips if each.level)
    empty = not any(each.most for each in strips)
    what = "none" if empty else "told" if most else "still"
    return Chart(
        name,
        say(f"{name}-title"),
        say(
            f"{name}-{what}",
            total=sum(sums),
            peak=say(
                "in-week" if span.is_year else "on-day", day=names[sums.index(most)]
            ),
            most=most,
            level=level,
        ),
        draw([] if empty else strips, ticks),
        [
            (each, row)
            for each, row, added in zip(names, figures, sums, strict=True)
            if added or any(row[1:])
        ],
    )


def _added(strips: Sequence[Strip], figures: Sequence[int]) -> int:
    """Return what the sentence counts of a column: no levels, and nothing twice."""
    pairs = zip(strips, figures, strict=True)
    return sum(each for strip, each in pairs if not (strip.level or strip.beside))


def _named(span: Span, say: Voice) -> Iterator[tuple[str, str]]:
    """Yield for each column what it is called in the table, and below the drawing."""
    for days in span.columns():
        first = next((day for day in days if day.day == 1), None)
        if span.is_year:
            tick = say(f"short-month-{first.month}") if first else ""
        else:
            tick = str(days[0].day) if days[0].day % _EVERY_WEEK == 1 else ""
        yield days[0].isoformat(), tick
