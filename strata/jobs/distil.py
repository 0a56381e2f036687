"""distil: what the notes say again and again, or once and for good, becomes a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from strata.errors import Busy
from strata.history.decisions import decisions
from strata.history.ledger import read_ledger
from strata.history.names import DEPARTED, SETTLED, VERDICTS, WRITING
from strata.history.outcomes import Considered, Refused
from strata.history.projection import History
from strata.history.verdicts import Stamp
from strata.jobs.deciding.asking import Mode, plan_asked
from strata.jobs.deciding.budget import most_valuable, overflows
from strata.jobs.deciding.by_hand import hand_records
from strata.jobs.deciding.considering import consider
from strata.jobs.deciding.entries_by_hand import saved_at
from strata.jobs.deciding.judging import Remembered
from strata.jobs.deciding.page import Basis, plan_page
from strata.jobs.language import page_language
from strata.jobs.mentions import gather
from strata.messages import Notice
from strata.notes.long_term import bare_lines, fits, size_of
from strata.workspace.backups import back_up
from strata.workspace.journal import Draft
from strata.workspace.layout import LONG_TERM
from strata.workspace.recalls import Recalls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.history.ledger import Ledger
    from strata.history.shortenings import Shortenings
    from strata.jobs.deciding.judging import Consulted
    from strata.jobs.deciding.page import Plan
    from strata.memory import Memory
    from strata.models import Language

# So often a person may save MEMORY.md while it is being planned.
_ATTEMPTS = 5
_DEAD = "memory is full, and a model found that it says nothing any more"
# Where a record of a hand has words from the page.
_WORDS = frozenset({"text", "line", "reason"})
_EVENTS = ("promoted", "merged", *DEPARTED, *VERDICTS)


@dataclass(slots=True)
class DistilReport:
    """The journal's records of a run by event, and the copy that was made before it."""

    records: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {event: [] for event in _EVENTS}
    )
    backup: str | None = None
    changed: bool = False

    def of(self, event: str) -> list[dict[str, Any]]:
        """Return the records of *event*, in the order in which things were first said."""
        return self.records[event]


def distil(
    memory: Memory,
    *,
    run: str,
    dry_run: bool = False,
    mode: Mode = Mode.AUTO,
    consulted: Consulted | None = None,
) -> DistilReport:
    """
    Make MEMORY.md say what the owner's entries come to by now.

    It is a fold over all evidence, so that whatever happened before, in whatever order,
    the same notes end in the same lines. What changes is journaled before it is written.
    Without anybody to be *consulted*, what models said on earlier nights still counts.
    """
    report = DistilReport()
    consulted = consulted or Remembered(memory.journal)
    for _ in range(_ATTEMPTS):
        text = memory.workspace.read(LONG_TERM)
        seen, by_hand = heeding(memory, text, run)
        considered = _consider(seen, consulted)
        _shorten(seen, considered, consulted)
        plan = _plan(seen, considered, text, run, mode)
        plan.records[:0] = by_hand
        if dry_run or _apply(memory, plan, text, run, report):
            for record in plan.records:
                report.records.get(record["event"], []).append(record)
            report.changed = plan.text != text
            return report
    raise Busy(Notice("files.too-fast", path=LONG_TERM))


def ask_ahead(memory: Memory, consulted: Consulted) -> None:
    """Let *consulted* be asked all that `distil` would ask it now; *memory* is a draft."""
    text = memory.workspace.read(LONG_TERM)
    memory.journal.append(heeding(memory, text)[1])
    _shorten(memory, _consider(memory, consulted), consulted)


def heeding(
    memory: Memory, text: str, run: str = ""
) -> tuple[Memory, list[dict[str, Any]]]:
    """Return *memory* after what a hand did to the page *text*, and the records of that."""
    ledger = read_ledger(memory.journal)
    found = list(_settled_late(memory, ledger))
    ledger.settled.update(str(record["run"]) for record in found)
    found += hand_records(
        text, ledger, _stamp(memory, run), saved_at(memory, LONG_TERM)
    )
    if not found:
        return memory, []
    # A hand may write what no record shall hold, and take it out again.
    records = [
        {
            key: memory.masked(value) if key in _WORDS else value
            for key, value in each.items()
        }
        for each in found
    ]
    draft = Draft(memory.journal)
    draft.append(records)
    return memory.with_journal(draft), records


def _settled_late(memory: Memory, ledger: Ledger) -> Iterator[dict[str, Any]]:
    """Yield the record that a run lacks which was killed right after it had written."""
    told = ledger.writing
    if told and told.get("over") != _file_number(memory):
        yield _of_run(SETTLED, str(told.get("run")))


def _of_run(event: str, run: str) -> dict[str, Any]:
    return {"event": event, "version": 1, "run": run}


def _file_number(memory: Memory) -> int:
    """Return the number that MEMORY.md has as a file: one that is swapped has another."""
    try:
        return memory.workspace.locate(LONG_TERM).stat().st_ino
    except OSError:
        return 0


def _consider(memory: Memory, consulted: Consulted) -> Considered:
    return consider(
        gather(memory),
        decisions(memory.journal),
        memory.plugins.hook,
        today=memory.now.date(),
        memory_lines=bare_lines(memory.workspace.read(LONG_TERM)),
        consulted=consulted,
    )


def _shorten(memory: Memory, considered: Considered, consulted: Consulted) -> None:
    """Let whom we consult find shorter words, where not all lines have room."""
    text = memory.workspace.read(LONG_TERM)
    ledger, language = read_ledger(memory.journal), page_language(memory)
    if _overflows(text, ledger, considered, language):
        consulted.shorten(most_valuable(considered.admitted, memory.now.date()))


def _overflows(
    text: str, ledger: Ledger, considered: Considered, language: Language
) -> bool:
    ours = [line for line in bare_lines(text) if line in ledger.lines]
    return overflows(text, ours, considered.admitted, language)


def _plan(
    memory: Memory, considered: Considered, text: str, run: str, mode: Mode
) -> Plan:
    history, language = History(memory.journal), page_language(memory)
    ledger = history.ledger
    if _overflows(text, ledger, considered, language):
        considered = _with_room(considered, history.shortenings)
    basis = Basis(
        considered,
        ledger,
        history.decisions,
        memory.now.date(),
        _stamp(memory, run),
        Recalls(memory.workspace.layout.recalls_file).days(before=memory.now.date()),
        language,
    )
    return (
        plan_page(text, basis) if mode is Mode.AUTO else plan_asked(text, basis, mode)
    )


def _stamp(memory: Memory, run: str) -> Stamp:
    days = {day.isoformat() for day, _ in memory.workspace.layout.daily_notes()}
    at = memory.now.isoformat(timespec="seconds")
    return Stamp(run, at, frozenset(days))


def _with_room(considered: Considered, shortenings: Shortenings) -> Considered:
    """Return *considered* in fewer words, without the lines that say nothing any more."""
    dead = [each for each in considered.admitted if shortenings.lets_go(each)]
    living = [each for each in considered.admitted if each not in dead]
    gone = [
        Refused(
            "evicted", each.claim, each.text, "budget", _DEAD, judgement=each.judgement
        )
        for each in dead
    ]
    shorter = [each.line for each in shortenings.applied(living)]
    return Considered(shorter, [*considered.refused, *gone])


def _apply(
    memory: Memory, plan: Plan, text: str, run: str, report: DistilReport
) -> bool:
    """
    Journal *plan* and write it; say whether MEMORY.md was still *text*.

    Of a plan for another page the journal says nothing.
    """
    if plan.text == text:
        if plan.records:
            memory.journal.append(plan.records)
        return True
    copy = back_up(memory.workspace, memory.now, after=plan.text)
    report.backup = copy or report.backup
    moved = False

    def change(now: str) -> str:
        nonlocal moved
        moved = now != text
        told = [] if moved else plan.records
        # Who is killed before it is settled has written if the file is another one then.
        over = {"over": _file_number(memory)}
        memory.journal.append([*told, _of_run(WRITING, run) | over])
        return now if moved else _within_limits(text, plan.text)

    memory.workspace.update(LONG_TERM, change)
    if not moved:
        # From here on a line that is missing was taken out by somebody else.
        memory.journal.append([_of_run(SETTLED, run)])
    return not moved


def _within_limits(before: str, after: str) -> str:
    """Return *after*; never a page over the limits, unless others made it so."""
    if not fits(after) and size_of(after) > size_of(before):
        return before
    return after
