"""review: the owner accepts, declines, pins or rewords what memory has judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strata.errors import NotAccepted, NotFound
from strata.history.ledger import statement_id
from strata.history.names import DEPARTURES, ONE_NAME, PERSONAL, RETAINED, SHARED
from strata.history.statements import MASKED_KINDS, Statement
from strata.jobs.capturing.masked import allow
from strata.jobs.deciding.asking import Mode
from strata.jobs.deciding.told import tell
from strata.jobs.deciding.verdict_list import (
    ALL,
    find_statement,
    is_unsure,
    statements,
)
from strata.jobs.deciding.wording import fit_for_memory
from strata.jobs.distil import distil
from strata.jobs.entity import answer
from strata.jobs.personal import answer as answer_of_person
from strata.jobs.personal import bring_up
from strata.jobs.remember import section_of
from strata.jobs.sharing.proposing import answer_proposal
from strata.jobs.undoing.runs import alone, recorded
from strata.messages import Notice
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strata.memory import Memory
    from strata.workspace.recording import Run

VERSION = 1
_EVENTS = {
    "accept": "accepted",
    "decline": "declined",
    "pin": "pinned",
    "unpin": "unpinned",
}


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """
    What was decided about statements, and how they stand now.

    *left* contradict something that holds, and are accepted by their ids alone. Accepted
    *in_vain* is what stands as before all the same: something newer took its place.
    """

    action: str
    statements: tuple[Statement, ...]
    paths: tuple[str, ...] = ()
    left: tuple[Statement, ...] = ()
    in_vain: tuple[Statement, ...] = ()


def review(
    memory: Memory,
    action: str,
    names: Sequence[str],
    text: str = "",
    *,
    kind: str = "review",
) -> ReviewReport:
    """
    Do *action* to the statements *names*; ``edit`` gives the only one the wording *text*.

    `ALL` stands for whatever waits; but it accepts nothing that you may not have said, and
    nothing that contradicts what holds: ids do. The decisions are journaled as one run,
    of *kind*, and MEMORY.md follows them at once.
    """
    with alone(memory):
        found = _named(memory, names, action)
        left: list[Statement] = []
        if [*names] == [ALL] and action == "accept":
            # They would take the place of what holds, on one weak word.
            left = [e for e in found if e.record.get("dimension") == "consistent"]
        found = [each for each in found if each not in left]
        wording = _fit(memory, text) if found and action == "edit" else ""
        masked = [each for each in found if each.kind in MASKED_KINDS]
        for each in masked:
            allow(memory, each, action)
        found = [each for each in found if each not in masked]
        for each in found:
            _refuse(each, action)
        named = [each for each in found if each.wanted == ONE_NAME]
        pages = [path for each in named for path in answer(memory, each, action).paths]
        offered = [each for each in found if each.wanted == SHARED]
        for each in offered:
            answer_proposal(memory, each, action)
        of_person = [each for each in found if each.wanted == PERSONAL]
        found = [each for each in found if each not in (*named, *offered, *of_person)]
        masked += [*named, *offered]
        masked += [answer_of_person(memory, each, action) for each in of_person]
        ids = [each.id for each in (*masked, *found)]
        before = memory.workspace.read(LONG_TERM)
        if found:
            with recorded(memory, kind) as run:
                if action == "edit":
                    ids = [_reword(memory, run, found[0], wording)]
                else:
                    _decide(memory, run, found, action)
                distil(memory, run=run.id, mode=Mode.DECIDED)
            bring_up(memory)
    changed = memory.workspace.read(LONG_TERM) != before
    by_id = {each.id: each for each in statements(memory)}
    both = zip(ids, (*masked, *found), strict=True)
    standing = tuple(by_id.get(name, each) for name, each in both)
    vain = tuple(each for each in found if action == "accept" and _is_out(each, by_id))
    paths = (*((LONG_TERM,) if changed else ()), *pages)
    return ReviewReport(action, standing, paths, tuple(left), vain)


def _is_out(before: Statement, standing: Mapping[str, Statement]) -> bool:
    """Say whether a statement is out of MEMORY.md for the reason it was *before*."""
    after = standing.get(before.id)
    # What is no more has become a part of another.
    return after is not None and not after.line and after.kind == before.kind


def _fit(memory: Memory, text: str) -> str:
    return fit_for_memory(text, memory.now, memory.never_stored, memory.allowances)


def _named(memory: Memory, names: Sequence[str], action: str) -> list[Statement]:
    if list(names) != [ALL]:
        return [find_statement(memory, name) for name in dict.fromkeys(names)]
    waiting = [each for each in statements(memory) if each.kind == "waiting"]
    if not waiting:
        raise NotFound(Notice("review.nothing-waits"))
    meant = [e for e in waiting if not (action == "accept" and _by_id_only(e))]
    if not meant:
        raise NotFound(Notice("review.by-id-only", count=len(waiting)))
    return meant


def _by_id_only(found: Statement) -> bool:
    """
    Say whether *found* is accepted by its id alone.

    It may not be so at all, or it goes to other agents, or into prompts of somebody else.
    """
    return is_unsure(found) or found.wanted in {ONE_NAME, SHARED, PERSONAL}


def _decide(memory: Memory, run: Run, found: Sequence[Statement], action: str) -> None:
    both = [*found]
    if action == "accept":
        # What waits to leave only because one of these takes its place goes with it.
        by = {each.id for each in found}
        waiting = (each for each in statements(memory) if each.kind == "waiting")
        both += (e for e in waiting if e.record.get("by") in by and e not in found)
    told = [each for each in found if action == "accept" and _is_unwritten(each)]
    for each in told:
        wording = _fit(memory, each.text)
        before = ("", "") if wording == each.text else (each.id, each.text)
        _tell(memory, run, each, wording, replaces=before)
    decided = (each for each in both if each not in told)
    memory.journal.append(_record(memory, run, e, _EVENTS[action]) for e in decided)


def _is_unwritten(found: Statement) -> bool:
    """Say whether no note has *found* yet, as one has what an agent retained."""
    return is_unsure(found) and found.record.get("dimension") != RETAINED


def _refuse(found: Statement, action: str) -> None:
    if found.kind == "quarantined" and action != "decline":
        raise NotAccepted(Notice("review.not-your-words"))
    if action not in {"accept", "decline"}:
        if found.wanted == ONE_NAME:
            raise NotAccepted(Notice("review.of-names"))
        if found.wanted == SHARED:
            raise NotAccepted(Notice("review.of-sharing"))
        if found.wanted == PERSONAL:
            raise NotAccepted(Notice("review.of-person"))
    if action in {"pin", "unpin"} and not found.line:
        raise NotAccepted(Notice("review.not-there", file=LONG_TERM, action=action))
    if action == "accept" and found.line and found.kind != "waiting":
        raise NotAccepted(
            Notice("review.there-already", file=LONG_TERM, line=found.line)
        )
    if action == "edit" and found.wanted == "compressed":
        raise NotAccepted(Notice("review.of-a-day"))


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
        raise NotAccepted(Notice("review.same-wording"))
    _tell(memory, run, found, text, replaces=(found.id, found.text))
    return name


def _tell(
    memory: Memory,
    run: Run,
    found: Statement,
    text: str,
    *,
    replaces: tuple[str, str] = ("", ""),
) -> None:
    """Make *text* the owner's own word, in the place that *found* has or wants."""
    importance = found.record.get("importance")
    tell(
        memory,
        run,
        text=text,
        section=str(found.record.get("section") or section_of(text, memory.now.date())),
        importance=importance if isinstance(importance, int) else None,
        replaces=replaces,
    )
