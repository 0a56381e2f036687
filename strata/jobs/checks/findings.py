"""What a check found: fine, worth knowing, or a problem, with its remedy."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Level(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; *fix* mends it where that is safe."""

    name: str
    level: Level
    says: str
    remedy: str = ""
    fix: Callable[[], object] | None = field(default=None, compare=False)


def ok(name: str, says: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(name, Level.OK, says)


def note(
    name: str, says: str, remedy: str = "", fix: Callable[[], object] | None = None
) -> Finding:
    """Return a finding worth knowing."""
    return Finding(name, Level.NOTE, says, remedy, fix)


def problem(
    name: str, says: str, remedy: str, fix: Callable[[], object] | None = None
) -> Finding:
    """Return a finding that a person must act on, unless it can be fixed."""
    return Finding(name, Level.PROBLEM, says, remedy, fix)
