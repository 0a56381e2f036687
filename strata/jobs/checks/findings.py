"""What a check found: fine, worth knowing, or a problem, with its remedy."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from strata.messages import FALLBACK, Notice, Voice, table_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Fix = Callable[[], object]


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
    fix: Fix | None = field(default=None, compare=False)


def ok(name: str, says: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(name, Level.OK, says)


def note(name: str, says: str, remedy: str = "", fix: Fix | None = None) -> Finding:
    """Return a finding worth knowing, whose sentence may bring its own remedy."""
    return Finding(name, Level.NOTE, says, remedy or _remedy(says), fix)


def problem(name: str, says: str, remedy: str = "", fix: Fix | None = None) -> Finding:
    """Return a finding that a person must act on, unless it can be fixed."""
    return Finding(name, Level.PROBLEM, says, remedy or _remedy(says), fix)


def _remedy(says: str) -> str:
    """Return the sentence among the remedies that has the name of *says*, if any."""
    if not isinstance(says, Notice):
        return ""
    name = says.key.rpartition(".")[2]
    known = name in table_of(FALLBACK, "remedies")
    return Notice(f"remedies.{name}", **says.values) if known else ""


def named(name: str, language: str) -> str:
    """Return what was looked at, in *language*: of ours, or a file, a setting, a job."""
    names, key = Voice("findings", language), name.replace(" ", "-")
    job, _, twice = name.rpartition(" ")
    if twice == "twice":
        return names("twice", name=job)
    return names(key) if key in names else name
