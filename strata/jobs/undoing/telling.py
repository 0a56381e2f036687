"""What an undo did, told to its owner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from strata.messages import minute
from strata.workspace.folders import PRIVATE

if TYPE_CHECKING:
    from strata.jobs.undoing.reversal import Step
    from strata.messages import Voice
    from strata.workspace.recording import Run


@dataclass(slots=True)
class UndoReport:
    """
    What a run was, and which files are as they were before it.

    *decides* is set where it was a word of the owner's that counts without a file;
    *followed* are the pages of the bank that changed with all that, *read_to_person* the
    files of the owner's workspace that OpenClaw reads to the person whose memory it is.
    """

    run: Run
    by: str = ""
    decides: bool = False
    steps: list[Step] = field(default_factory=list)
    backups: list[str] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)
    read_to_person: list[str] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        """Every memory file that came back, went away, moved, or was backed up."""
        steps = [step for step in self.steps if not is_own(step.path)]
        moved = {step.target for step in steps if step.target}
        others = {*self.backups, *self.followed}
        return sorted({step.path for step in steps} | moved | others)


def is_own(path: str) -> bool:
    """Say whether *path* is one of Strata's own files, such as another tool's talk."""
    return path.startswith(f"{PRIVATE}/")


def told_lines(report: UndoReport, say: Voice, *, dry_run: bool = False) -> list[str]:
    """Say which run was taken back, and what became of each file."""
    run = report.run
    at = minute(run.at)
    # Most are named as the command that did it.
    kind = say(key) if (key := f"kind-{run.kind}") in say else run.kind
    what = say("which", kind=kind, at=at, run=run.id)
    if not (report.steps or report.decides):
        return [say("same", run=what)]
    lines = [say("would" if dry_run else "did", run=what)]
    copies = 0
    for step in report.steps:
        if is_own(step.path):
            copies += 1
            continue
        if step.target:
            lines.append(f"  {step.target} → {step.path}")
        if step.rewrites:
            done = "restored" if step.image else "removed"
            lines.append(say(done, path=step.path))
    lines += [say("copies", count=copies)] if copies else []
    lines += [say("read-to-person", path=path) for path in report.read_to_person]
    lines += [say("until-now", path=path) for path in report.backups]
    return lines + ([say("back", run=report.by)] if report.by else [])
