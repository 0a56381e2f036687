"""What scripts/install goes on with: all conversations there are, or the samples."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from terminal import Terminal

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples" / "state"


@pytest.fixture(scope="module")
def before() -> set[Path]:
    """
    The workspaces of demonstrations that others have left here; these come one by one.
    """
    return set(ROOT.glob(".demo-*"))


def test_demonstration_is_answered_with_a_true_citation(
    before: set[Path], tmp_path: Path
) -> None:
    """
    Where there is no OpenClaw, the samples become notes, and a question finds its line.
    """
    done = _set_up("--json", HOME=str(tmp_path))

    shown = json.loads(done.stdout)
    path, start, end = re.split("#L|-L", shown["answer"][0])
    cited = shown["notes"][path].splitlines()[int(start) - 1 : int(end)]
    assert "There is no OpenClaw here" in done.stderr
    assert "Its workspace was thrown away" in done.stderr
    assert any("PostgreSQL 16" in line for line in cited)
    assert len(shown["notes"]) == 4
    assert set(ROOT.glob(".demo-*")) == before
    assert list(tmp_path.iterdir()) == []


def test_demonstration_can_be_looked_at_in_a_browser(before: set[Path]) -> None:
    """
    Who is asked in a terminal and agrees sees the pages of the samples; then all is gone.
    """
    command = [sys.executable, "-m", "strata", "setup", "--demo", "--no-model"]
    # No browser is opened but ours: this one does nothing.
    terminal = Terminal(command, {**os.environ, "BROWSER": "true"})

    terminal.answer("[y/N]", "y")
    address = terminal.wait_for(r"http://127\.0\.0\.1:\d+/\?key=[\w-]+(?=\s)")
    with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(
        address
    ) as reply:
        page = reply.read().decode()
    terminal.interrupt()

    assert "PostgreSQL 16" in page
    assert "Its workspace was thrown away" in terminal.rest()
    assert set(ROOT.glob(".demo-*")) == before


def test_first_sync_takes_in_all_conversations(tmp_path: Path) -> None:
    """
    Everything that was said becomes notes; a second run changes no byte of them.
    """
    arguments = ["--workspace", str(tmp_path), "--state-dir", str(SAMPLES)]

    first = _set_up(*arguments)

    notes = {path.name: path.read_bytes() for path in tmp_path.glob("memory/*.md")}
    _set_up(*arguments)
    again = {path.name: path.read_bytes() for path in tmp_path.glob("memory/*.md")}
    assert first.stdout.startswith("Captured 5 conversations into 4 notes.\n")
    assert len(notes) == 4
    assert notes == again


def _set_up(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """
    Do what scripts/install does in this checkout, once there is an environment.
    """
    return subprocess.run(
        [sys.executable, "-m", "strata", "setup", "--no-model", *arguments],
        cwd=ROOT,
        env=os.environ | {"STRATA_TIMEZONE": "UTC"} | settings,
        capture_output=True,
        text=True,
        check=True,
    )
