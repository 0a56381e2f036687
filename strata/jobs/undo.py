"""undo: the memory files are again what they were before a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.errors import Moved, NotAccepted, NotFound, WorkspaceUnavailable
from strata.history.names import COMPRESSED, MACHINE, OF_STATEMENTS, UNDONE
from strata.jobs.following import follow
from strata.jobs.undoing.reversal import reverse
from strata.jobs.undoing.runs import alone, new_recording, open_recording, recording_to
from strata.jobs.undoing.telling import UndoReport, is_own
from strata.jobs.undoing.undone import undone_records
from strata.jobs.undoing.way_back import standing_undos, way_back
from strata.messages import Notice
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.undoing.reversal import Step
    from strata.memory import Memory
    from strata.messages import Voice
    from strata.workspace.recording import Recording, Run

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class KnownRun:
    """A run that is kept, the run *by* which it is undone, and whether it *finished*."""

    run: Run
    files: int
    by: str
    finished: bool

    @property
    def undone(self) -> bool:
        """Whether it is taken back."""
        return bool(self.by)


def undo(
    memory: Memory,
    run_id: str = "",
    *,
    force: bool = False,
    dry_run: bool = False,
    seen: str = "",
) -> UndoReport:
    """
    Take back the run whose id starts with *run_id*, or else the last one.

    Raise `WorkspaceUnavailable` where a file was changed since by somebody else, unless
    *force* is given: then its text of now is kept as a backup first. *seen* is the
    fingerprint of the way back that the owner agreed to: raise `Moved` where it is another
    by now.
    """
    with alone(memory, doing="changing"):
        run, cut_off = _chosen(memory, run_id)
        way = way_back(memory, run)
        if seen and seen != way.fingerprint:
            raise Moved.of("undo.moved", run=run.id)
        if way.obstacles and not force:
            raise _refusal(memory, way.obstacles[0], run)
        steps = way.to_take(force=force)
        if dry_run or not way.is_open:
            return UndoReport(run, decides=way.decides, steps=steps)
        recording = cut_off or new_recording(memory, UNDO, undoes=run.id)
        return _take_back(memory, run, recording, steps, decides=way.decides)


def refuse_agent(memory: Memory, run_id: str = "") -> None:
    """Raise `NotAccepted` where what `undo` would take back only the owner may."""
    run, _ = _chosen(memory, run_id)
    if way_back(memory, run).is_owners:
        raise NotAccepted.of("undo.only-the-owner")


def known_runs(memory: Memory) -> list[KnownRun]:
    """Return the runs that are recorded, the newest first."""
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    undos, known = standing_undos(memory, runs), []
    for run in reversed(runs):
        recording, undo = open_recording(memory, run), undos.get(run.id)
        paths = {change.path for change in recording.changes()}
        files = [path for path in paths if not is_own(path)]
        by = undo.run.id if undo and undo.is_finished else ""
        known.append(KnownRun(run, len(files), by, recording.is_finished))
    return known


def _take_back(
    memory: Memory,
    run: Run,
    recording: Recording,
    steps: Sequence[Step],
    *,
    decides: bool,
) -> UndoReport:
    report = UndoReport(run, recording.run.id, decides)
    recording.begin()
    memory.journal.append(undone_records(memory, run, recording.run, steps))
    with recording_to(memory, recording):
        for step in steps:
            backup = reverse(memory.workspace, step, memory.now)
            report.backups += [backup] if backup else []
            report.steps.append(step)
    if memory.parent:
        from strata.jobs.personal import bring_up  # noqa: PLC0415 - few have any

        report.read_to_person = bring_up(memory)
    report.followed = follow(memory)
    return report


def _chosen(memory: Memory, start: str) -> tuple[Run, Recording | None]:
    """Return the run to take back, and the recording of an undo that was killed at it."""
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    undos = standing_undos(memory, runs)
    done = {name: undo.run.id for name, undo in undos.items() if undo.is_finished}
    # After any other run, what it began is begun anew.
    last = undos.get(runs[-1].undoes) if runs else None
    cut_off = {last.run.undoes: last} if last and not last.is_finished else {}
    if start:
        matching = [run for run in runs if run.id.startswith(start)]
        if len(matching) > 1:
            raise NotFound(Notice("undo.several", start=start, count=len(matching)))
    else:
        matching = [run for run in runs if run.id in cut_off]
        matching = matching or [e for e in runs if e.kind != UNDO and e.id not in done]
    if not matching:
        if machine := _machine_of(memory, start):
            raise NotFound(Notice("undo.other-machine", start=start, machine=machine))
        nothing = Notice("undo.nothing")
        raise NotFound(Notice("undo.no-run", start=start) if start else nothing)
    chosen = matching[-1]
    if by := done.get(chosen.id):
        raise NotFound(Notice("undo.undone-already", id=chosen.id, by=by))
    return chosen, cut_off.get(chosen.id)


def _machine_of(memory: Memory, start: str) -> str:
    """Return the other machine on which the run that begins with *start* was, or ""."""
    if not start or memory.machines is None:
        return ""
    for record in memory.journal.records(*OF_STATEMENTS, COMPRESSED, UNDONE):
        if MACHINE in record and str(record.get("run") or "").startswith(start):
            return str(record[MACHINE])
    return ""


def _refusal(memory: Memory, step: Step, run: Run) -> WorkspaceUnavailable:
    """Return why *run* is not taken back: what changed a file of it since."""
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    for later in [] if step.target else runs[runs.index(run) + 1 :]:
        changes = open_recording(memory, later).changes()
        if any(change.path == step.path for change in changes):
            return WorkspaceUnavailable(
                Notice(
                    "undo.changed-by-run", path=step.path, run=later.id, kind=later.kind
                )
            )
    return WorkspaceUnavailable(Notice("undo.refused", obstacle=step.obstacle))


def run_remarks(known: KnownRun, say: Voice) -> list[str]:
    """Say what a run undoes, and whether it was undone, or did not finish."""
    remarks = [say("undoes", run=known.run.undoes)] if known.run.undoes else []
    remarks += [say("undone")] if known.undone else []
    return remarks + ([] if known.finished else [say("unfinished")])
