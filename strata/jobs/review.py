"""review: the owner accepts, declines, pins or rewords what memory has judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import NotAccepted
from strata.jobs.asking import Mode
from strata.jobs.decisions import DEPARTURES
from strata.jobs.distil import distil
from strata.jobs.ledger import statement_id
from strata.jobs.runs import alone, recorded
from strata.jobs.told import tell
from strata.jobs.verdict_list import Statement, find_statement, statements
from strata.jobs.wording import fit_for_memory
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from strata.memory import Memory
    from strata.workspace.recording import Run

VERSION = 1
ACTIONS = ("accept", "decline", "pin", "unpin", "edit")
_EVENTS = {
    "accept": "accepted",
    "decline": "declined",
    "pin": "pinned",
    "unpin": "unpinned",
}
_DEFAULT_SECTION = "Key Decisions"


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """What was decided about a statement, and how it stands now."""

    action: str
    statement: Statement
    paths: tuple[str, ...] = ()


def review(memory: Memory, action: str, name: str, text: str = "") -> ReviewReport:
    """
    Do *action* to the statement *name*; ``edit`` gives it the new wording *text*.

    The decision is journaled, and MEMORY.md follows it at once.
    """
    with alone(memory):
        found = find_statement(memory, name)
        wording = fit_for_memory(text, memory.now) if action == "edit" else ""
        _refuse(found, action)
        before = memory.workspace.read(LONG_TERM)
        with recorded(memory, "review") as run:
            now = found.id
            if action == "edit":
                now = _reword(memory, run, found, wording)
            elif action == "accept" and found.record.get("dimension") == "consistent":
                # Said again, by the owner, it is what it waited for: a second time.
                _tell(memory, run, found, found.id, found.text)
            else:
                both = [found, *_followers(memory, found, action)]
                records = [_record(memory, run, each, _EVENTS[action]) for each in both]
                memory.journal.append(records)
            distil(memory, run=run.id, mode=Mode.DECIDED)
    standing = next((each for each in statements(memory) if each.id == now), found)
    changed = memory.workspace.read(LONG_TERM) != before
    return ReviewReport(action, standing, (LONG_TERM,) if changed else ())


def _followers(memory: Memory, found: Statement, action: str) -> list[Statement]:
    """Return what waits to leave only because *found* takes its place."""
    if action != "accept":
        return []
    waiting = (each for each in statements(memory) if each.kind == "waiting")
    return [each for each in waiting if each.record.get("by") == found.id]


def _refuse(found: Statement, action: str) -> None:
    if action in {"pin", "unpin"} and not found.line:
        raise NotAccepted(
            f"that is not in {LONG_TERM}, so it cannot be {action}ned; accept it first"
        )
    if action == "accept" and found.line and found.kind != "waiting":
        raise NotAccepted(f"that is in {LONG_TERM} already, line {found.line}")
    if action == "edit" and found.wanted == "compressed":
        raise NotAccepted("that is about a day's note; accept or decline it")


def _record(memory: Memory, run: Run, found: Statement, event: str) -> dict[str, Any]:
    record = {
        "event": event,
        "version": VERSION,
        "at": memory.now.isoformat(timespec="seconds"),
        "run": run.id,
        "id": found.id,
        "text": found.text,
    }
    if found.kind == "waiting" and found.wanted in {*DEPARTURES, "compressed"}:
        record["wanted"] = found.wanted
    if day := found.record.get("day"):
        record["day"] = day
    return record


def _reword(memory: Memory, run: Run, found: Statement, text: str) -> str:
    name = statement_id(text)
    if name == found.id:
        raise NotAccepted("that is the wording which it has")
    _tell(memory, run, found, name, text, replaces=(found.id, found.text))
    return name


def _tell(  # noqa: PLR0913, PLR0917 - what is told, and about what
    memory: Memory,
    run: Run,
    found: Statement,
    name: str,
    text: str,
    replaces: tuple[str, str] = ("", ""),
) -> None:
    importance = found.record.get("importance")
    tell(
        memory,
        run,
        name=name,
        text=text,
        section=str(found.record.get("section") or _DEFAULT_SECTION),
        importance=importance if isinstance(importance, int) else None,
        replaces=replaces,
    )
