"""The way back from a run: what to undo it would do, and what is in the way."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.history.names import ENTITY, PERSONAL, PROJECT, SHARE, UNSHARE
from strata.jobs.undoing.reversal import steps_back
from strata.jobs.undoing.runs import open_recording
from strata.workspace.recording import recorded_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strata.jobs.undoing.reversal import Step
    from strata.memory import Memory
    from strata.workspace.recording import Recording, Run


# Words that only the owner has, in whatever way they are said.
_OWNERS = {PERSONAL, SHARE, UNSHARE}


@dataclass(frozen=True, slots=True)
class WayBack:
    """
    What is left to do to undo a run: *steps*, the last file first.

    *kind* is what the run did, or the one that it takes back; *begun* is set where an
    undo of it did not come to its end.
    """

    steps: list[Step]
    kind: str
    begun: bool

    @property
    def decides(self) -> bool:
        """Whether the run is a word of the owner's that counts without a file."""
        return self.kind in {ENTITY, PROJECT, *_OWNERS}

    @property
    def is_owners(self) -> bool:
        """Whether it is a word that no agent may take back."""
        return self.kind in _OWNERS

    @property
    def is_open(self) -> bool:
        """Whether there is anything to undo."""
        return bool(self.steps or self.decides or self.begun)

    @property
    def obstacles(self) -> list[Step]:
        """The steps that are not taken without force."""
        # A page that changed since is made of the notes again, by what is decided then.
        return [] if self.decides else [each for each in self.steps if each.obstacle]

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits that differ wherever anything else would be done."""
        steps = [
            (e.path, e.target, e.rewrites, e.present, str(e.obstacle))
            for e in self.steps
        ]
        content = json.dumps([steps, self.decides, self.begun])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def to_take(self, *, force: bool) -> list[Step]:
        """Return the steps that are taken, with *force* over what is in the way."""
        free = force or not self.decides
        return [each for each in self.steps if free or not each.obstacle]


def way_back(memory: Memory, run: Run) -> WayBack:
    """Return what undoing *run* would do by now."""
    runs = recorded_runs(memory.workspace.layout.undo_folder)
    undo = standing_undos(memory, runs).get(run.id)
    return WayBack(
        steps_back(memory.workspace, open_recording(memory, run).changes()),
        _kind(run, runs),
        begun=undo is not None and not undo.is_finished,
    )


def standing_undos(memory: Memory, runs: Sequence[Run]) -> dict[str, Recording]:
    """
    Return the undo of each of *runs* that nothing has taken back, by the id of the run.

    One that did not finish has undone nothing yet, though some files may be back.
    """
    undos: dict[str, Recording] = {}
    for run in reversed(runs):
        taken_back = run.id in undos and undos[run.id].is_finished
        if run.undoes and not taken_back:
            undos.setdefault(run.undoes, open_recording(memory, run))
    return undos


def _kind(run: Run, runs: Sequence[Run]) -> str:
    """Return what *run* did, or the one that it takes back."""
    by_id = {each.id: each for each in runs}
    while run.undoes in by_id:
        run = by_id[run.undoes]
    return run.kind
