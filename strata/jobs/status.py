"""status: what is there, without changing anything."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import StrataError
from strata.jobs.connection.model_use import ModelCost, model_cost
from strata.jobs.deciding.verdict_list import statements
from strata.jobs.sync import IMPORT, unsettled
from strata.jobs.undoing.runs import cut_off
from strata.jobs.update import index_state, model_state
from strata.messages import Notice
from strata.notes.daily import parse_daily
from strata.notes.long_term import bare_lines, size_of
from strata.workspace.layout import LONG_TERM
from strata.workspace.own_folder import OwnFolder
from strata.workspace.seen import Seen
from strata.workspace.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from strata.memory import Memory

# Of a conversation that was captured as far as it goes.
CAPTURED = "nothing new"
# Of one in which something was said since.
UNSETTLED = "not in a note yet"


@dataclass(frozen=True, slots=True)
class Status:
    """
    One agent's memory in figures; *reasons* counts why conversations have nothing to add.

    *scopes* are the memories that groups and other people have beside the private one.
    *cut_off* is the import that did not come to its end, "" where there is none.
    *waiting* counts what needs the owner's word, *set_apart* the orders of others,
    *evicted* what has left MEMORY.md for want of room. A quick look has not counted
    *blocks*, *entries* and *reasons*.
    """

    workspace: str
    state: str
    timezone: str
    notes: int
    blocks: int | None
    entries: int | None
    last_sync: str
    reasons: dict[str, int]
    index: str
    model: str
    language_model: ModelCost
    events: str
    openclaw: str
    scope: str
    scopes: list[str]
    waiting: int
    set_apart: int
    page_lines: int
    page_bytes: int
    evicted: int
    cut_off: str = ""

    def document(self) -> dict[str, Any]:
        """Return the figures for a program."""
        told = {CAPTURED: "up to date", UNSETTLED: UNSETTLED}
        reasons = {
            told.get(reason, f"left out ({reason})"): number
            for reason, number in self.reasons.items()
        }
        return {**asdict(self), "reasons": reasons}


def status(memory: Memory, *, thorough: bool = True) -> Status:
    """
    Look at the notes, the last sync, the index and the model.

    What takes a look at every note is left out where that is not to be *thorough*.
    """
    days = list(memory.workspace.layout.daily_notes())
    blocks, entries = _counted(memory, days) if thorough else (None, None)
    page = memory.workspace.read(LONG_TERM)
    kinds = Counter(each.kind for each in statements(memory))
    return Status(
        workspace=str(memory.workspace.root),
        state=str(memory.state_folder),
        timezone=str(memory.timezone),
        notes=len(days),
        blocks=blocks,
        entries=entries,
        last_sync=Seen(memory.private.workspace, under="").last_sync,
        reasons=_reasons(memory) if thorough else {},
        index=index_state(memory, compare=thorough),
        model=model_state(memory),
        language_model=model_cost(memory),
        events=_events(memory),
        openclaw=_openclaw(memory),
        scope=memory.scope,
        scopes=[] if memory.parent else memory.scopes.names(),
        waiting=kinds["waiting"],
        set_apart=kinds["quarantined"],
        page_lines=len(bare_lines(page)),
        page_bytes=size_of(page),
        evicted=kinds["evicted"],
        cut_off=cut.id if (cut := cut_off(memory, IMPORT)) else "",
    )


def _counted(memory: Memory, days: Iterable[tuple[date, str]]) -> tuple[int, int]:
    """Return how many blocks the notes of *days* have, and how many entries."""
    notes = [parse_daily(memory.workspace.read(path), day) for day, path in days]
    blocks = [block for note in notes for block in note.blocks]
    return len(blocks), sum(len(block.entries) for block in blocks)


def _reasons(memory: Memory) -> dict[str, int]:
    own = memory.scope if memory.parent else ""
    waiting = _unsettled(memory)
    reasons = Counter(
        each.reason
        for name, each in Seen(memory.private.workspace, under="").glances.items()
        if own in {"", each.scope} and name not in waiting
    )
    return dict(reasons + Counter({UNSETTLED: len(waiting)}))


def _unsettled(memory: Memory) -> set[str]:
    # A store that cannot be read is what `doctor` tells of.
    with suppress(StrataError):
        return unsettled(memory)
    return set()


def _events(memory: Memory) -> str:
    spool = Spool(memory.workspace.layout.spool_folder, memory.workspace.write_private)
    waiting, aside = len(spool.pending()), len(spool.set_aside())
    if aside:
        return Notice("status.events-failed", count=waiting, failed=aside)
    return Notice("status.events-waiting", count=waiting)


def _openclaw(memory: Memory) -> str:
    installed = OwnFolder(memory.state_folder).load()
    if installed is None:
        return Notice("status.not-connected")
    jobs = Notice(f"status.jobs-{installed.schedules or 'missing'}")
    return Notice("status.connected", version=installed.version, jobs=jobs)
