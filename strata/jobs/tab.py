"""What OpenClaw's tab shows of memory, and whether that is what memory is by now."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from strata.bundle import VERSION
from strata.workspace import openclaw
from strata.workspace.layout import LONG_TERM, VAULTS
from strata.workspace.own_folder import OwnFolder
from strata.workspace.tab_file import TabFile

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory


def is_behind(memory: Memory) -> bool:
    """Say whether the tab shows *memory*, and not as it is by now."""
    return _is_shown(memory) and _file(memory).stamp(memory.agent) != _stamp(memory)


def put_on_tab(memory: Memory, part: str, frame: str) -> None:
    """Let *part* be what the tab shows of *memory*, in a *frame* for all agents."""
    agents = openclaw.agents(memory.state_folder)
    file, stamp = _file(memory), _stamp(memory)
    file.put(memory.agent, stamp, part, frame=frame, agents=agents)


def leave_tab(memory: Memory) -> None:
    """Take *memory* off the tab until it is put there the next time."""
    if not memory.parent:
        _file(memory).take_out(memory.agent)


def _file(memory: Memory) -> TabFile:
    return TabFile(OwnFolder(memory.state_folder).root)


def _is_shown(memory: Memory) -> bool:
    """Say whether *memory* is the one in which OpenClaw's agent of that name works."""
    state = memory.state_folder
    if memory.parent or not OwnFolder(state).is_installed:
        return False
    own = openclaw.workspace_folder(None, state, memory.agent)
    return own.resolve() == memory.workspace.root.resolve()


def _stamp(memory: Memory) -> str:
    """Return what is another one where memory, what it may show, or the day has changed."""
    layout = memory.workspace.layout
    files = (layout.journal_file, layout.undo_folder, layout.settings_file)
    named = (layout.root / each for each in (LONG_TERM, *VAULTS))
    told = [VERSION, memory.now.date(), memory.settings.language]
    told += [_state(each) for each in (*files, *named)]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _state(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)
