"""What a search may be asked for beside its words, read from how somebody typed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.durations import moment_since, moment_until
from strata.hits import Tier
from strata.jobs.query import Wish

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from pathlib import Path

    from strata.jobs.recall import Sought
    from strata.memory import Memory


# Any: values of click, of JSON, or of a form.
def wish(memory: Memory, told: Mapping[str, Any], folder: Path | None = None) -> Wish:
    """
    Return what the options of `query`, or arguments of that name, ask for.

    *folder* is where the asker stands, which may tell of the project at hand.
    """
    since, until = told.get("since"), told.get("until")
    return Wish(
        limit=told.get("limit"),
        since=moment_since(since, memory.now) if since else None,
        until=moment_until(until, memory.now) if until else None,
        tier=Tier(told["tier"]) if told.get("tier") else None,
        as_of=_as_of(memory, told),
        budget=told.get("budget"),
        also=tuple(told.get("also") or ()),
        explain=told.get("explain", False),
        for_owner=told.get("for_owner", False),
        project=_project(memory, told.get("project"), folder) if folder else "",
    )


def sought(memory: Memory, told: Mapping[str, Any]) -> Sought:
    """Return what the options of `recall`, or arguments of that name, ask for."""
    from strata.jobs.recall import USUAL, Sought  # noqa: PLC0415 - `query` needs no bank

    since = told.get("since")
    return Sought(
        entity=told.get("entity") or "",
        kind=told.get("kind") or "",
        since=moment_since(since, memory.now).date() if since else None,
        as_of=_as_of(memory, told),
        budget=told.get("budget"),
        limit=told.get("limit") or USUAL,
    )


def _project(memory: Memory, name: str | None, folder: Path) -> str:
    if not name:
        return ""
    from strata.jobs.projects.preferring import named  # noqa: PLC0415 - few ask for one

    return named(memory, name.strip(), folder)


def _as_of(memory: Memory, told: Mapping[str, Any]) -> date | None:
    then = told.get("as_of")
    return moment_until(then, memory.now).date() if then else None
