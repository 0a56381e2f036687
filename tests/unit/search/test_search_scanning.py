"""Which files are memory, and what their names say."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import pytest
from builders_search import NOTES, write_notes

from strata.models import Tier
from strata.search.indexing.scanning import day_of, is_memory, scan, tier_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("path", "tier", "day"),
    [
        ("MEMORY.md", Tier.LONG_TERM, None),
        ("USER.md", Tier.LONG_TERM, None),
        ("memory/2026-11-20.md", Tier.DAILY, date(2026, 11, 20)),
        ("memory/2026-11-20-fastify.md", Tier.DAILY, date(2026, 11, 20)),
        ("memory/archive/2026/2026-11-05.md", Tier.DAILY, date(2026, 11, 5)),
        ("memory/weekly/2026-11-16.md", Tier.WEEKLY, date(2026, 11, 16)),
        ("memory/bank/entities/alice.md", Tier.BANK, None),
        ("memory/projects/acme.md", Tier.OTHER, None),
        ("memory/2026-13-40.md", Tier.DAILY, None),
    ],
)
def test_place_tells_tier_and_day(path: str, tier: Tier, day: date | None) -> None:
    """
    Tier and day follow from the path alone.
    """
    assert is_memory(path)
    assert (tier_of(path), day_of(path)) == (tier, day)


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md",
        "notes/a.md",
        "memory/a.txt",
        "memory/dreaming/light/a.md",
        "memory/.dreams/a.md",
        "memory/.hidden.md",
        "memory/DREAMS.md",
        "DREAMS.md",
        "memory/archive/MEMORY.md.bak-2026-11-20",
    ],
)
def test_other_files_are_no_memory(path: str) -> None:
    """
    OpenClaw's dreams, backups, hidden files and the rest of the workspace stay out.
    """
    assert not is_memory(path)


def test_scan_finds_memory(tmp_path: Path) -> None:
    """
    Every memory file is found by its path with slashes.
    """
    write_notes(tmp_path)
    write_notes(tmp_path, {"README.md": "no", "memory/.git/x.md": "no"})

    assert set(NOTES) == set(scan(tmp_path))


def test_missing_workspace_has_no_files(tmp_path: Path) -> None:
    """
    Where there is no folder there are no files, and no error.
    """
    assert scan(tmp_path / "nowhere") == {}


def test_links_stay_in_the_workspace(tmp_path: Path) -> None:
    """
    A link within the workspace is followed; one that leads out, or in a circle, is not.
    """
    workspace = write_notes(tmp_path / "workspace", {"memory/a.md": "A"})
    write_notes(tmp_path / "secret", {"s.md": "S"})
    (workspace / "memory" / "b.md").symlink_to("a.md")
    (workspace / "memory" / "out.md").symlink_to(tmp_path / "secret" / "s.md")
    (workspace / "memory" / "outside").symlink_to(tmp_path / "secret")
    (workspace / "memory" / "circle").symlink_to(workspace / "memory")
    (workspace / "memory" / "broken.md").symlink_to("nowhere.md")

    assert set(scan(workspace)) == {"memory/a.md", "memory/b.md"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_pipe_is_no_file(tmp_path: Path) -> None:
    """
    A pipe with the name of a note is left alone: reading it would wait for ever.
    """
    write_notes(tmp_path, {"memory/a.md": "A"})
    os.mkfifo(tmp_path / "memory" / "pipe.md")

    assert set(scan(tmp_path)) == {"memory/a.md"}
