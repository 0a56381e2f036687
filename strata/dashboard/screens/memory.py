"""Memory: the page as the agent sees it, and what may be done to each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.dashboard.lines import line_row, says_something, stretch
from strata.dashboard.places import address_of
from strata.dashboard.statements import row
from strata.dashboard.visits import Page, Screen
from strata.jobs.deciding.verdict_list import statements
from strata.notes.long_term import (
    MOST_BYTES,
    MOST_LINES,
    bare_lines,
    scaffold_language,
    size_of,
)
from strata.notes.words import words_in
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from strata.dashboard.visits import Reply, Visit

# Beside a line of ours stand its forms; as many as MEMORY.md may have fit on one page.
_FRAME_BYTES = 1_250


def show(visit: Visit) -> Reply:
    """Show MEMORY.md line by line: whose each is, and what may be done to it."""
    say = visit.say("dashboard-memory")
    text = visit.memory.workspace.read(LONG_TERM)
    lines = bare_lines(text)
    _, last = stretch(lines, 1, _FRAME_BYTES)
    if lines:
        visit.memory.saw(f"{LONG_TERM}#L1-L{last}")
    values = {
        "memory": say,
        "rows": _rows(visit, text, lines[:last]),
        "rest": address_of(LONG_TERM, last + 1) if last < len(lines) else "",
        "lines": len(lines),
        "most_lines": MOST_LINES,
        "bytes": size_of(text),
        "most_bytes": MOST_BYTES,
    }
    return Page("memory", "memory", say("title"), values)


def _rows(visit: Visit, text: str, lines: list[str]) -> list[dict[str, object]]:
    known = {each.line: each for each in statements(visit.standing) if each.line}
    language = scaffold_language(text)
    head = set(words_in(language).top.splitlines()) if language else set()
    rows = []
    for number, raw in enumerate(lines, 1):
        found = known.get(number)
        rows.append(
            {
                **line_row(LONG_TERM, number, raw),
                "ours": row(visit, found) if found else None,
                "by_hand": not found
                and raw not in head
                and says_something(LONG_TERM, raw),
            }
        )
    return rows


SCREENS = (Screen("/memory", show),)
