"""What is forgotten leaves the history of git too, where the owner asks for that."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from builders import Conversation
from builders_git import git
from builders_memory import open_memory
from test_forget import DAILY, FORGOTTEN, SECRET, SYNCED, TIDIED, talk

from strata.errors import GitUnavailable
from strata.jobs.forgetting.forget import forget
from strata.jobs.forgetting.recognition import PLACEHOLDER
from strata.jobs.forgetting.target import Target
from strata.jobs.sync import sync
from strata.jobs.tidy import tidy

if TYPE_CHECKING:
    from pathlib import Path

    from strata.memory import Memory


LATER = "99999999-1111-4222-8333-444444444444"


def every_object(folder: Path) -> bytes:
    """
    All that the object store holds, whether anything leads there or not.
    """
    return subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=folder,
        capture_output=True,
        check=True,
    ).stdout


def lived(root: Path) -> Memory:
    memory = open_memory(root, SYNCED, "git=true")
    sync(memory)
    tidy(replace(memory, now=datetime.fromisoformat(TIDIED)))
    return open_memory(root, FORGOTTEN, "git=true")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    talk(tmp_path / "state")
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def test_own_history_is_rewritten(workspace: Path) -> None:
    """
    No object of git holds the words any more; messages and the other lines are there.
    """
    memory = lived(workspace.parent)
    before = git(workspace, "log", "--format=%s %an %ad")
    assert b"PostgreSQL" in every_object(workspace)

    receipt = forget(memory, Target(SECRET), git=True)

    assert b"PostgreSQL" not in every_object(workspace)
    assert git(workspace, "log", "--format=%s %an %ad") == before
    assert "pnpm" in git(workspace, "show", "HEAD~1:memory/2026-11-20.md")
    assert git(workspace, "status", "--porcelain") == ""
    git(workspace, "fsck", "--strict")
    assert receipt.rewritten is not None
    assert receipt.history == 0


def test_without_being_asked_history_stays_and_is_named(workspace: Path) -> None:
    """
    The deletion is one more commit, and the receipt says that git still has the words.
    """
    memory = lived(workspace.parent)

    receipt = forget(memory, Target(SECRET))

    assert b"PostgreSQL" in every_object(workspace)
    assert receipt.history > 0
    assert git(workspace, "log", "-1", "--format=%s").startswith("Strata forget")
    assert "PostgreSQL" not in git(workspace, "show", "HEAD:MEMORY.md")


def test_users_repository_keeps_everything_else(workspace: Path) -> None:
    """
    Commits from before, other files that say the same, tags, branches, and what is staged.
    """
    git(workspace, "init", "-q", "-b", "main")
    (workspace / "app.py").write_text(f"# {SECRET}\n")
    git(workspace, "add", "app.py")
    git(workspace, "commit", "-q", "-m", "mine")
    first = git(workspace, "rev-parse", "HEAD")
    memory = lived(workspace.parent)
    copied = (workspace / DAILY).read_text()
    (workspace / "copy.md").write_text(copied)
    git(workspace, "add", "MEMORY.md", "memory", "copy.md")
    git(workspace, "commit", "-q", "--allow-empty", "-m", "notes")
    git(workspace, "tag", "-a", "v1", "-m", "one")
    git(workspace, "branch", "other")
    (workspace / "app.py").write_text(f"# {SECRET}\nprint()\n")
    git(workspace, "add", "app.py")

    receipt = forget(memory, Target(SECRET), git=True)

    assert git(workspace, "rev-list", "--max-parents=0", "HEAD") == first
    assert git(workspace, "diff", "--cached", "--stat").startswith(" app.py")
    assert git(workspace, "show", "v1:app.py") == f"# {SECRET}\n"
    assert git(workspace, "show", "v1:copy.md") == copied
    assert "PostgreSQL" not in git(workspace, "show", "v1:memory/2026-11-20.md")
    assert git(workspace, "rev-parse", "other") == git(workspace, "rev-parse", "main")
    assert "app.py" in receipt.proof.elsewhere
    assert receipt.proof.holds


def test_workspace_in_a_larger_repository(tmp_path: Path) -> None:
    """
    The memory of a folder of it is rewritten there, and the rest is not looked at.
    """
    talk(tmp_path / "state")
    (tmp_path / "workspace/memory").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "workspace/memory/own.md").write_text(f"# Own\n\nKept.\n{SECRET}\n")
    git(tmp_path, "add", "workspace")
    git(tmp_path, "commit", "-q", "-m", "all")

    forget(open_memory(tmp_path, FORGOTTEN), Target(SECRET), git=True)

    assert git(tmp_path, "show", "HEAD:workspace/memory/own.md") == "# Own\n\nKept.\n"
    assert SECRET.encode() not in every_object(tmp_path)


def test_unsafe_rewrite_is_refused_before_anything_changes(workspace: Path) -> None:
    """
    A stash would be lost, so nothing is forgotten until it is gone.
    """
    memory = lived(workspace.parent)
    (workspace / "MEMORY.md").write_text("- another\n")
    git(workspace, "stash")

    with pytest.raises(GitUnavailable, match="stash"):
        forget(memory, Target(SECRET), git=True)

    assert "PostgreSQL" in memory.workspace.read("MEMORY.md")


def test_unfinished_rewrite_keeps_sync_from_nothing(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """
    A stash that came after a kill delays the history; new conversations are captured.
    """
    git(workspace, "init", "-q")
    memory = lived(workspace.parent)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("strata.jobs.forgetting.forget.rewrite_history", killed)
        with pytest.raises(KeyboardInterrupt):
            forget(memory, Target(SECRET), git=True)
    (workspace / "stashed").touch()
    git(workspace, "add", "stashed")
    git(workspace, "stash")
    later = Conversation(workspace.parent / "state", id=LATER, key="agent:main:later")
    later.user("We decided to use Kafka for all events.").agent("Ok.")
    later.user("Call Bob about the new brokers tomorrow.").agent("Ok.").save()
    capsys.readouterr()

    sync(memory)

    assert "Kafka" in memory.workspace.read("memory/2026-11-20.md")
    assert "stash" in capsys.readouterr().err
    git(workspace, "stash", "drop")
    sync(memory)
    assert memory.tombstones.unfinished() == []
    assert SECRET.encode() not in every_object(workspace)


def test_json_and_binary_files_stay_what_they_are(workspace: Path) -> None:
    """
    The history holds JSON that can be read, as the file itself, and no torn binary.
    """
    git(workspace, "init", "-q")
    memory = lived(workspace.parent)
    recall, binary = workspace / "memory/.dreams/r.json", b"\0\1\nPostgreSQL 16\n\2"
    recall.parent.mkdir()
    recall.write_text(json.dumps({"a": 1, "text": SECRET, "z": 2}, indent=1))
    (workspace / "memory/pixels.bin").write_bytes(binary)
    git(workspace, "add", "-A")
    git(workspace, "commit", "-q", "-m", "more")

    forget(memory, Target(entity="PostgreSQL"), git=True)

    kept = json.loads(git(workspace, "show", "HEAD:memory/.dreams/r.json"))
    assert (
        kept == json.loads(recall.read_text()) == {"a": 1, "text": PLACEHOLDER, "z": 2}
    )
    assert git(workspace, "show", "HEAD:memory/pixels.bin").encode() == binary


def test_no_repository_is_said(workspace: Path) -> None:
    """
    --git where there is no git is a mistake, and not a silent success.
    """
    memory = open_memory(workspace.parent, SYNCED)
    sync(memory)

    with pytest.raises(GitUnavailable, match="leave out --git"):
        forget(memory, Target(SECRET), git=True)
