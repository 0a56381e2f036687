"""Is everybody's memory apart: what stands among the owner's notes, and what is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.history.names import CAPTURED
from strata.jobs.capturing.scoping import NOT_SURE
from strata.jobs.checks.findings import Finding, note
from strata.messages import Notice
from strata.workspace.layout import LONG_TERM
from strata.workspace.prompt_limits import PROFILE
from strata.workspace.scopes import SHARED, scope_of_key
from strata.workspace.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.memory import Memory

_KEY, _LONGEST_KEY = b'"session_key"', 500
_MARKS = [f":{kind}:".encode() for kind in SHARED]


def check_scopes(memory: Memory) -> Iterator[Finding]:
    """
    Name group chats in private notes, conversations that nobody may own, and who else is
    shown what is the owner's.
    """
    old = {
        str(record.get("session"))
        for record in memory.journal.records(CAPTURED, suits=_may_be_shared)
        if (scope := scope_of_key(str(record.get("session_key")))) is not None
        and scope.kind == "group"
    }
    if old:
        told = Notice("count.conversations", count=len(old))
        says = Notice("doctor.old-groups", conversations=told, session=min(old))
        yield note("group notes", says)
    seen = Seen(memory.workspace, under="").glances.values()
    unsure = sum(1 for each in seen if each.reason == NOT_SURE)
    if unsure:
        conversations = Notice("count.conversations", count=unsure)
        yield note("owner", Notice("doctor.unsure-owner", conversations=conversations))
    people = {each.scope for each in seen if each.scope.startswith("user:")}
    # OpenClaw puts them into every chat that is no group, whoever writes there.
    shown = [each for each in (PROFILE, LONG_TERM) if memory.workspace.read(each)]
    if people and shown:
        says = Notice("doctor.shown-to-others", count=len(people), files=shown)
        yield note("other people", says)


def _may_be_shared(line: bytes) -> bool:
    """Say whether *line* of the journal may be of a group: most are of nobody else."""
    place = line.find(_KEY)
    key = line[place : place + _LONGEST_KEY].lower() if place >= 0 else b""
    return any(mark in key for mark in _MARKS)
