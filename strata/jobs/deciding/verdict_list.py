"""The statements that memory has judged, and how a person names one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.errors import NotFound, UsageError
from strata.history.names import UNSURE
from strata.history.projection import History
from strata.messages import Notice
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from strata.history.statements import Statement
    from strata.memory import Memory

SHORTEST_ID = 4
# What an owner does to statements, and what stands for all that wait.
ACTIONS = ("accept", "decline", "pin", "unpin", "edit")
ALL = "all"


def statements(memory: Memory) -> list[Statement]:
    """
    Return every statement that *memory* has judged, the latest first.

    Before them what of another person's page OpenClaw may read to that person.
    """
    history = History(memory.journal, worded=False)
    known = history.statements(memory.workspace.read(LONG_TERM))
    if memory.parent and memory.is_of_one:
        from strata.jobs.personal import proposed  # noqa: PLC0415 - few have them

        return [*proposed(memory, known), *known]
    return known


def find_statement(memory: Memory, start: str) -> Statement:
    """
    Return the statement whose id starts with *start*, or that ``MEMORY.md:12`` names.

    Raise `NotFound` or `UsageError` where it is none or not one.
    """
    known = statements(memory)
    path, colon, number = start.rpartition(":")
    if colon and path == LONG_TERM and number.isdecimal():
        found = [each for each in known if each.line == int(number)]
        if not found:
            raise NotFound(
                Notice("review.not-ours", start=start),
            )
        return found[0]
    found = [each for each in known if each.id.startswith(start)] if start else []
    if not found:
        raise NotFound(
            Notice("review.no-entry", id=start),
        )
    if len(found) > 1:
        raise UsageError(
            Notice("review.several", id=start, count=len(found)),
        )
    return found[0]


def is_unsure(found: Statement) -> bool:
    """Say whether *found* waits because the owner may not have said it at all."""
    return found.kind == "waiting" and found.record.get("dimension") in UNSURE


def short_ids(names: Iterable[str]) -> dict[str, str]:
    """Return the shortest unique start of each of *names*, of four digits at least."""
    ordered = sorted(set(names))
    short = {}
    for position, name in enumerate(ordered):
        neighbours = (
            ordered[max(position - 1, 0) : position]
            + ordered[position + 1 : position + 2]
        )
        length = SHORTEST_ID
        while any(
            other[:length] == name[:length] for other in neighbours
        ) and length < len(name):
            length += 1
        short[name] = name[:length]
    return short
