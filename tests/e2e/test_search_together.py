"""Many processes ask while one writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from builders_search import NOTES, write_notes

ROOT = Path(__file__).parents[2]
READERS = 20
WRITES = 4


def strata(workspace: Path, *arguments: str) -> subprocess.Popen[str]:
    """
    A running command, by keywords.
    """
    shared = ("--workspace", str(workspace), "--state-dir", str(workspace), "--json")
    settings = ("--set", "embedding.model=none", "--set", "timezone=UTC")
    return subprocess.Popen(
        [sys.executable, "-m", "strata", *shared, *settings, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    """
    What *process* printed, once it has ended well and without a complaint.
    """
    told, said = process.communicate(timeout=120)
    assert (process.returncode, said) == (0, "")
    return told


@pytest.mark.slow
def test_readers_and_a_writer_get_along(tmp_path: Path) -> None:
    """
    Twenty questions at once, while notes change and are indexed, are answered in full.
    """
    write_notes(tmp_path, NOTES)
    finished(strata(tmp_path, "update"))
    readers = [
        strata(tmp_path, "query", "why do we keep PostgreSQL as the only database?")
        for _ in range(READERS)
    ]
    for number in range(WRITES):
        note = f"# 2026-11-1{number}\n\n- Service {number} was moved to Valkey 8.\n"
        path = tmp_path / "memory" / f"2026-11-1{number}.md"
        path.write_text(note, encoding="utf-8")
        finished(strata(tmp_path, "update"))

    for reader in readers:
        snippets = [hit["snippet"] for hit in json.loads(finished(reader))["results"]]
        assert any("PostgreSQL 16" in snippet for snippet in snippets)
    last = strata(tmp_path, "query", "Service 3 Valkey")
    assert "memory/2026-11-13.md" in finished(last)
    kinds = {
        path for path in tmp_path.rglob("*") if not (path.is_file() or path.is_dir())
    }
    assert kinds == set(), "whoever reads all files there would wait for ever"
