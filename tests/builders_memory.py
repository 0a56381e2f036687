"""A workspace in which an owner has talked, remembered and tidied."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from builders import Conversation

from strata.jobs.sync import sync
from strata.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOON = "2026-11-20T12:00:00+00:00"
NIGHT = "2026-11-21T03:00:00+00:00"


def open_memory(root: Path, now: str = NOON, *settings: str) -> Memory:
    """
    The memory of the workspace below *root*, at *now*, in UTC.
    """
    (root / "workspace").mkdir(parents=True, exist_ok=True)
    return Memory.open(
        workspace=str(root / "workspace"),
        state_dir=str(root / "state"),
        now=now,
        overrides=["timezone=UTC", *settings],
    )


def captured(root: Path) -> Memory:
    """
    The memory after a conversation that is worth two lines of MEMORY.md.
    """
    talk = Conversation(root / "state")
    talk.user("From now on always use pnpm, never npm, in acme-dashboard.").agent("Ok.")
    talk.user("We keep PostgreSQL 16, because the reports need ACID.").agent("Fine.")
    talk.save()
    memory = open_memory(root)
    sync(memory)
    return memory


def page(memory: Memory) -> str:
    """
    MEMORY.md as it is now.
    """
    return memory.workspace.read("MEMORY.md")


def statements_of(memory: Memory) -> list[str]:
    """
    What the lines of MEMORY.md say.
    """
    lines = page(memory).splitlines()
    return [line[2:].split(" (src:")[0] for line in lines if line.startswith("- ")]


def overtaken(memory: Memory, job: Callable[[], object]) -> Memory:
    """
    The same *memory*, in which *job* comes first where it next waits for other jobs.
    """
    workspace = copy(memory.workspace)
    jobs = iter([job])

    def make_private() -> None:
        memory.workspace.make_private()
        for each in jobs:
            each()

    workspace.__dict__["make_private"] = make_private
    return replace(memory, workspace=workspace)
