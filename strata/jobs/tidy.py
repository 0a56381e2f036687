"""tidy: old days become weeks, what lasts becomes a line, and the days are archived."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.history.decisions import decisions
from strata.jobs.capturing.retaining import retained_records
from strata.jobs.compress import archive as archive_days
from strata.jobs.compress import compress as compress_days
from strata.jobs.deciding.asking import Mode
from strata.jobs.deciding.entries_by_hand import entry_records
from strata.jobs.deciding.told import write_told
from strata.jobs.distil import DistilReport, distil
from strata.jobs.forgetting.keeping import keep_forgotten
from strata.jobs.machines.together import tell_others, together
from strata.jobs.personal import bring_up
from strata.jobs.redo import redo_waiting
from strata.jobs.undoing.runs import alone, recorded
from strata.jobs.weeks_by_hand import take_from_weeks
from strata.workspace.layout import LONG_TERM

if TYPE_CHECKING:
    from datetime import date

    from strata.jobs.pondering import Pondered
    from strata.memory import Memory


@dataclass(slots=True)
class TidyReport:
    """
    Which days became part of a week, what became a line, which notes moved.

    Other machines *brought* something to some. What was *redone* is a run of its own, as
    `strata undo` takes it back; so many lines hold *secrets* by rules that have become
    better.
    """

    compressed: list[tuple[date, str]] = field(default_factory=list)
    archived: list[tuple[str, str]] = field(default_factory=list)
    distilled: DistilReport = field(default_factory=DistilReport)
    told: list[str] = field(default_factory=list)
    redone: list[str] = field(default_factory=list)
    brought: list[str] = field(default_factory=list)
    secrets: int = 0
    judged: int = 0
    left_to_rules: int = 0

    @property
    def paths(self) -> list[str]:
        """Every memory file that appeared, changed or went away."""
        moved = [path for pair in self.archived for path in pair]
        page = [LONG_TERM] if self.distilled.changed else []
        weeks = {path for _, path in self.compressed}
        return sorted(weeks | {*moved, *page, *self.told, *self.redone, *self.brought})


def tidy(  # noqa: PLR0913 - one parameter an option
    memory: Memory,
    *,
    compress: bool = True,
    distill: bool = True,
    archive: bool = True,
    dry_run: bool = False,
    mode: Mode | None = None,
) -> TidyReport:
    """
    Compress notes older than seven days into weeks, distil all into MEMORY.md, archive.

    Each step is complete in itself: killed anywhere, the next run goes on from there. A
    model is asked before memory is locked, so that no event waits for it.
    *mode* says what it may do to MEMORY.md by itself; None leaves that to the settings.
    """
    chosen = mode or Mode(memory.settings.tidy_mode)
    # A line made of what rules wrote in a hurry would keep their words for good.
    redone = [] if dry_run or not (compress or distill) else redo_waiting(memory)
    report = TidyReport(redone=redone)
    asked = None if dry_run else _asked(memory, compress=compress, distill=distill)
    with ExitStack() as undisturbed:
        undisturbed.enter_context(alone(memory))
        if not dry_run:
            keep_forgotten(memory)
            report.brought = together(memory)
            report.secrets = _secrets(memory)
        run = undisturbed.enter_context(recorded(memory, "tidy"))
        report.told = [] if dry_run else _heed(memory, run.id)
        held = decisions(memory.journal).days
        if asked:
            asked.begin(run.id)
        if asked and compress:
            asked.summaries(held)
        if compress:
            report.compressed = compress_days(memory, held, run=run.id, dry_run=dry_run)
        if distill:
            report.told += [] if dry_run else write_told(memory)
            report.distilled = distil(
                memory, run=run.id, dry_run=dry_run, mode=chosen, consulted=asked
            )
        if archive:
            report.archived = archive_days(
                memory, held, compressed=compress, dry_run=dry_run
            )
        if not dry_run:
            _share(memory, distilled=distill)
    if not dry_run:
        report.brought += tell_others(memory)
    if asked:
        report.judged, report.left_to_rules = asked.judged, asked.left
    return report


def tidy_scopes(memory: Memory, *, dry_run: bool = False) -> list[str]:
    """
    Tidy the memories of groups and other people; return what changed.

    What lasts of a person's own words becomes a line of that person's own page, and of
    no other. In a group nobody knows who speaks, so none of its words becomes one.
    """
    changed: list[str] = []
    for scope in memory.scopes.names():
        theirs = memory.within(scope)
        report = tidy(theirs, distill=theirs.is_of_one, dry_run=dry_run)
        changed += (theirs.path_in_private(path) for path in report.paths)
    return changed


def _share(memory: Memory, *, distilled: bool) -> None:
    """Let what others read of MEMORY.md follow it: other agents, and a person's chats."""
    from strata.jobs.sharing.proposing import tend  # noqa: PLC0415 - few share

    if distilled:
        tend(memory)
    bring_up(memory)


def _secrets(memory: Memory) -> int:
    """Return how many lines hold what a newer redaction calls a secret."""
    from strata.jobs.masking import look_again  # noqa: PLC0415 - patterns

    return look_again(memory)


def _heed(memory: Memory, run: str) -> list[str]:
    """
    Take in what hands did to the daily notes, and what agents retained in them.

    Return the weeks that follow the hands.
    """
    records = entry_records(memory, run)
    # The weeks first: what is journaled is not looked at again.
    weeks = take_from_weeks(memory, records)
    if records:
        memory.journal.append(records)
    if retained := retained_records(memory):
        memory.journal.append(retained)
    return weeks


def _asked(memory: Memory, *, compress: bool, distill: bool) -> Pondered | None:
    """Let the model, if there is one, say what it has to say before memory is locked."""
    if memory.model is None:
        return None
    from strata.jobs.pondering import ponder  # noqa: PLC0415 - few ask a model

    return ponder(memory, memory.model, compress=compress, distill=distill)
