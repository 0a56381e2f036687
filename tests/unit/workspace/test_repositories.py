"""A folder's repository is known by its remote, and no secret of the remote is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders_git import git

from strata.workspace.repositories import normalised, repository_at

OWN = Path("/nowhere/workspace")


def repository(folder: Path, url: str = "") -> Path:
    """
    A repository that git itself makes in *folder*, with a remote at *url*.
    """
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    if url:
        git(folder, "remote", "add", "origin", url)
    return folder


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Ada/Heron.git",
        "https://github.com/ada/heron",
        "https://github.com/ada/heron/",
        "http://ada:gh_secret@github.com/ada/heron.git",
        "https://gh_secret@github.com/ada/heron.git?token=gh_secret#gh_secret",
        "git@github.com:ada/heron.git",
        "ssh://git@github.com:22/ada/heron.git",
        "git+ssh://git@github.com/ada/heron.git",
        "github.com:ada/heron",
        '"https://github.com/ada/heron.git"',
        "https://ada:gh#secret@github.com/ada/heron.git",
        "https://ada:gh?secret@github.com/ada/heron;token=gh_secret",
        "ada:gh_secret@github.com:ada/heron.git",
    ],
)
def test_every_way_to_write_a_remote_is_one_name(url: str) -> None:
    """
    How somebody reaches a repository, and as whom, does not make it another.
    """
    assert normalised(url) == "github.com/ada/heron"


@pytest.mark.parametrize(
    "url",
    [
        "/srv/git/heron.git",
        "file:///srv/git/heron.git",
        "../heron",
        "C:\\git\\heron.git",
        "file://ada:gh_secret@host/git/heron",
        "https://ada:gh/secret@github.com/heron",
        "https://github.com:gh_secret/heron",
        "https://ada:gh#secret@heron",
    ],
)
def test_a_local_remote_tells_no_folders(url: str) -> None:
    """
    Of a remote on this machine, and of what is no address, only the last name is kept.
    """
    assert normalised(url) == "heron"


def test_a_host_of_ones_own_ssh_configuration_is_a_host() -> None:
    """
    Before the colon stands a name that ssh knows, whatever it is.
    """
    assert normalised("work:ada/heron.git") == "work/ada/heron"


def test_clones_and_worktrees_and_what_is_inside_are_one(tmp_path: Path) -> None:
    """
    A clone by another way, a worktree, and a folder within are the same project.
    """
    first = repository(tmp_path / "a", "git@github.com:ada/heron.git")
    second = repository(tmp_path / "b", "https://x:y@github.com/ada/heron")
    (first / "deep" / "er").mkdir(parents=True)
    (first / "file").write_text("a")
    git(first, "add", "file")
    git(first, "commit", "-q", "-m", "a")
    git(first, "worktree", "add", "-q", str(tmp_path / "tree"))

    places = [first, second, first / "deep" / "er", tmp_path / "tree"]

    assert {repository_at(str(each), OWN) for each in places} == {
        "github.com/ada/heron"
    }


def test_without_a_remote_the_main_folder_names_it(tmp_path: Path) -> None:
    """
    A worktree of a repository without a remote has the name of the repository's folder.
    """
    main = repository(tmp_path / "Heron")
    (main / "file").write_text("a")
    git(main, "add", "file")
    git(main, "commit", "-q", "-m", "a")
    git(main, "worktree", "add", "-q", str(tmp_path / "elsewhere"))

    assert repository_at(str(main), OWN) == "heron"
    assert repository_at(str(tmp_path / "elsewhere"), OWN) == "heron"


def test_a_module_is_a_project_of_its_own(tmp_path: Path) -> None:
    """
    A submodule's file leads to the folder of the repository around it.
    """
    around = repository(tmp_path / "around", "https://github.com/ada/around")
    private = around / ".git" / "modules" / "part"
    private.mkdir(parents=True)
    (private / "config").write_text('[remote "origin"]\n\turl = github.com:ada/part\n')
    (around / "part").mkdir()
    (around / "part" / ".git").write_text("gitdir: ../.git/modules/part\n")

    assert repository_at(str(around / "part"), OWN) == "github.com/ada/part"


def test_the_workspace_is_no_project(tmp_path: Path) -> None:
    """
    The agent's own folder is none, nor what it lies in; a clone within it is one.
    """
    around = repository(tmp_path / "home", "https://github.com/ada/dotfiles")
    own = repository(around / "workspace", "https://github.com/ada/memory")
    inner = repository(own / "heron", "https://github.com/ada/heron")

    assert repository_at(str(own), own) == ""
    assert repository_at(str(own / ".git"), own) == ""
    assert repository_at(str(around), own) == ""
    assert repository_at(str(inner), own) == "github.com/ada/heron"


def test_a_file_that_points_elsewhere_is_not_followed(tmp_path: Path) -> None:
    """
    Whoever writes a ``.git`` file has no configuration of another's read.
    """
    other = repository(tmp_path / "other", "https://github.com/ada/private")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / ".git").write_text(f"gitdir: {other}/.git\n")
    linked = tmp_path / "linked"
    (linked / ".git").mkdir(parents=True)
    (linked / ".git" / "config").symlink_to(other / ".git" / "config")
    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / ".git").symlink_to(other / ".git")
    modules = tmp_path / "around" / ".git" / "modules"
    modules.mkdir(parents=True)
    (modules / "part").symlink_to(other / ".git")
    part = tmp_path / "around" / "part"
    part.mkdir()
    (part / ".git").write_text("gitdir: ../.git/modules/part\n")

    assert repository_at(str(mine), OWN) == "mine"
    assert repository_at(str(linked), OWN) == "linked"
    assert repository_at(str(whole), OWN) == "whole"
    assert repository_at(str(part), OWN) == "part"


def test_a_name_too_long_for_a_note_is_not_taken(tmp_path: Path) -> None:
    """
    Whoever hands a repository over writes no page into the notes by its remote.
    """
    long = repository(tmp_path / "heron", "https://github.com/ada/" + "always-" * 40)

    assert repository_at(str(long), OWN) == "heron"


def test_a_pipe_and_a_huge_file_do_no_harm(tmp_path: Path) -> None:
    """
    What is no file is not waited for, and of a long one only the beginning is read.
    """
    piped, long = tmp_path / "piped", tmp_path / "long"
    for each in (piped, long):
        (each / ".git").mkdir(parents=True)
    os.mkfifo(piped / ".git" / "config")
    late = "#" * 100_000 + '\n[remote "origin"]\nurl = https://github.com/ada/late\n'
    (long / ".git" / "config").write_text(late)

    assert repository_at(str(piped), OWN) == "piped"
    assert repository_at(str(long), OWN) == "long"


def test_what_is_gone_is_not_what_is_none(tmp_path: Path) -> None:
    """
    A folder that is gone tells nothing; one in no repository is no project.
    """
    assert repository_at(str(tmp_path / "gone"), OWN) is None
    assert repository_at("relative", OWN) is None
    assert repository_at("/\0", OWN) is None
    assert repository_at(str(tmp_path), OWN) == ""
