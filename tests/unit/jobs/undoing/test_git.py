"""One run is one commit, and the user's own work in the repository is not touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from builders import small_talk
from builders_git import git

from strata.jobs.sync import sync
from strata.jobs.tidy import tidy
from strata.jobs.undo import undo
from strata.jobs.undoing.runs import recorded
from strata.memory import Memory

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-20T03:00:00+00:00"
NOTE = "memory/2026-11-05.md"
OLD = """# 2026-11-05

## 14:02 session:61871d67 | 12 messages
- [decision] Keep PostgreSQL 16.
- [finding] The cache key contains the date.
"""
ARCHIVED = "memory/archive/2026/2026-11-05.md"


def open_memory(root: Path, *, state: Path | None = None) -> Memory:
    memory = Memory.open(
        workspace=str(root),
        state_dir=str(state or root),
        now=NOW,
        overrides=["git=true", "timezone=UTC"],
    )
    memory.workspace.make_private()
    return memory


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "memory").mkdir(parents=True)
    (folder / NOTE).write_text(OLD)
    return folder


@pytest.fixture
def repository(root: Path) -> Path:
    """
    A workspace that the user keeps in git, with a file of their own.
    """
    git(root, "init", "-q", "-b", "main")
    (root / "USER.md").write_text("Robin\n")
    git(root, "add", "USER.md", NOTE)
    git(root, "commit", "-qm", "Mine")
    return root


def status(root: Path) -> str:
    return git(root, "status", "--porcelain", "--untracked-files=all")


def test_tidy_is_one_commit(repository: Path) -> None:
    """
    A run gives one commit with trailers for programs, and a clean tree.
    """
    tidy(open_memory(repository))

    assert git(repository, "log", "--format=%an %s").splitlines() == [
        "Strata Strata tidy: 3 files",
        "Robin Mine",
    ]
    trailers = git(repository, "log", "-1", "--format=%(trailers)").splitlines()
    assert trailers[1:3] == ["Strata-Job: tidy", "Strata-Files: 3"]
    assert trailers[0].startswith("Strata-Run: ")
    assert git(
        repository, "show", "--format=", "--name-status", "-M", "HEAD"
    ).splitlines() == [
        f"R100\t{NOTE}\t{ARCHIVED}",
        "A\tmemory/weekly/2026-11-02.md",
    ]
    assert status(repository) == ""


def test_quiet_night_is_no_commit(repository: Path) -> None:
    """
    A run that changes nothing leaves the history as it is.
    """
    tidy(open_memory(repository))
    before = git(repository, "rev-parse", "HEAD")

    tidy(open_memory(repository))

    assert git(repository, "rev-parse", "HEAD") == before


def test_repository_is_made(root: Path) -> None:
    """
    A workspace in no repository becomes one, without Strata's own folder in it.
    """
    tidy(open_memory(root))

    assert sorted(git(root, "ls-files").split()) == [
        ARCHIVED,
        "memory/weekly/2026-11-02.md",
    ]
    assert status(root) == ""


def test_users_work_stays_theirs(repository: Path) -> None:
    """
    What the user changed, staged or has not added stays so, and is in no commit of ours.
    """
    (repository / "USER.md").write_text("Robin, changed\n")
    (repository / "staged.md").write_text("staged\n")
    git(repository, "add", "staged.md")
    (repository / "new.md").write_text("new\n")

    tidy(open_memory(repository))

    assert status(repository) == " M USER.md\nA  staged.md\n?? new.md\n"
    names = git(repository, "show", "--format=", "--name-only", "HEAD")
    assert "USER.md" not in names
    assert "staged.md" not in names


def test_users_lines_in_our_file_stay_uncommitted(repository: Path) -> None:
    """
    Lines that the user wrote into a note and did not commit are not committed with ours.
    """
    memory = open_memory(repository)
    note = repository / NOTE
    note.write_text(OLD.replace("# 2026-11-05\n", "# 2026-11-05\n\nMy own thought.\n"))

    with recorded(memory, "tidy"):
        memory.workspace.update(NOTE, lambda text: f"{text}- ours\n")

    assert git(repository, "show", f"HEAD:{NOTE}") == OLD + "- ours\n"
    assert status(repository) == f" M {NOTE}\n"
    assert "My own thought." in note.read_text()
    assert git(repository, "diff", "--", NOTE).count("\n+") == 2 + 1


def test_staged_lines_in_our_file_stay_staged(repository: Path) -> None:
    """
    Lines that the user has staged in a note are still staged afterwards, with ours below.
    """
    memory = open_memory(repository)
    mine = OLD.replace("# 2026-11-05\n", "# 2026-11-05\n\nMy own thought.\n")
    (repository / NOTE).write_text(mine)
    git(repository, "add", NOTE)

    with recorded(memory, "tidy"):
        memory.workspace.update(NOTE, lambda text: f"{text}- ours\n")

    assert git(repository, "show", f"HEAD:{NOTE}") == OLD + "- ours\n"
    assert git(repository, "show", f":{NOTE}") == mine + "- ours\n"
    assert status(repository) == f"M  {NOTE}\n"


def test_archived_note_takes_no_lines_of_the_user_along(repository: Path) -> None:
    """
    A note with uncommitted lines is archived as it was committed; the lines stay a change.
    """
    (repository / NOTE).write_text(OLD + "\nMy own thought.\n")

    tidy(open_memory(repository))

    assert git(repository, "show", f"HEAD:{ARCHIVED}") == OLD
    assert status(repository) == f" M {ARCHIVED}\n"


def test_clash_is_left_out_and_said(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Where both changed the same line, the file stays uncommitted and a line says so.
    """
    memory = open_memory(repository)
    mine = OLD.replace("16", "17")
    (repository / NOTE).write_text(mine)

    with recorded(memory, "tidy"):
        memory.workspace.update(NOTE, lambda text: text.replace("17.", "17, really."))

    assert f"not committed: {NOTE} has changes of yours too" in capsys.readouterr().err
    assert git(repository, "log", "--format=%s").strip() == "Mine"
    assert "17, really." in (repository / NOTE).read_text()


def test_hooks_and_signing_do_not_run(repository: Path) -> None:
    """
    A hook that would refuse, and a key that is not there, keep no run back.
    """
    git(repository, "config", "commit.gpgsign", "true")
    git(repository, "config", "user.signingkey", "nobody")
    for name in (
        "pre-commit",
        "reference-transaction",
        "post-commit",
        "post-index-change",
    ):
        hook = repository / ".git" / "hooks" / name
        hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
        hook.chmod(0o755)

    tidy(open_memory(repository))

    assert git(repository, "log", "-1", "--format=%an").strip() == "Strata"
    assert not (repository / "ran").exists()


def test_unfinished_merge_is_left_alone(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    In the middle of a merge nothing is committed, and memory is written all the same.
    """
    head = git(repository, "rev-parse", "HEAD")
    (repository / ".git" / "MERGE_HEAD").write_text(head)

    tidy(open_memory(repository))

    assert "a merge or rebase is unfinished" in capsys.readouterr().err
    assert git(repository, "rev-parse", "HEAD") == head
    assert (repository / ARCHIVED).read_text() == OLD


def test_missing_git_is_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    Without git the run does its work and says what is missing.
    """
    monkeypatch.setenv("PATH", os.devnull)

    tidy(open_memory(root))

    assert capsys.readouterr().err == (
        "strata: not committed: git is not installed; install it, or set git = false\n"
    )
    assert (root / ARCHIVED).read_text() == OLD


def test_environment_of_a_hook_does_not_lead_astray(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Called from within another repository's hook, the commit goes to the workspace's own.
    """
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))

    tidy(open_memory(repository))

    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert git(repository, "log", "-1", "--format=%an").strip() == "Strata"


def test_workspace_inside_a_larger_repository(tmp_path: Path, root: Path) -> None:
    """
    A repository around the workspace is used if it tracks memory; else one is made inside.
    """
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", f"workspace/{NOTE}")
    git(tmp_path, "commit", "-qm", "Mine")

    tidy(open_memory(root))

    assert f"workspace/{ARCHIVED}" in git(tmp_path, "ls-files").split()
    assert not (root / ".git").exists()


def test_sync_and_undo_are_commits_too(tmp_path: Path, repository: Path) -> None:
    """
    Capturing is a commit, and so is an undo.
    """
    small_talk(tmp_path / "state").save()
    sync(open_memory(repository, state=tmp_path / "state"))
    tidy(open_memory(repository))
    undo(open_memory(repository))

    subjects = git(repository, "log", "--format=%s").splitlines()
    assert subjects == [
        "Strata undo: 1 undone",
        "Strata tidy: 2 promoted",
        "Strata sync: 1 file",
        "Mine",
    ]
    assert status(repository) == ""
    changed = git(repository, "diff", "--name-only", "HEAD~2", "HEAD").split()
    assert changed == ["memory/archive/MEMORY.md.bak-2026-11-20"]
