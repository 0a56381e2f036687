"""What is handed over stands at its place whole, or not at all."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from killing import run_killed_at

from strata.errors import WorkspaceUnavailable
from strata.workspace.handing_over import new_file, new_folder

if TYPE_CHECKING:
    from pathlib import Path

WRITING = """
import sys
from pathlib import Path
from strata.workspace.handing_over import new_file
with new_file(Path(sys.argv[1]) / "out" / "export", overwrite=True) as file:
    for _ in range(3):
        file.write(b"new " * 1000)
"""

# A draft, its place, and what is left of the draft are the changes; then it has ended.
_STEPS = 5


def test_file_is_there_at_the_end(tmp_path: Path) -> None:
    """
    Until the block ends nothing stands at its place; then it is its owner's alone.
    """
    target = tmp_path / "export"

    with new_file(target) as file:
        file.write(b"all of it")
        assert not target.exists()

    assert target.read_bytes() == b"all of it"
    assert target.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["export"]


def test_nothing_is_left_of_what_failed(tmp_path: Path) -> None:
    """
    An error in the midst leaves what was there, and nothing beside it.
    """
    target = tmp_path / "export"
    target.write_bytes(b"old")

    with pytest.raises(ZeroDivisionError), new_file(target, overwrite=True) as file:
        file.write(bytes([1 // 0]))
    with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "notes") as put:
        put(f"a/{1 // 0}.md", b"")

    assert target.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["export"]


@pytest.mark.parametrize("step", range(1, _STEPS + 1))
def test_killed_writer_leaves_old_or_new(tmp_path: Path, step: int) -> None:
    """
    Whenever the process is killed, the file says what it said, or all that is new.
    """
    target = tmp_path / "out" / "export"
    target.parent.mkdir()
    target.write_bytes(b"old")

    killed = run_killed_at(step, tmp_path / "out", WRITING, str(tmp_path))

    left = target.read_bytes()
    assert left in ({b"old", b"new " * 3000} if killed else {b"new " * 3000})
    assert killed == (step < _STEPS)


def test_file_is_not_overwritten_unasked(tmp_path: Path) -> None:
    """
    What is there stays, also where it came while the new one was written.
    """
    target = tmp_path / "export"

    def come_first() -> None:
        with new_file(target) as file:
            file.write(b"late")
            target.write_bytes(b"first")

    for attempt in (come_first, lambda: new_file(target).__enter__()):
        with pytest.raises(WorkspaceUnavailable, match="--overwrite"):
            attempt()

    assert target.read_bytes() == b"first"
    assert [each.name for each in tmp_path.iterdir()] == ["export"]


def test_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    """
    Whoever put a link there gets none of it.
    """
    (tmp_path / "theirs").write_bytes(b"theirs")
    (tmp_path / "export").symlink_to(tmp_path / "theirs")

    with new_file(tmp_path / "export", overwrite=True) as file:
        file.write(b"mine")

    assert (tmp_path / "theirs").read_bytes() == b"theirs"
    assert (tmp_path / "export").read_bytes() == b"mine"


def test_folder_is_made_whole(tmp_path: Path) -> None:
    """
    A folder of files appears at once, in the place of an empty one too.
    """
    (tmp_path / "notes").mkdir()

    with new_folder(tmp_path / "notes") as put:
        put("memory/a.md", b"a")
        put("b.md", b"b")
        assert not any((tmp_path / "notes").iterdir())

    assert (tmp_path / "notes" / "memory" / "a.md").read_bytes() == b"a"
    assert (tmp_path / "notes" / "b.md").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "notes").stat().st_mode & 0o777 == 0o700
    assert [each.name for each in tmp_path.iterdir()] == ["notes"]


def test_folder_with_anything_in_it_stays(tmp_path: Path) -> None:
    """
    Nobody's folder is replaced, nor a file by one, nor is one made in nowhere.
    """
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    (tmp_path / "file").touch()

    for name in ("full", "file", "nowhere/notes"):
        with pytest.raises(WorkspaceUnavailable):
            new_folder(tmp_path / name).__enter__()
    with pytest.raises(WorkspaceUnavailable, match="no file"):
        new_file(tmp_path / "full", overwrite=True).__enter__()

    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "full"]


def test_what_a_killed_one_left_goes(tmp_path: Path) -> None:
    """
    An hour later its unfinished file or folder is removed; a fresh one may be at work.
    """
    long_ago = time.time() - 7200
    for name in (".export.strata-a", ".export.strata-b", ".other.strata-c"):
        (tmp_path / name).mkdir()
    (tmp_path / ".export.strata-d").touch()
    for name in (".export.strata-a", ".export.strata-d", ".other.strata-c"):
        os.utime(tmp_path / name, (long_ago, long_ago))

    with new_file(tmp_path / "export"):
        pass

    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == [".export.strata-b", ".other.strata-c", "export"]
