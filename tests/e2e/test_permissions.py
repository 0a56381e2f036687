"""What Strata makes is its owner's alone, whatever the umask and whoever wrote it."""

from __future__ import annotations

from pathlib import Path

import forking
import pytest
from builders import Conversation

ROOT = Path(__file__).parents[2]


def strata(root: Path, umask: int, *arguments: str) -> None:
    """
    The real command, as a process of its own with *umask*.
    """
    shared = [
        "--workspace",
        str(root / "workspace"),
        "--state-dir",
        str(root / "state"),
    ]
    clock = ["--now", "2026-11-28T09:00:00+00:00", "--set", "timezone=UTC"]
    finished = forking.run(
        f"import os\nos.umask({umask})\n{forking.STRATA}", *shared, *clock, *arguments
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_everything_is_the_owners_alone(tmp_path: Path, umask: int) -> None:
    """
    After full runs every file is 0600 and every folder 0700: notes, index, copies, logs.
    """
    talk = Conversation(tmp_path / "state")
    talk.user("From now on always use pnpm, never npm, in acme-dashboard.").agent("Ok.")
    talk.user("We keep PostgreSQL 16, because the reports need ACID.").agent("Fine.")
    talk.save()
    (tmp_path / "workspace").mkdir()

    strata(tmp_path, umask, "sync")
    strata(tmp_path, umask, "tidy")
    strata(tmp_path, umask, "update")
    strata(tmp_path, umask, "query", "pnpm")
    strata(tmp_path, umask, "remember", "Call Bob Meyer on Mondays about the invoices.")
    strata(tmp_path, umask, "undo")
    strata(tmp_path, umask, "forget", "--yes", "reports need ACID")

    made = [
        *(tmp_path / "workspace").rglob("*"),
        *(tmp_path / "state/strata").rglob("*"),
    ]
    modes = {
        path: path.stat().st_mode & 0o777 for path in made if not path.is_symlink()
    }
    assert len(modes) > 30
    assert {p for p, mode in modes.items() if p.is_dir() and mode != 0o700} == set()
    assert {p for p, mode in modes.items() if p.is_file() and mode != 0o600} == set()
