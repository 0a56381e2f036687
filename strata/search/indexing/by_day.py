"""What stands in the notes of certain days, where a question asks for nothing else."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from strata.hits import Tier
from strata.search.indexing.candidates import Candidates
from strata.search.stores.store import Found, Placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from strata.search.indexing.manifest import Row
    from strata.search.indexing.times import Times
    from strata.search.stores.store import Ranked, Scope

# From so many days on the weekly summaries tell more than single notes.
_LONG_DAYS = 4
_NEAREST = 3


class Dated(Protocol):
    """Chunks by the days that their notes are named for."""

    def days(self) -> list[tuple[date, Tier]]:
        """Return every day that a note is named for, with the note's tier."""
        ...

    def rows_of_day(self, day: date, tier: Tier) -> list[Row]:
        """Return the chunks of the notes of *tier* that are named for *day*."""
        ...


def notes_of(
    chunks: Dated, times: Times, scope: Scope, limit: int
) -> tuple[Candidates, bool]:
    """
    Return *limit* chunks of the days that *times* names, within *scope*, best first.

    Where there are none, those of the nearest days, and false.
    """
    notes = [note for note in chunks.days() if scope.holds(Placed(*note))]
    named = [(day, tier) for day, tier in notes if times.hold(day, tier)]
    near = sorted(notes, key=lambda note: (times.distance(note[0]), note[0]))[:_NEAREST]
    rows = [row for note in named or near for row in chunks.rows_of_day(*note)]
    chosen = _spread(rows, weekly=_is_long(times)) if named else rows
    return _candidates(chosen, limit), bool(named)


def _is_long(times: Times) -> bool:
    return any(
        each.first is None
        or each.last is None
        or (each.last - each.first).days >= _LONG_DAYS
        for each in times.stretches
    )


def _spread(rows: Iterable[Row], *, weekly: bool) -> list[Row]:
    """Order *rows* so that a few of them speak of every day."""
    earlier: Counter[str] = Counter()
    keyed: list[tuple[tuple[bool, int, str, int], Row]] = []
    for row in sorted(rows, key=lambda row: (row.path, row.start_line)):
        first = (row.tier is Tier.WEEKLY) == weekly
        keyed.append(((not first, earlier[row.path], row.path, row.start_line), row))
        earlier[row.path] += 1
    return [row for _, row in sorted(keyed, key=lambda pair: pair[0])]


def _candidates(rows: Sequence[Row], limit: int) -> Candidates:
    chosen = rows[:limit]
    ranked: Ranked = [(row.id, 1 - at / limit) for at, row in enumerate(chosen)]
    return Candidates(Found(ranked, []), {row.id: row for row in chosen})
