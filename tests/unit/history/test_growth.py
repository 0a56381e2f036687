"""How the page filled, as the journal tells it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from strata.history.growth import PageDay, growth

MONDAY, TUESDAY = date(2026, 11, 2), date(2026, 11, 3)


def record(event: str, name: str, day: date = MONDAY, **more: object) -> dict[str, Any]:
    """
    A record of the statement *name*, by a run of its day.
    """
    told = {"event": event, "id": name, "at": f"{day}T03:00:00+00:00", "run": str(day)}
    return told | ({"line": True} if event == "promoted" else {}) | more


def days(*records: dict[str, Any]) -> dict[date, PageDay]:
    """
    What *records* tell, by their days in UTC.
    """
    return dict(growth(records, lambda at: datetime.fromisoformat(at).date()).days)


def test_lines_come_and_leave() -> None:
    """
    Each day has what stands at its end, what came, and what left by what event.
    """
    found = days(
        record("promoted", "a"),
        record("promoted", "b"),
        record("superseded", "a", TUESDAY),
        record("promoted", "c", TUESDAY),
        record("expired", "b", TUESDAY),
    )

    assert found[MONDAY] == PageDay(2, 2)
    assert (1, 1) == (found[TUESDAY].lines, found[TUESDAY].came)
    assert found[TUESDAY].left == {"superseded": 1, "expired": 1}


def test_a_line_counts_once() -> None:
    """
    Another source of a line is no line, and a declined one leaves once.
    """
    found = days(
        record("promoted", "a"),
        record("merged", "a", TUESDAY, line=True),
        record("declined", "a", TUESDAY),
        record("expired", "a", TUESDAY),
    )

    assert found[TUESDAY].left == {"declined": 1}
    assert (0, 0) == (found[TUESDAY].lines, found[TUESDAY].came)


def test_who_declines_that_a_line_leaves_keeps_it() -> None:
    """
    An answer to a question about leaving takes nothing out.
    """
    found = days(
        record("promoted", "a"),
        record("declined", "a", TUESDAY, wanted="expired"),
    )

    assert list(found) == [MONDAY]


def test_an_undone_run_has_done_nothing() -> None:
    """
    What a run put on the page is not there once it was taken back.
    """
    undone = {"event": "undone", "run": "u", "undoes": str(TUESDAY), "at": "x"}

    found = days(record("promoted", "a"), record("promoted", "b", TUESDAY), undone)

    assert found == {MONDAY: PageDay(1, 1)}
