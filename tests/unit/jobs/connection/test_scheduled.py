"""What a scheduler runs says one thing where something was done, and nothing otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builders import small_talk

from strata.errors import UsageError
from strata.events import SYNC, TIDY
from strata.jobs.scheduled import run_scheduled
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    small_talk(tmp_path / "state").save()
    (tmp_path / "workspace").mkdir()
    return Memory.open(
        workspace=str(tmp_path / "workspace"),
        state_dir=str(tmp_path / "state"),
        now="2026-12-01T12:00:00+00:00",
        overrides=["timezone=UTC"],
    )


def test_scheduled_jobs_speak_of_what_they_did(memory: Memory) -> None:
    """
    Sync names the note, tidy reports the week; run again, both have nothing to say.
    """
    synced, tidied = run_scheduled(memory, SYNC), run_scheduled(memory, TIDY)

    assert "memory/2026-11-20.md" in (synced or "")
    assert tidied
    assert (memory.workspace.root / "memory/weekly/2026-11-16.md").exists()
    assert run_scheduled(memory, SYNC) is None
    assert run_scheduled(memory, TIDY) is None


def test_unknown_job_is_refused(memory: Memory) -> None:
    """
    A job that does not exist is an error that names those that do.
    """
    with pytest.raises(UsageError, match="memory-sync, memory-tidy"):
        run_scheduled(memory, "memory-moon")
