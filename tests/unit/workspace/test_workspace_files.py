"""A memory file is the old one or the new one, and nobody's words are lost."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from killing import ROOT, run_killed_at

from strata.errors import PathNotAllowed, WorkspaceUnavailable
from strata.workspace.files import Workspace

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "memory/2026-11-20.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_new_file_is_its_owners_alone(workspace: Workspace) -> None:
    """
    A note is made with mode 0600 in a folder of mode 0700.
    """
    changed = workspace.update(NOTE, lambda text: text + "hello\n")

    note = workspace.root / NOTE
    assert changed
    assert note.read_text() == "hello\n"
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert stat.S_IMODE(note.parent.stat().st_mode) == 0o700


def test_changed_file_keeps_its_permissions(workspace: Workspace) -> None:
    """
    Whoever could read a note before can read it afterwards.
    """
    note = workspace.root / "MEMORY.md"
    note.write_text("old\n")
    note.chmod(0o664)

    workspace.update("MEMORY.md", lambda text: text + "new\n")

    assert stat.S_IMODE(note.stat().st_mode) == 0o664


def test_no_change_writes_nothing(workspace: Workspace) -> None:
    """
    The same text again leaves the file alone, its time stamp included.
    """
    workspace.update(NOTE, lambda _: "hello\n")
    before = (workspace.root / NOTE).stat()

    changed = workspace.update(NOTE, lambda text: text)

    assert not changed
    assert before == (workspace.root / NOTE).stat()


def test_bytes_that_are_no_text_survive(workspace: Workspace) -> None:
    """
    A note in another encoding, with Windows line ends, is kept byte for byte.
    """
    foreign = "Zürich\r\n".encode("latin-1") + b"\x00\xff\r\n"
    (workspace.root / "MEMORY.md").write_bytes(foreign)

    workspace.update("MEMORY.md", lambda text: text + "new\n")

    assert (workspace.root / "MEMORY.md").read_bytes() == foreign + b"new\n"


def test_edit_of_somebody_else_in_between_is_kept(workspace: Workspace) -> None:
    """
    What an editor saves while a change is being made is there afterwards.
    """
    note = workspace.root / NOTE
    workspace.update(NOTE, lambda _: "first\n")
    edits = iter(["second\n", ""])

    def change(text: str) -> str:
        with note.open("a") as file:
            file.write(next(edits, ""))
        return text + "ours\n"

    workspace.update(NOTE, change)

    assert note.read_text() == "first\nsecond\nours\n"


@pytest.mark.parametrize("path", ["../outside.md", "/etc/passwd", "memory/../../x"])
def test_path_out_of_the_workspace_is_refused(workspace: Workspace, path: str) -> None:
    """
    No path leads out of the workspace.
    """
    with pytest.raises(PathNotAllowed, match="leads out of the workspace"):
        workspace.update(path, lambda _: "x")


def test_link_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    """
    A symbolic link is no way out either.
    """
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n")
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "MEMORY.md").symlink_to(outside)

    with pytest.raises(PathNotAllowed):
        Workspace(root).update("MEMORY.md", lambda _: "x")

    assert outside.read_text() == "mine\n"


def test_missing_workspace_says_what_to_do(tmp_path: Path) -> None:
    """
    Without a workspace the message names the option.
    """
    with pytest.raises(WorkspaceUnavailable, match="--workspace DIR"):
        Workspace(tmp_path / "nowhere")


def test_folder_is_hidden_from_git_after_a_full_disk_too(workspace: Workspace) -> None:
    """
    The file that hides it may have been left without a word.
    """
    workspace.make_private()
    ignore = workspace.layout.private / ".gitignore"
    ignore.write_bytes(b"")

    workspace.make_private()

    assert ignore.read_text() == "*\n"


def test_folder_that_a_killed_import_left_stops_no_job(workspace: Workspace) -> None:
    """
    One of today may be in use and stays; one of days ago goes with the next job.
    """
    drafts = workspace.layout.private / "drafts"
    days_ago = time.time() - 3 * 86400
    for name in ("import-new", "import-old"):
        (drafts / name / "a").mkdir(parents=True)
        (drafts / name / "a" / "talks.json").write_text("raw")
    (drafts / "0123456789abcdef").write_text("half")
    for name in ("import-old", "0123456789abcdef"):
        os.utime(drafts / name, (days_ago, days_ago))
    os.utime(drafts / "import-new", (time.time() - 7200,) * 2)

    workspace.make_private()

    assert ["import-new"] == [each.name for each in drafts.iterdir()]


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_full_disk_leaves_the_old_text(tmp_path: Path) -> None:
    """
    On a full disk the note is as it was, and the message says so.
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        workspace = Workspace(disk)
        workspace.update(NOTE, lambda _: "small\n")

        with pytest.raises(WorkspaceUnavailable, match="disk is full"):
            workspace.update(NOTE, lambda text: text + "x" * 200_000)

        assert workspace.read(NOTE) == "small\n"
        assert list((disk / ".strata" / "drafts").iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_read_only_workspace_says_so(tmp_path: Path) -> None:
    """
    A workspace that cannot be written gives one clear line.
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", "ro", "none", str(disk)]
    if subprocess.run(options, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        with pytest.raises(WorkspaceUnavailable, match="cannot be written"):
            Workspace(disk).update(NOTE, lambda _: "x")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_workspace_that_became_read_only_says_so(tmp_path: Path) -> None:
    """
    A workspace that could be written before, locks and all, gives one clear line.
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    options = ["mount", "-t", "tmpfs", "none", str(disk)]
    if subprocess.run(options, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        Workspace(disk).update(NOTE, lambda _: "x")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(WorkspaceUnavailable, match="cannot be written"):
            Workspace(disk).update(NOTE, lambda _: "y")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


UPDATE = """
from pathlib import Path
from strata.workspace.files import Workspace
Workspace(Path(sys.argv[1])).update("memory/2026-11-20.md", lambda text: text + "new\\n")
"""


def test_kill_at_any_step_leaves_the_note_old_or_new(tmp_path: Path) -> None:
    """
    Killed before any change on disk, the note is whole and the next try succeeds.
    """
    outcomes = set()
    for step in range(1, 60):
        root = tmp_path / str(step)
        (root / "memory").mkdir(parents=True)
        (root / NOTE).write_text("old\n")
        killed = run_killed_at(step, root, UPDATE, str(root))
        outcomes.add((root / NOTE).read_text())
        if not killed:
            break
        Workspace(root).update(NOTE, lambda text: text.replace("new\n", "") + "new\n")

        assert (root / NOTE).read_text() == "old\nnew\n"

    assert not killed
    assert outcomes == {"old\n", "old\nnew\n"}


APPEND = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from strata.workspace.files import Workspace
workspace = Workspace(Path(sys.argv[1]))
for number in range(20):
    line = f"{{sys.argv[2]}}-{{number}}\\n"
    workspace.update("memory/2026-11-20.md", lambda text: text + line)
"""


def test_writers_side_by_side_lose_nothing(tmp_path: Path) -> None:
    """
    Three processes that write to one note at once leave every line of each.
    """
    program = APPEND.format(root=str(ROOT))
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), name])
        for name in "abc"
    ]

    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert sorted((tmp_path / NOTE).read_text().split()) == sorted(
        f"{name}-{number}" for name in "abc" for number in range(20)
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_folder_of_notes_may_be_a_mount_of_its_own(tmp_path: Path) -> None:
    """
    Containers mount it, and no file can be renamed from one mount to another.
    """
    notes = tmp_path / "memory"
    notes.mkdir()
    options = ["mount", "-t", "tmpfs", "none", str(notes)]
    if subprocess.run(options, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        workspace = Workspace(tmp_path)
        workspace.update(NOTE, lambda _: "one\n")
        workspace.update(NOTE, lambda text: text + "two\n")

        assert workspace.read(NOTE) == "one\ntwo\n"
        assert [path.name for path in notes.iterdir()] == ["2026-11-20.md"]
        assert stat.S_IMODE((tmp_path / NOTE).stat().st_mode) == 0o600
    finally:
        subprocess.run(["umount", str(notes)], check=True)


def test_memory_that_is_no_folder_says_what_to_do(tmp_path: Path) -> None:
    """
    A file where the folder of notes belongs gives one clear line.
    """
    (tmp_path / "memory").write_text("mine")

    with pytest.raises(WorkspaceUnavailable, match="move it away"):
        Workspace(tmp_path).update(NOTE, lambda _: "x")


def test_link_that_goes_round_in_a_circle_says_what_to_do(tmp_path: Path) -> None:
    """
    So does a link that leads to itself.
    """
    (tmp_path / "memory").mkdir()
    (tmp_path / NOTE).symlink_to("2026-11-20.md")

    clear = "remove it|move it away"
    with pytest.raises((PathNotAllowed, WorkspaceUnavailable), match=clear):
        Workspace(tmp_path).read(NOTE)


def test_many_files_are_read_as_one(workspace: Workspace, tmp_path: Path) -> None:
    """
    Files that are read together say what each says; a link out of the workspace raises.
    """
    other = "memory/weekly/2026-11-16.md"
    workspace.update(NOTE, lambda _: "one\n")
    workspace.update(other, lambda _: "two\n")
    paths = ("MEMORY.md", NOTE, other, "memory/2026-11-21.md")

    together = dict(workspace.texts(paths))

    assert {path: workspace.read(path) for path in paths} == together

    outside = tmp_path.with_suffix(".outside")
    outside.write_text("three\n")
    (tmp_path / "memory/2026-11-21.md").symlink_to(outside)
    with pytest.raises(PathNotAllowed):
        list(workspace.texts(paths))
