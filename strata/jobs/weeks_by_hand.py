"""What a hand took out of a day, or put otherwise there, leaves the week of that day."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from strata.history.names import DELETED, REWORDED
from strata.jobs.compress import line_id, lines_in_weeks
from strata.notes.marks import spoken
from strata.notes.weekly import weekly_path
from strata.statements.relations import Relation, folded_terms, relation
from strata.workspace.layout import day_of_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from strata.memory import Memory


def take_from_weeks(memory: Memory, records: Iterable[Mapping[str, Any]]) -> list[str]:
    """
    Take the old words of entries, as *records* tell them, out of their weeks.

    Return the weeks that changed. What a hand has changed there stays as it is.
    """
    words: dict[str, list[str]] = {}
    for record in records:
        day = day_of_name(str(record.get("path")).rpartition("/")[2])
        if record["event"] in {REWORDED, DELETED} and record["text"] and day:
            words.setdefault(weekly_path(day), []).append(str(record["text"]))
    if not words:
        return []
    ours = {name for names in lines_in_weeks(memory).values() for name in names}
    return [
        week
        for week, old in words.items()
        if memory.workspace.update(week, partial(_without, old=old, ours=ours))
    ]


def _without(text: str, *, old: Collection[str], ours: Collection[str]) -> str:
    return "\n".join(
        line
        for line in text.split("\n")
        if not (line_id(line) in ours and any(_is_same(each, line) for each in old))
    )


def _is_same(words: str, line: str) -> bool:
    said = spoken(line)
    # Without a word in common two statements are different; comparing takes time.
    alike = not folded_terms(words).isdisjoint(folded_terms(said))
    return alike and relation(words, said) is Relation.SAME
