"""When somebody looked at memory the last time, so that what is new since can be told."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from strata.workspace.digest_file import keeping
from strata.workspace.own_folder import OwnFolder

if TYPE_CHECKING:
    from strata.memory import Memory

# Who never looked sees what a week brought.
_FIRST = timedelta(days=7)
_MARKS = ("since", "last")
# Who comes back so soon still sees what was new then.
_SAME_LOOK = timedelta(hours=8)


def begin_look(memory: Memory) -> str:
    """Return since when all is new to who looks at *memory* now, in ISO 8601."""
    since, last = (f"dashboard {each} {memory.workspace.root}" for each in _MARKS)
    now = memory.now.isoformat(timespec="seconds")
    with keeping(OwnFolder(memory.state_folder).root) as told:
        looked = told.until.get(last, "")
        if not looked:
            told.until[since] = (memory.now - _FIRST).isoformat(timespec="seconds")
        elif datetime.fromisoformat(looked) + _SAME_LOOK < memory.now:
            told.until[since] = looked
        told.until[last] = now
        return told.until[since]
