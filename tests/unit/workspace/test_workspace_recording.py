"""What a run keeps of the files that it changes, so that it can be taken back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from builders import tree

from strata.workspace.files import Workspace
from strata.workspace.recording import Recording, Run

if TYPE_CHECKING:
    from pathlib import Path

RUN = Run("0123456789ab", "import", "2026-11-20T12:00:00+00:00", 1)
NOTE = "memory/2026-11-20.md"
TALK = ".strata/imported/chatgpt/one.jsonl"


def recording_of(workspace: Workspace) -> Recording:
    folder = workspace.layout.undo_folder / RUN.id
    return Recording(folder, RUN, workspace.write_private)


def images(workspace: Workspace) -> list[bytes]:
    kept = tree(workspace.layout.undo_folder / RUN.id)
    return [content for name, content in kept.items() if name.endswith(".before")]


def test_what_a_run_wrote_itself_is_kept_once(workspace: Path) -> None:
    """
    Of a note that a run changes many times there is one copy: that from before the run.
    """
    files = Workspace(workspace)
    files.update(NOTE, lambda _: "before\n")
    files.recording = recording_of(files)
    for _ in range(5):
        files.update(NOTE, lambda text: f"{text}ours\n")

    assert [b"before\n"] == images(files)


def test_what_others_wrote_in_between_is_kept(workspace: Path) -> None:
    """
    A hand that changes the note meanwhile, or a run that goes on, loses nothing.
    """
    files = Workspace(workspace)
    files.recording = recording_of(files)
    files.update(NOTE, lambda _: "ours\n")
    (workspace / NOTE).write_text("by hand\n")
    files.recording = recording_of(files)
    files.update(NOTE, lambda text: f"{text}ours\n")
    files.recording = recording_of(files)
    files.update(NOTE, lambda text: f"{text}again\n")

    assert [b"by hand\n"] == images(files)


def test_own_files_are_kept_as_of_a_moment(workspace: Path) -> None:
    """
    A file of Strata's own is its owner's alone, and as old as what it tells of.
    """
    files = Workspace(workspace)
    moment = datetime(2025, 3, 10, 9, 0, tzinfo=UTC)

    assert files.keep(TALK, "one\n", moment)
    assert not files.keep(TALK, "one\n", moment)

    kept = workspace / TALK
    assert (moment.timestamp(), 0o600) == (
        kept.stat().st_mtime,
        kept.stat().st_mode & 0o777,
    )
