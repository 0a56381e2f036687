"""Two agents of one owner, of which one may read what the other shares."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from builders import Conversation

from strata.jobs.sync import sync
from strata.memory import Memory
from strata.workspace.settings_file import change_setting

if TYPE_CHECKING:
    from pathlib import Path

NOON = "2026-11-20T12:00:00+00:00"
OFFICE = "We decided that the new office goes to Quokkaville, because rents are low."
PNPM = "From now on always use pnpm, never npm, in acme-dashboard."
COPY = "memory/shared/main.md"
PAGE = "strata/shared/main.md"


def open_agent(root: Path, agent: str = "main", now: str = NOON) -> Memory:
    """
    The private memory of *agent*, in UTC.
    """
    return Memory.open(
        state_dir=str(root / "state"), agent=agent, now=now, overrides=["timezone=UTC"]
    )


def two_agents(root: Path, *, reading: tuple[str, ...] = ("b",)) -> Memory:
    """
    The memory of main, which was told two things; those *reading* may read what it shares.
    """
    entries = {}
    for agent, folder in (("main", "workspace"), ("b", "workspace-b")):
        (root / folder).mkdir(parents=True)
        entries[agent] = {"workspace": str(root / folder), "default": agent == "main"}
    talk = Conversation(root / "state")
    talk.user(PNPM).agent("Ok.").user(OFFICE).agent("Noted.")
    talk.save()
    (root / "state" / "openclaw.json").write_text(
        json.dumps({"agents": {"entries": entries}})
    )
    memory = open_agent(root)
    sync(memory)
    for agent in reading:
        change_setting(open_agent(root, agent).workspace, "shared.read", value=True)
    return memory


def line_of(memory: Memory, text: str) -> str:
    """
    The place of the entry *text* in the note of the day, as an owner names it.
    """
    path = "memory/2026-11-20.md"
    lines = memory.workspace.read(path).split("\n")
    return next(f"{path}:{n}" for n, each in enumerate(lines, 1) if text in each)


def copy_in(root: Path, agent: str = "b") -> str:
    """
    What *agent* holds of what main shares, "" for nothing.
    """
    folder = "workspace" if agent == "main" else f"workspace-{agent}"
    file = root / folder / COPY
    return file.read_text() if file.exists() else ""
