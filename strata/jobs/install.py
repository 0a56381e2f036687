"""install: get the model, then settle all that was ever said into notes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from strata.bundle import BUNDLE
from strata.embedding_models.download import ensure_model
from strata.embedding_models.folder import find_model
from strata.errors import Busy, ModelUnavailable
from strata.jobs.query import Wish, query
from strata.jobs.sync import sync
from strata.jobs.update import get_glosses, update
from strata.memory import Memory
from strata.messages import Notice
from strata.workspace.folders import for_everybody
from strata.workspace.openclaw import state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strata.jobs.sync import SyncReport
    from strata.models import Answer

# Starts a progress bar with a label; it is told how much is done, and of how much.
Progress = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]

SAMPLES = BUNDLE / "samples" / "state"
SAMPLES_END = "2026-11-20T09:00:00+00:00"
QUESTION = "Which database did we choose for the greenhouse project?"

_DEMO = ".demo-"
_LEFT_BEHIND_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Demonstration:
    """What the samples became: each note's path and text, and an answered question."""

    notes: tuple[tuple[str, str], ...]
    question: str
    answer: Answer


def has_openclaw(state_dir: str | None) -> bool:
    """Tell whether OpenClaw has kept anything in its state directory."""
    return (state_folder(state_dir) / "agents").is_dir()


def get_model(*, say: Callable[[str], None]) -> None:
    """Fetch the embedding model unless it is there; without it keywords do the work."""
    before = find_model(BUNDLE)
    try:
        with for_everybody():
            get_glosses(ensure_model(BUNDLE, say=say))
    except (ModelUnavailable, Busy) as error:
        say(error.told)
    else:
        say(Notice("setup.model-in-place" if before else "setup.model-ready"))


def install(memory: Memory, *, progress: Progress) -> SyncReport:
    """Capture every conversation there is, and index the notes."""
    with progress(Notice("sync.reading")) as shown:
        report = sync(memory, progress=shown)
    with progress(Notice("update.indexing")) as shown:
        update(memory, progress=shown)
    return report


@contextmanager
def demonstration(
    *, progress: Progress
) -> Iterator[tuple[Demonstration, Callable[[], Memory]]]:
    """
    Do the same with the sample conversations, and ask something about them.

    The second is what opens that memory; it is gone when the body ends.
    """
    with _demo_memory() as open_memory:
        memory = open_memory()
        report = install(memory, progress=progress)
        notes = [(path, memory.workspace.read(path)) for path in report.paths]
        answer = query(memory, QUESTION, Wish(limit=1))
        yield Demonstration(tuple(notes), QUESTION, answer), open_memory


@contextmanager
def _demo_memory() -> Iterator[Callable[[], Memory]]:
    """Give what opens a workspace in the bundle that is gone afterwards."""
    _remove_left_behind()
    folder = Path(mkdtemp(prefix=_DEMO, dir=BUNDLE))
    try:
        # A copy: what is looked at or decided leaves marks beside the conversations.
        shutil.copytree(SAMPLES, folder / "state")
        (folder / "workspace").mkdir()
        yield partial(
            Memory.open,
            workspace=str(folder / "workspace"),
            state_dir=str(folder / "state"),
            now=SAMPLES_END,
            overrides=["timezone=UTC"],
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left_behind() -> None:
    """Remove the workspaces of demonstrations that were killed."""
    for folder in BUNDLE.glob(f"{_DEMO}*"):
        if time.time() - folder.stat().st_mtime > _LEFT_BEHIND_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
