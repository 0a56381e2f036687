"""`strata import` of an archive that `strata export` wrote: on, on another machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders import tree
from builders_exports import memory_in
from builders_memory import NIGHT, NOON, captured, open_memory

from strata.cli import run
from strata.jobs.tidy import tidy

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = ["query", "which database do we keep"]


def options(root: Path) -> list[str]:
    (root / "workspace").mkdir(parents=True, exist_ok=True)
    given = ["--workspace", str(root / "workspace"), "--state-dir", str(root / "state")]
    return [*given, "--now", NOON, "--set", "timezone=UTC"]


@pytest.fixture
def archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """
    What the owner of *here* has exported, after a night.
    """
    captured(tmp_path / "here")
    tidy(open_memory(tmp_path / "here", NIGHT))
    assert run([*options(tmp_path / "here"), "export", str(tmp_path / "a.zip")]) == 0
    capsys.readouterr()
    return tmp_path / "a.zip"


def test_memory_goes_on_elsewhere(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    One command there: the same notes, the same page, the same answers.
    """
    there, here = options(tmp_path / "there"), options(tmp_path / "here")

    assert run([*there, "import", str(archive)]) == 0
    told = capsys.readouterr().out
    found = [
        run([*each, "update"]) or run([*each, *QUESTION]) for each in (there, here)
    ]

    assert found == [0, 0]
    first, second = capsys.readouterr().out.split("update:")[1:]
    assert first.splitlines()[1:] == second.splitlines()[1:]
    assert "PostgreSQL" in first
    assert "restored: 2 notes, as they were on 2026-11-20 12:00" in told
    assert "strata undo --run" in told
    notes = [memory_in(tmp_path / each / "workspace") for each in ("there", "here")]
    assert notes[0] == notes[1]


def test_known_archive_is_told_as_such(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A look before says what would come; a second time says that all is here.
    """
    there = options(tmp_path / "there")

    assert run([*there, "import", str(archive), "--dry-run"]) == 0
    assert "would restore: 2 notes" in capsys.readouterr().out
    assert memory_in(tmp_path / "there" / "workspace") == {}
    assert run([*there, "--json", "import", str(archive), "--from", "strata"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == 2
    assert run([*there, "import", str(archive)]) == 0
    assert "nothing to restore" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "more", "expected"),
    [
        ("here/workspace", ["--from", "strata"], "is no archive of Strata"),
        ("nowhere.zip", ["--from", "strata"], "there is nothing at"),
        ("a.zip", ["--since", "30d"], "as a whole"),
    ],
)
def test_what_cannot_be_restored_is_one_line(
    archive: Path,
    capsys: pytest.CaptureFixture[str],
    source: str,
    more: list[str],
    expected: str,
) -> None:
    """
    Something else, nothing, or a part of it: one line, and nothing is written.
    """
    root = archive.parent
    there = options(root / "there")

    assert run([*there, "import", str(root / source), *more]) in {1, 2}

    (line,) = capsys.readouterr().err.splitlines()
    assert expected in line
    assert memory_in(root / "there" / "workspace") == {}


def test_workspace_with_a_memory_stays(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    The line names what is in the way, and what to do.
    """
    captured(tmp_path / "full")
    before = tree(tmp_path / "full" / "workspace", without=".strata/")

    assert run([*options(tmp_path / "full"), "import", str(archive)]) == 1

    (line,) = capsys.readouterr().err.splitlines()
    assert "--workspace DIR" in line
    assert tree(tmp_path / "full" / "workspace", without=".strata/") == before
