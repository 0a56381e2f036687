"""Whose memory a command works on: the asker's own, or the one that the owner names."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from strata.errors import NotFound, ScopeNotAllowed, UsageError
from strata.warm import CHANNEL, SESSION, SHELL
from strata.workspace import openclaw
from strata.workspace.scopes import PRIVATE

if TYPE_CHECKING:
    from pathlib import Path

    import click

    from strata.memory import Memory

_READING = {"query", "why", "get", "status", "trace", "inspect", "rules", "recall"}
_KEEPING = {
    *("review", "edit", "delete", "forget", "audit", "undo", "update", "embed"),
    *("tidy", "mcp", "dashboard", "import", "export", "entity", "reflect"),
}


def scoped(
    context: click.Context, memory: Memory, told: str | None, folder: Path
) -> Memory:
    """
    Return what the command may see of *memory*: by default, what whoever asks may see.

    *told* is the scope that was named, *folder* where the caller stands. Raise
    `ScopeNotAllowed` where a conversation asks for what is not its own.
    """
    _refuse_another_agent(memory, folder)
    asking, command = _asking(memory), str(context.find_root().invoked_subcommand)
    scope = _named(memory, told) or asking
    if asking not in {PRIVATE, scope}:
        raise ScopeNotAllowed.of("scope.not-its-own", asking=asking)
    allowed = _READING if asking != PRIVATE else _READING | _KEEPING
    if scope != PRIVATE and command not in allowed:
        raise ScopeNotAllowed.of("scope.owners", command=command, scope=scope)
    if scope != PRIVATE and scope not in memory.scopes.names():
        # Nothing was captured of them, and a question makes no memory.
        raise NotFound.of("query.no-memory")
    return memory.within(scope)


def _named(memory: Memory, told: str | None) -> str:
    if not told:
        return ""
    is_private = told == PRIVATE or told.startswith("agent:")
    return PRIVATE if is_private else memory.scopes.find(told)


def _asking(memory: Memory) -> str:
    """Return the scope of the conversation that runs this command."""
    told, session = os.environ.get(CHANNEL, ""), os.environ.get(SESSION, "")
    if not (told or session or os.environ.get(SHELL) == "exec"):
        return PRIVATE
    said = bool(told or session)
    if said and memory.state_folder.resolve() != openclaw.state_folder(None).resolve():
        # Who it is that asks stands in the state of the OpenClaw that says so.
        raise ScopeNotAllowed.of("scope.own-openclaw")
    try:
        context = json.loads(told or "{}")
        chat, sender = (
            str((context.get(name) or {}).get("id") or "")
            for name in ("chat", "sender")
        )
    except (ValueError, AttributeError):
        raise UsageError.of("scope.no-context", channel=CHANNEL) from None
    from strata.jobs.capturing.scoping import scope_of_asker  # noqa: PLC0415 - few ask from a chat

    return scope_of_asker(memory, session=session, chat=chat, sender=sender)


def _refuse_another_agent(memory: Memory, folder: Path) -> None:
    """Let an agent that runs a command see the memory of its own workspace only."""
    # Other values are the owner's own shells, such as that of the terminal.
    if os.environ.get(SHELL) != "exec":
        return
    own = openclaw.agent_at(memory.state_folder, folder)
    if own is None:
        return
    place = openclaw.workspace_folder(None, memory.state_folder, own)
    if place.resolve() != memory.workspace.root:
        raise ScopeNotAllowed.of("scope.agent-asks", own=own)
